import type { ContextPackage } from '../../model/context-package.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { parallelGroups } from '../../model/task-order.ts';
import { counted, oneLine, sentence } from '../../model/wording.ts';

const withoutAgent =
  'This plan was derived by rules from the chosen solution, without a planning agent: its steps and criteria follow the solution’s files and key points and were read by no model.';

/** `plan.json` of a derived plan. */
export function deriveOverview({
  contextPackage,
  tasks,
  flow,
  now,
}: {
  readonly contextPackage: ContextPackage;
  readonly tasks: readonly Task[];
  /** The execution flow in the plan’s task ids. */
  readonly flow: string;
  readonly now: Date;
}): Plan {
  const { solution, implementation_plan: implementation, constraints } = contextPackage;
  return {
    summary: sentence(solution.summary.trim() === '' ? solution.name : solution.summary),
    approach: `${sentence(implementation.approach)}\n\n${withoutAgent}`,
    task_ids: tasks.map(({ id }) => id),
    task_count: tasks.length,
    complexity: complexityOf(tasks, solution.risk),
    recommended_execution: executionOf(tasks),
    design_decisions: decisionsOf(contextPackage),
    shared_context: sharedContext(contextPackage),
    test_strategy: { specific_tests: testsIn(tasks) },
    constraints,
    execution_flow: flow,
    milestones: implementation.milestones,
    ...(contextPackage.uncertainty === null ? {} : { uncertainty: contextPackage.uncertainty }),
    _metadata: {
      timestamp: now.toISOString(),
      source: 'direct-planning',
      plan_type: 'collaborative',
      planning_mode: 'direct',
      schema_version: '2.0',
    },
  };
}

/** By counts: up to two tasks and three files are Low, from seven or twelve on, or at high risk, High. */
function complexityOf(
  tasks: readonly Task[],
  risk: ContextPackage['solution']['risk'],
): NonNullable<Plan['complexity']> {
  const files = new Set(tasks.flatMap((task) => (task.files ?? []).map(({ path }) => path))).size;
  if (risk === 'high' || tasks.length >= 7 || files >= 12) return 'High';
  return tasks.length <= 2 && files <= 3 ? 'Low' : 'Medium';
}

function executionOf(tasks: readonly Task[]): NonNullable<Plan['recommended_execution']> {
  if (tasks.length === 1) return 'Agent';
  return parallelGroups(tasks).some((group) => group.length > 1) ? 'Parallel' : 'Sequential';
}

type DesignDecision = NonNullable<Plan['design_decisions']>[number];

function decisionsOf({
  solution,
  alternatives = [],
  consensus,
  clarifications,
}: ContextPackage): DesignDecision[] {
  const reasons = [...consensus.agreements, ...(solution.pros ?? [])].map(sentence);
  const figures = `Chosen from ${counted(alternatives.length + 1, 'option')}: feasibility ${solution.feasibility.toFixed(2)}, ${solution.effort} effort, ${solution.risk} risk, proposed by ${solution.source_cli.join(', ') || 'nobody'}.`;
  const chosen: DesignDecision = {
    decision: `Carry out "${oneLine(solution.name)}"`,
    rationale: [figures, ...reasons].join(' '),
    ...((solution.cons ?? []).length === 0
      ? {}
      : { tradeoff: (solution.cons ?? []).map(sentence).join(' ') }),
    alternatives: alternatives.map(
      ({ name, effort, risk, summary }) =>
        `${oneLine(name)} (${effort} effort, ${risk} risk): ${sentence(summary)}`,
    ),
  };
  const settled = consensus.resolved_conflicts.trim();
  return [
    chosen,
    ...(settled === ''
      ? []
      : [{ decision: 'How the agents’ differences were settled', rationale: sentence(settled) }]),
    ...clarifications.map(({ question, answer }) => ({
      decision: oneLine(question),
      rationale: `The user answered: ${sentence(answer)}`,
    })),
  ];
}

type SharedContext = NonNullable<Plan['shared_context']>;

const factLength = 400;

function sharedContext(contextPackage: ContextPackage): SharedContext {
  const facts = contextPackage.project_facts.map(({ source, text }) => {
    const line = oneLine(text);
    return `${source}: ${line.length > factLength ? `${line.slice(0, factLength)}…` : line}`;
  });
  return {
    conventions: facts,
    dependencies: contextPackage.dependencies,
    open_disagreements: contextPackage.consensus.disagreements ?? [],
  };
}

function testsIn(tasks: readonly Task[]): string[] {
  const paths = tasks.flatMap((task) =>
    (task.checks ?? []).flatMap((check) => (check.kind === 'test' ? [check.path] : [])),
  );
  return [...new Set(paths)];
}
