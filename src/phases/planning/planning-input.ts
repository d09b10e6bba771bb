// Collects what planning starts from: the chosen solution and what the user said.
import type { CodebaseContext } from '../../model/context.ts';
import type { ContextPackage, PackagedRemark } from '../../model/context-package.ts';
import type { Decision, UserAnswer } from '../../model/decision.ts';
import { nameOfPath } from '../../git/paths.ts';
import { hasFoundEvidence, isFound } from '../../model/found-evidence.ts';
import {
  type CheckedClaim,
  type Remark,
  type Solution,
  type Synthesis,
  isDraft,
} from '../../model/synthesis.ts';
import type { ProofSet } from '../../model/proof.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { listed } from '../../model/wording.ts';
import { opinionsOn, tallyOf } from '../opinions.ts';
import { comparisonOf } from '../opinions.ts';
import { openQuestionsOf } from '../present-options.ts';

export interface PlanningInput {
  /** The number of the decision that this plan follows. */
  readonly number: number;
  readonly task: string;
  readonly codebase: CodebaseContext;
  readonly synthesis: Synthesis;
  readonly decision: Extract<Decision, { kind: 'approve' }>;
  readonly constraints: readonly string[];
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
  readonly uncertainty: string | null;
  /** The acceptance tests for the decision; null without any. */
  readonly proofs: ProofSet | null;
  /** The agents that are asked to plan, best first; empty if the plan is drafted by rules. */
  readonly planners: readonly string[];
  /** The agent that the user chose to plan; null if none was chosen. */
  readonly planner: string | null;
}

/**
 * Builds the input of planning: the chosen solution with everything that was said for and against it, the other
 * solutions, and what the user asked for. Failed claims are not evidence and are left out.
 */
export function buildContextPackage(input: PlanningInput, sessionId: string): ContextPackage {
  const { task, codebase, synthesis, decision, constraints, feedback, answers } = input;
  const solution = findChosenSolution(input);
  const { pros, cons } = solution;
  const verification = synthesis.cross_verification;
  return {
    session_id: sessionId,
    task_description: task,
    solution: { ...headOf(solution, synthesis), pros, cons, ...versionsOf(solution) },
    implementation_plan: solution.implementation_plan,
    dependencies: solution.dependencies,
    technical_concerns: solution.technical_concerns,
    consensus: {
      agreements: verification.agreements,
      disagreements: verification.disagreements,
      resolved_conflicts: verification.resolution,
    },
    remarks: remarksFor(solution, synthesis),
    alternatives: synthesis.solutions
      .filter((other) => other !== solution)
      .map((other) => ({
        ...headOf(other, synthesis),
        ...objectionTo(other, synthesis),
        ...differenceOf(other, solution, synthesis),
        ...ownFilesOf(other, solution),
      })),
    evidence: solution.claims.filter(({ status }) => status !== 'failed').map(evidenceOf),
    constraints: distinct([...constraints, ...decision.constraints]),
    affected_files: solution.affected_files,
    clarifications: answers.filter(({ answer }) => answer.trim() !== ''),
    feedback: distinct(feedback),
    open_questions: [...openQuestionsOf(synthesis, answers)],
    assumptions: synthesis.assumptions.filter(
      ({ question }) =>
        !answers.some((given) => given.question === question && given.answer.trim()),
    ),
    project_facts: codebase.project_facts,
    build_facts: codebase.build_facts,
    ...(input.proofs === null || input.proofs.author === null
      ? {}
      : {
          proofs: input.proofs.proofs,
          dropped_proofs: input.proofs.dropped,
          unproven: input.proofs.unproven,
        }),
    uncertainty: input.uncertainty,
  };
}

export function findChosenSolution({ synthesis, decision }: PlanningInput): Solution {
  const solution = synthesis.solutions[decision.solution - 1];
  if (solution === undefined) throw new Error(`there is no solution ${decision.solution}`);
  return solution;
}

type Head = NonNullable<ContextPackage['alternatives']>[number];

function headOf(solution: Solution, synthesis: Synthesis): Head {
  const { name, source_cli, feasibility, effort, risk, summary } = solution;
  const positions = tallyOf(opinionsOn(solution, synthesis)).map(({ text }) => text);
  const head = {
    name,
    source_cli,
    feasibility,
    effort,
    risk,
    summary,
    ...(positions.length !== 0 && { positions }),
  };
  return isDraft(solution) ? { ...head, draft: true } : head;
}

