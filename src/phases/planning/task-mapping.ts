import type { Task } from '../../model/task.ts';
import type { SolutionTask } from '../../model/proposal.ts';

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
  for (const originsOf of [statedOrigins, sameId]) {
    const pairs = tasks.flatMap((task) =>
      originsOf(task)
        .filter((origin) => origins.has(origin))
        .map((origin): Pair => [origin, task.id]),
    );
    if (pairs.length > 0) return grouped(pairs);
  }
  return grouped(sameNumbers([...origins], tasks));
}

type Pair = readonly [origin: string, id: string];

function statedOrigins(task: Task): readonly string[] {
  return task.source?.original_id?.match(/T\d{1,3}/g) ?? [];
}

function sameId(task: Task): readonly string[] {
  return [task.id];
}

function sameNumbers(origins: readonly string[], tasks: readonly Task[]): readonly Pair[] {
  const byNumber = new Map(tasks.map((task) => [numberIn(task.id), task.id]));
  const pairs = origins.flatMap((origin): Pair[] => {
    const id = byNumber.get(numberIn(origin));
    return id === undefined ? [] : [[origin, id]];
  });
  return pairs.length === tasks.length && pairs.length === origins.length ? pairs : [];
}

function numberIn(id: string): number {
  return Number(/\d+$/.exec(id)?.[0] ?? Number.NaN);
}

function grouped(pairs: readonly Pair[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [origin, id] of pairs) groups.set(origin, [...(groups.get(origin) ?? []), id]);
  return groups;
}
