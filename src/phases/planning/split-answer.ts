// Splits a planning agent's answer into plan and task files, and restores what it left out of the solution.
import type { ContextPackage } from '../../model/context-package.ts';
import type { LeftOut } from '../../agents/answer/read-answer.ts';
import { cleanText } from '../../model/clean-text.ts';
import { type Finding, warningFinding } from '../../model/finding.ts';
import { isObject } from '../../model/json.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { Plan, PlanAnswer, PlanFiles } from '../../model/plan.ts';
import type { ImplementationPlan } from '../../model/proposal.ts';
import { type Task, runtimeTaskFields, unaskedTaskFields } from '../../model/task.ts';
import { withTestChecks } from '../../model/task-test.ts';
import { ancestry, executionFlow, tasksInOrder, topologicalOrder } from '../../model/task-order.ts';
import { oneLine } from '../../model/wording.ts';
import { proofsForPlan } from '../proof/proof-files.ts';
import { originsOf, touchesOf } from './touches.ts';

/**
 * Splits a planning agent’s answer, whose ids are sound (`idFaults`), into `plan.json` and the task files. Fields
 * that it was not asked for are dropped, and what it left out of the solution’s dependencies and of the overview
 * is restored.
 */
export function splitAnswer({
  answer,
  contextPackage,
  now,
  planner,
  earlier = null,
  leftOut = [],
  extension = null,
}: {
  readonly answer: Pick<PlanAnswer, 'plan' | 'tasks'>;
  readonly contextPackage: ContextPackage;
  readonly now: Date;
  /** The agent that gave the answer. */
  readonly planner?: string;
  /** The previous version as it is on disk; null for a first plan. */
  readonly earlier?: PlanFiles | null;
  readonly leftOut?: readonly LeftOut[];
  /** The user’s own schema of a task, which may require more fields. */
  readonly extension?: Readonly<Record<string, unknown>> | null;
}): PlanFiles & { readonly findings: readonly Finding[] } {
  const wanted = isObject(extension?.['properties']) ? extension['properties'] : {};
  const split = answer.tasks.map((task) => ({
    ...ownFields(earlier?.tasks.find(({ id }) => id === task.id)),
    ...withTestChecks(askedFields(task, wanted)),
    depends_on: [...new Set(task.depends_on)],
    context_package_path: 'context-package.json',
  }));
  const given = tasksInOrder(withNeeds(split, contextPackage.implementation_plan));
  const { tasks, findings } = orderSharing(given);
  // Tasks that a person removed stay removed, even if the planner knows them.
  const { removed_tasks: _, tasks: _tasks, ...asOverview } = answer.plan;
  const { removed_tasks } = earlier?.plan ?? {};
  const overview = {
    ...asOverview,
    ...proofsForPlan(contextPackage),
    ...(removed_tasks !== undefined && { removed_tasks }),
    _metadata: {
      timestamp: now.toISOString(),
      source: 'cli-lite-planning-agent',
      ...(planner !== undefined && { planner }),
      plan_type: 'collaborative',
      planning_mode: 'agent-based',
      schema_version: '2.0',
    },
  } as const;
  const ids = answer.tasks.map(({ id }) => id);
  const plan = completePlan(overview, tasks, contextPackage);
  return { plan, tasks, findings: [...findings, ...lostChecks(leftOut, ids)] };
}

/**
 * The task without the fields that were not asked for, which an answer may fill with anything. A field that the
 * user’s schema asks for stays if its value fits.
 */
function askedFields(task: Task, wanted: object): Task {
  const kept: Task = { ...task };
  for (const [name, shape] of unaskedTaskFields) {
    if (!(name in wanted && shape.safeParse(kept[name]).success)) delete kept[name];
  }
  return kept;
}

/** The fields that code fills, whatever an answer says. */
const ours = new Set([...runtimeTaskFields, 'context_package_path']);

