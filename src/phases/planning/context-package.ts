import type { BuildFact } from '../../model/context.ts';
import type { UserAnswer } from '../../model/decision.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { CheckedClaim, Solution, Synthesis } from '../../model/synthesis.ts';

/**
 * What planning is given: the chosen solution with everything that was said for and against it,
 * the other solutions, and what the user asked for. Failed claims are no evidence and stay out.
 */
export function buildContextPackage({
  sessionId,
  task,
  solution,
  synthesis,
  constraints,
  clarifications,
  feedback,
  projectFacts,
  buildFacts,
  uncertainty,
}: {
  readonly sessionId: string;
  readonly task: string;
  readonly solution: Solution;
  readonly synthesis: Synthesis;
  readonly constraints: readonly string[];
  readonly clarifications: readonly UserAnswer[];
  readonly feedback: readonly string[];
  readonly projectFacts: ContextPackage['project_facts'];
  readonly buildFacts: readonly BuildFact[];
  readonly uncertainty: string | null;
}): ContextPackage {
  const verification = synthesis.cross_verification;
  return {
    session_id: sessionId,
    task_description: task,
    solution: {
      name: solution.name,
      source_cli: solution.source_cli,
      feasibility: solution.feasibility,
      effort: solution.effort,
      risk: solution.risk,
      summary: solution.summary,
      pros: solution.pros,
      cons: solution.cons,
    },
    implementation_plan: solution.implementation_plan,
    dependencies: solution.dependencies,
    technical_concerns: solution.technical_concerns,
    consensus: {
      agreements: verification.agreements,
      disagreements: verification.disagreements,
      resolved_conflicts: verification.resolution,
    },
    alternatives: synthesis.solutions.filter(({ id }) => id !== solution.id).map(alternativeOf),
    evidence: solution.claims.filter(({ status }) => status !== 'failed').map(evidenceOf),
    constraints: distinct(constraints),
    affected_files: solution.affected_files,
    clarifications: clarifications.filter(({ answer }) => answer.trim() !== ''),
    feedback: distinct(feedback),
    project_facts: projectFacts,
    build_facts: [...buildFacts],
    uncertainty,
  };
}

type Alternative = NonNullable<ContextPackage['alternatives']>[number];

function alternativeOf(solution: Solution): Alternative {
  const { name, source_cli: sources, feasibility, effort, risk, summary } = solution;
  return { name, source_cli: sources, feasibility, effort, risk, summary };
}

type Evidence = NonNullable<ContextPackage['evidence']>[number];

function evidenceOf({ statement, path, line, found_line: found, quote }: CheckedClaim): Evidence {
  return { statement, path, line: found ?? line, quote };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
