import type { ImplementationPlan, SolutionTask } from '../../model/proposal.ts';
import { ancestry, tasksInOrder, topologicalOrder } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';

/**
 * The tasks of the solution, each after what it depends on. One that names no dependency waits for
 * what the execution flow puts right before it, unless that makes a circle with the others.
 */
export function orderedSolution({
  tasks,
  execution_flow: flow,
}: ImplementationPlan): readonly SolutionTask[] {
  const stages = flowChains(flow, new Set(tasks.map(({ id }) => id))).flatMap((chain) =>
    chain.flatMap((ids, index) => ids.map((id) => ({ id, before: chain[index - 1] ?? [] }))),
  );
  const byId = Map.groupBy(stages, ({ id }) => id);
  const waiting = tasks.map((task) => {
    const before = (byId.get(task.id) ?? []).flatMap((stage) => stage.before);
    return task.depends_on.length > 0 ? task : { ...task, depends_on: before };
  });
  return tasksInOrder(topologicalOrder(waiting).ok ? waiting : tasks);
}

/** A task of the plan that does not wait for another one, though in the solution it has to. */
interface UnmetNeed {
  readonly task: string;
  readonly other: string;
  /** The tasks of the solution that the two carry out. */
  readonly origin: string;
  readonly need: string;
  /** The plan has it the other way round. */
  readonly isTurned: boolean;
}

export function unmetNeeds(
  solution: ImplementationPlan,
  tasks: readonly Task[],
): readonly UnmetNeed[] {
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return [];
  const byOrigin = tasksByOrigin(solution.tasks, tasks);
  return orderedSolution(solution).flatMap(({ id: origin, depends_on: needs }) =>
    needs.flatMap((need) =>
      (byOrigin.get(origin) ?? []).flatMap((task) =>
        (byOrigin.get(need) ?? [])
          .filter((other) => other !== task && !comesAfter(task, other))
          .map((other) => ({ task, other, origin, need, isTurned: comesAfter(other, task) })),
      ),
    ),
  );
}

/**
 * Which tasks of a plan carry out which task of the solution, by the solution’s id. Goes by
 * `source.original_id`, else by equal ids, else by equal numbers where both lists have as many.
 * Empty where none of it fits: nothing is guessed from wording.
 */
export function tasksByOrigin(
  solutionTasks: readonly SolutionTask[],
  tasks: readonly Task[],
): ReadonlyMap<string, readonly string[]> {
  const origins = new Set(solutionTasks.map(({ id }) => id));
  const pairsBy = (originsOf: (task: Task) => readonly string[]) =>
    tasks.flatMap((task) =>
      originsOf(task).flatMap((origin) => (origins.has(origin) ? [{ origin, id: task.id }] : [])),
    );
  const byNumber = new Map([...origins].map((origin) => [numberIn(origin), origin]));
  const numbered = pairsBy(({ id }) => [byNumber.get(numberIn(id)) ?? '']);
  const isOneToOne =
    tasks.length === origins.size &&
    new Set(numbered.map(({ origin }) => origin)).size === origins.size;
  const stated = pairsBy(statedOrigins);
  const equal = pairsBy(({ id }) => [id]);
  const pairs = [stated, equal, isOneToOne ? numbered : []].find(({ length }) => length > 0) ?? [];
  const groups = Map.groupBy(pairs, ({ origin }) => origin);
  return new Map([...groups].map(([origin, group]) => [origin, group.map(({ id }) => id)]));
}

function statedOrigins({ source }: Task): readonly string[] {
  return source?.original_id?.match(/T\d{1,3}/g) ?? [];
}

function numberIn(id: string): number {
  return Number(/\d+$/.exec(id)?.[0] ?? Number.NaN);
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
