import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { Plan } from '../../model/plan.ts';
import { ancestry } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { tasksByOrigin } from './keep-from-package.ts';

/**
 * Whether the tasks follow the solution’s execution flow, as far as the flow can be read and its
 * ids lead to tasks. At most one finding for each task.
 */
export function checkFlow({
  plan,
  tasks,
  contextPackage,
}: {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
}): readonly Finding[] {
  const { tasks: solutionTasks, execution_flow: flow } = contextPackage.implementation_plan;
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return [];
  const own = ownFlow(plan, comesAfter);
  const byOrigin = tasksByOrigin(solutionTasks, tasks);
  const places = new Map(plan.task_ids.map((id, index) => [id, index]));
  const chains = flowChains(flow, new Set(solutionTasks.map(({ id }) => id)));
  const ofSolution = chains.flatMap((chain) =>
    chain
      .map((stage) => stage.flatMap((origin) => byOrigin.get(origin) ?? []))
      .flatMap((stage, index, stages) =>
        stage.flatMap((id) =>
          stageFindings({ id, earlier: stages.slice(0, index), places, comesAfter }),
        ),
      ),
  );
  return [...own, ...ofSolution];
}

/** Whether the plan's own flow names its tasks, in an order that their dependencies allow. */
function ownFlow(
  { execution_flow: flow = '', task_ids: ids }: Plan,
  comesAfter: (task: string, ancestor: string) => boolean,
): readonly Finding[] {
  const at = { severity: 'warning', file: 'plan.json', pointer: '/execution_flow' } as const;
  const unknown = [...new Set(flow.match(/\b[A-Za-z]\w*-?\d+\b/g) ?? [])].filter(
    (id) => !ids.includes(id),
  );
  if (unknown.length > 0) {
    const message = `The execution flow names ${unknown.map(nameOf).join(', ')}, which the plan does not have; name the tasks that it has.`;
    return [{ ...at, rule: 'flow-unknown', message }];
  }
  const turned = flowChains(flow, new Set(ids)).flatMap((stages) =>
    stages.flatMap((stage, index) =>
      stage.flatMap((late) =>
        stages
          .slice(0, index)
          .flat()
          .filter((early) => comesAfter(early, late))
          .map((early) => `${nameOf(early)} before ${nameOf(late)}, which it waits for`),
      ),
    ),
  );
  if (turned.length === 0) return [];
  const message = `The execution flow puts ${turned.join('; ')}; make the flow follow depends_on.`;
  return [{ ...at, rule: 'flow-against', message }];
}

function stageFindings({
  id,
  earlier,
  places,
  comesAfter,
}: {
  readonly id: string;
  readonly earlier: FlowStages;
  readonly places: ReadonlyMap<string, number>;
  readonly comesAfter: (task: string, ancestor: string) => boolean;
}): readonly Finding[] {
  const before = earlier.at(-1) ?? [];
  const all = earlier.flat();
  if (all.includes(id) || before.length === 0) return [];
  const late = before.find(
    (other) => (places.get(other) ?? -1) > (places.get(id) ?? Infinity) || comesAfter(other, id),
  );
  const warns = { severity: 'warning', rule: 'flow-order' } as const;
  if (late !== undefined) {
    const message = `${nameOf(id)} comes before ${nameOf(late)}, but the solution’s execution flow puts it after; swap them or correct depends_on.`;
    return [{ ...warns, file: 'plan.json', pointer: '/task_ids', message }];
  }
  if (all.some((other) => comesAfter(id, other))) return [];
  const message = `${nameOf(id)} would start at once, but the solution’s execution flow puts it after ${before.map(nameOf).join(', ')}; add what it waits for to depends_on.`;
  return [{ ...warns, file: taskFile(id), pointer: '/depends_on', message }];
}

/** Ids that may run at once, then those that come after them, and so on. */
type FlowStages = readonly (readonly string[])[];

/**
 * Reads texts such as "T1 → T2 → T3" or "T1 -> (T2, T3) -> T4; T4 → T5": one entry for each chain.
 * Only signs are read, so that it works in every language: a chain that has other words between
 * its ids, arrows inside brackets, or an id that is unknown or stands twice gives nothing.
 */
export function flowChains(text: string, known: ReadonlySet<string>): readonly FlowStages[] {
  return text.split(/[;\n]/).flatMap((chain) => {
    const stages = chain.split(/→|⇒|➔|➜|⟶|[=-]*>+/u).map((part) => idsIn(part, known));
    const ids = stages.flatMap((stage) => stage ?? []);
    const isClear = stages.length > 1 && new Set(ids).size === ids.length;
    return isClear && stages.every((stage) => stage !== null) ? [stages] : [];
  });
}

/** Null where the part says anything else; a remark in brackets without an id says nothing. */
function idsIn(part: string, known: ReadonlySet<string>): readonly string[] | null {
  const bare = part.replaceAll(/\([^()]*\)/g, (remark) =>
    tokensOf(remark).some((word) => known.has(word)) ? remark : '',
  );
  const isBalanced = bare.split(/[([]/).length === bare.split(/[)\]]/).length;
  const words = tokensOf(bare);
  return isBalanced && words.length > 0 && words.every((word) => known.has(word)) ? words : null;
}

function tokensOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
}
