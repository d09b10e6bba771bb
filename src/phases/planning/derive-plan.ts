import { testMap } from '../../context/tests-of.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import type { SolutionTask } from '../../model/proposal.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { ancestry } from '../../model/task-order.ts';
import { counted, oneLine, sentence } from '../../model/wording.ts';
import { type PlacedTask, type PlannedPath, deriveTask } from './derive-task.ts';
import type { PlanFiles } from './editing/task-edits.ts';
import { keepFromPackage, orderedSolution } from './from-solution.ts';

/**
 * A plan without a planning agent: one task for each task of the chosen solution. `known`
 * are the files at the base. What is wrong with the solution (a missing file, a circle, a hostile
 * path) is carried over for the plan check to name, never hidden.
 */
export function derivePlan({
  contextPackage,
  known,
  now,
}: {
  readonly contextPackage: ContextPackage;
  readonly known: ReadonlySet<string>;
  readonly now: Date;
}): PlanFiles {
  const origins = orderedSolution(contextPackage.implementation_plan);
  const placed = withFiles(placeTasks(origins), known);
  const map = testMap([...known]);
  const tasks = placed.map((task, index) => ({
    ...deriveTask(task, { contextPackage, map }),
    risks: index === 0 ? risksOf(contextPackage) : [],
  }));
  const plan = overviewOf(contextPackage, { tasks, now });
  return keepFromPackage({ plan, tasks }, contextPackage);
}

/** Dependencies that lead nowhere or in a circle stay as they are, for the plan check to name. */
function placeTasks(origins: readonly SolutionTask[]): readonly Omit<PlacedTask, 'files'>[] {
  const named = origins.map((origin, index) => {
    return { id: `TASK-${String(index + 1).padStart(3, '0')}`, origin };
  });
  // The solution may use one id twice; whoever depends on it then waits for both.
  const byOrigin = Map.groupBy(named, ({ origin }) => origin.id);
  return named.map(({ id, origin }) => {
    const needs = origin.depends_on.flatMap(
      (need) => byOrigin.get(need)?.map((other) => other.id) ?? [need],
    );
    return { id, origin, depends_on: [...new Set(needs)] };
  });
}

/** Tasks that touch one file must not run at once: each waits for the one before it. */
function withFiles(
  tasks: readonly Omit<PlacedTask, 'files'>[],
  known: ReadonlySet<string>,
): readonly PlacedTask[] {
  const comesAfter = ancestry(tasks);
  const present = new Set(known);
  const lastToTouch = new Map<string, string>();
  return tasks.map((task) => {
    const files = plannedFiles(task.origin, present);
    const before = files.flatMap(({ path }) => lastToTouch.get(path) ?? []);
    for (const { path } of files) lastToTouch.set(path, task.id);
    const added = before.filter((other) => !comesAfter?.(task.id, other));
    return { ...task, files, depends_on: [...new Set([...task.depends_on, ...added])] };
  });
}

/** Each path once; a file that exists by then is changed instead of created. */
function plannedFiles({ files }: SolutionTask, present: Set<string>): readonly PlannedPath[] {
  const named = Map.groupBy(files, ({ file }) => tidyPath(file) || file);
  return [...named].map(([path, places]) => {
    const stated = places[0]?.action ?? 'modify';
    const action = stated === 'create' && present.has(path) ? 'modify' : stated;
    if (action === 'delete') present.delete(path);
    else present.add(path);
    return { path, action, lines: places.flatMap(({ line }) => line ?? []) };
  });
}

const level = { low: 'Low', medium: 'Medium', high: 'High' } as const;

/** Nobody has said which task a concern is about, so whoever begins has to look at all. */
function risksOf({
  technical_concerns: concerns,
  solution: { risk },
}: ContextPackage): NonNullable<Task['risks']> {
  const mitigation = 'Look at this before the first change, and say in the result how it was met.';
  return concerns
    .map(oneLine)
    .filter((description) => description !== '')
    .map((description) => {
      return { description, probability: level[risk], impact: level[risk], mitigation };
    });
}

const byRules =
  'Rules derived this plan from the chosen solution, without a planning agent: no model reviewed its steps and criteria.';
const draft =
  'This plan is a draft: rules made it, and no model has read the task. It says where to work and what to read; what to write is still open.';

function overviewOf(
  contextPackage: ContextPackage,
  { tasks, now }: { readonly tasks: readonly Task[]; readonly now: Date },
): Plan {
  const { solution, implementation_plan: implementation } = contextPackage;
  const isDraft = solution.draft === true;
  return {
    summary: sentence(solution.summary.trim() === '' ? solution.name : solution.summary),
    approach: `${sentence(implementation.approach)}\n\n${isDraft ? draft : byRules}`,
    task_ids: tasks.map(({ id }) => id),
    task_count: tasks.length,
    complexity: level[solution.risk],
    design_decisions: decisionsOf(contextPackage),
    _metadata: {
      timestamp: now.toISOString(),
      source: 'direct-planning',
      plan_type: 'collaborative',
      planning_mode: 'direct',
      schema_version: '2.0',
      ...(isDraft ? { draft: true } : {}),
    },
  };
}

function decisionsOf(contextPackage: ContextPackage): NonNullable<Plan['design_decisions']> {
  const { solution, alternatives = [], consensus, clarifications } = contextPackage;
  const { pros = [], cons = [], source_cli: authors } = solution;
  const options = counted(alternatives.length + 1, 'option');
  const chosen = `Chosen from ${options}, proposed by ${authors.join(', ') || 'nobody'}${ratings(solution)}.`;
  const settled = consensus.resolved_conflicts.trim();
  const others = alternatives.map(
    (other) => `${oneLine(other.name)}${ratings(other)}: ${sentence(other.summary)}`,
  );
  return [
    {
      decision: `Carry out "${oneLine(solution.name)}"`,
      rationale: [chosen, ...[...consensus.agreements, ...pros].map(sentence)].join(' '),
      ...(cons.length === 0 ? {} : { tradeoff: cons.map(sentence).join(' ') }),
      alternatives: others,
    },
    ...(settled === ''
      ? []
      : [{ decision: 'How the agents’ differences were settled', rationale: sentence(settled) }]),
    ...clarifications.map(({ question, answer }) => ({
      decision: oneLine(question),
      rationale: `The user answered: ${sentence(answer)}`,
    })),
  ];
}

/** A draft was rated by nobody. */
function ratings(solution: ContextPackage['solution']): string {
  const { draft: isDraft, feasibility, effort, risk } = solution;
  if (isDraft === true) return '';
  return ` (feasibility ${feasibility.toFixed(2)}, ${effort} effort, ${risk} risk)`;
}