/** The fields that a person may have set, which a new version therefore keeps. */
function ownFields(task: Partial<Task> = {}): Partial<Task> {
  return Object.fromEntries(
    Object.entries(task).filter(([name]) => unaskedTaskFields.has(name) && !ours.has(name)),
  );
}

/** Finds checks that did not fit their schema and are therefore in no task. */
function lostChecks(leftOut: readonly LeftOut[], ids: readonly string[]): readonly Finding[] {
  return leftOut.flatMap(({ pointer, message }) => {
    const [, at = '', field = ''] = /^\/tasks\/(\d+)\/checks\/\d+(\/.*)?$/.exec(pointer) ?? [];
    const id = ids[Number(at)];
    const isOnlyField = /^\/(?:criterion|describes|name)$/.test(field) && message !== 'is missing';
    if (at === '' || id === undefined || isOnlyField) return [];
    const text = `A check of ${nameOf(id)} was left out, because it is malformed: ${pointer} ${oneLine(cleanText(message))}; write it again, with the fields of its kind.`;
    return [warningFinding('check-lost', taskFile(id), '/checks', text)];
  });
}

/** Adds the solution’s dependencies that a planner left out, unless they form a circle with its own. */
function withNeeds(tasks: readonly Task[], solution: ImplementationPlan): readonly Task[] {
  const comesAfter = ancestry(tasks);
  const carryingOut = (origin: string) => tasks.filter((task) => originsOf(task).includes(origin));
  const needsOf = new Map(solution.tasks.map(({ id, depends_on: needs }) => [id, needs]));
  const linked = tasks.map((task) => {
    const missing = originsOf(task)
      .flatMap((origin) => needsOf.get(origin) ?? [])
      .flatMap(carryingOut)
      .map(({ id }) => id)
      .filter((id) => id !== task.id && comesAfter?.(task.id, id) === false);
    return { ...task, depends_on: [...new Set([...task.depends_on, ...missing])] };
  });
  return topologicalOrder(linked).ok ? linked : tasks;
}

/** A plan without the fields that follow from its tasks. */
export type Overview = Partial<Plan> & Pick<Plan, 'summary' | 'approach' | '_metadata'>;

/** Adds the fields that follow from the plan’s tasks, and those that the context package provides. */
export function completePlan(
  plan: Overview,
  tasks: readonly Task[],
  { implementation_plan: solution, constraints, dependencies, uncertainty }: ContextPackage,
): Plan {
  const ids = tasksInOrder(tasks).map(({ id }) => id);
  return {
    ...plan,
    task_ids: ids,
    task_count: ids.length,
    execution_flow: executionFlow(tasks),
    shared_context: { dependencies, ...plan.shared_context },
    constraints: [...new Set([...(plan.constraints ?? []), ...constraints])],
    milestones: plan.milestones?.length ? plan.milestones : solution.milestones,
    ...(uncertainty !== null && { uncertainty }),
  };
}

/**
 * Adds the missing entries of `depends_on` so that no two tasks touch one file at once, each with a warning.
 * The tasks must come in an order in which they can run, so that no circle arises.
 */
export function orderSharing(inOrder: readonly Task[]): {
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
} {
  const findings: Finding[] = [];
  const last = new Map<string, string>();
  let tasks = inOrder;
  for (const { task: id, path } of touchesOf(inOrder)) {
    const before = last.get(path);
    last.set(path, id);
    if (before === undefined || before === id || ancestry(tasks)?.(id, before) !== false) continue;
    tasks = tasks.map((task) =>
      task.id === id ? { ...task, depends_on: [...task.depends_on, before] } : task,
    );
    const message = `${nameOf(before)} and ${nameOf(id)} both change ${path} and the planner named no order, so ${nameOf(id)} now waits for ${nameOf(before)}.`;
    findings.push(warningFinding('order-added', taskFile(id), '/depends_on', message));
  }
  return { tasks, findings };
}