function versionsOf({ versions = [] }: Solution): Partial<ContextPackage['solution']> {
  if (versions.length === 0) return {};
  return {
    versions: versions.map(({ implementation_plan: { approach, tasks }, ...own }) => {
      const steps = tasks.map(({ name, key_point: key }) =>
        key === null ? name : `${name}: ${key}`,
      );
      return { ...own, approach, tasks: steps };
    }),
  };
}

/** The difference between two solutions, as the comparison of round 1 described it. */
function differenceOf(theirs: Solution, ours: Solution, { compared }: Synthesis) {
  const pair = comparisonOf(theirs, ours, compared);
  return pair === null || pair.difference === '' ? {} : { differs: pair.difference };
}

/** The files of another solution that the chosen one leaves alone. */
function ownFilesOf(theirs: Solution, ours: Solution): Pick<Head, 'own_files'> {
  const [chosen, own] = [ours, theirs].map(({ affected_files: files }) =>
    files.flatMap(({ file, status }) => (status === 'failed' ? [] : tidyPath(file))),
  );
  const others = own?.filter((file) => chosen?.includes(file) === false) ?? [];
  return others.length === 0 ? {} : { own_files: distinct(others) };
}

/** Remarks on the chosen solution, and the parts that are adopted from others. */
function remarksFor(solution: Solution, { remarks, solutions, receipts }: Synthesis) {
  const vendors = new Map(receipts.map(({ agent, vendor }) => [agent, vendor ?? agent]));
  const own = remarks.filter(
    (remark) => remark.kind !== 'adopted' && remark.solution === solution.id,
  );
  const adopted = remarks.filter(
    (remark) =>
      remark.kind === 'adopted' && remark.solution !== solution.id && isTakenOver(remark, vendors),
  );
  const nameOf = (id: string) => solutions.find((one) => one.id === id)?.name;
  return [
    ...own.map((remark) => {
      const from = nameOf(remark.from ?? '');
      return { ...packRemark(remark), ...(from !== undefined && { from }) };
    }),
    ...adopted.map((remark) => {
      const from = nameOf(remark.solution);
      const against = objectionsTo(remark, remarks);
      return { ...packRemark(remark), ...(from !== undefined && { from }), ...against };
    }),
  ];
}

/**
 * True for a part that at least two vendors adopt or confirm and that nobody calls wrong; a part whose evidence
 * was not found is not taken over.
 */
function isTakenOver(part: Remark, vendors: ReadonlyMap<string, string>): boolean {
  const { agents, evidence, replies = [] } = part;
  if (evidence.length > 0 && !hasFoundEvidence(part)) return false;
  const wanting = replies.filter(({ verdict }) => verdict === 'holds').map(({ agent }) => agent);
  const behind = new Set([...agents, ...wanting].map((agent) => vendors.get(agent) ?? agent));
  return behind.size >= 2 && replies.every(({ verdict }) => verdict !== 'wrong');
}

/** Objections to the solution that a part comes from, with a found place in a file that it names. */
function objectionsTo(
  part: Remark,
  remarks: readonly Remark[],
): Pick<PackagedRemark, 'objections'> {
  const isNamed = (path: string) =>
    part.text.includes(nameOfPath(path)) || part.evidence.some((claim) => claim.path === path);
  const objections = remarks
    .filter(
      ({ kind, solution, state, evidence }) =>
        kind === 'objection' &&
        solution === part.solution &&
        (state === 'open' || state === 'revised') &&
        evidence.some((claim) => isFound(claim) && isNamed(claim.path)),
    )
    .map(({ agents, text }) => `${listed(agents)}: ${text}`);
  return objections.length === 0 ? {} : { objections };
}

/** The decisive objection to a solution: preferably with found evidence, then the latest, then that of most agents. */
function objectionTo({ id }: Solution, { remarks }: Synthesis) {
  const [first] = remarks
    .filter((remark) => remark.solution === id && remark.kind === 'objection')
    .toSorted(
      (a, b) =>
        Number(hasFoundEvidence(b)) - Number(hasFoundEvidence(a)) ||
        b.round - a.round ||
        b.agents.length - a.agents.length,
    );
  return first === undefined ? {} : { decided_against: packRemark(first) };
}

function packRemark({ id, kind, text, agents, state, evidence, replies }: Remark): PackagedRemark {
  return {
    id,
    kind,
    text,
    agents,
    state,
    ...(replies !== undefined && { replies }),
    evidence: evidence.map((claim) => ({ ...evidenceOf(claim), status: claim.status })),
  };
}

type Evidence = NonNullable<ContextPackage['evidence']>[number];

function evidenceOf({ statement, path, line, found_line: found, quote }: CheckedClaim): Evidence {
  return { statement, path, line: found ?? line, quote };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
