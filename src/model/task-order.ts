import type { Result } from './failure.ts';
import type { Task } from './task.ts';

/** What the order of tasks hangs on. */
export type OrderedTask = Pick<Task, 'id' | 'depends_on'>;

/**
 * The ids so that each comes after what it depends on, otherwise as given. Linear in tasks plus
 * dependencies. Ids that no task has are passed over. A cycle ends with the id it starts with.
 */
export function topologicalOrder(
  tasks: readonly OrderedTask[],
): Result<readonly string[], { readonly cycle: readonly string[] }> {
  const walk: Walk = { needs: needsOf(tasks), done: new Set() };
  for (const id of walk.needs.keys()) {
    const cycle = visit(id, walk);
    if (cycle !== null) return { ok: false, failure: { cycle } };
  }
  return { ok: true, value: [...walk.done] };
}

/** The tasks in that order; as given where they wait for each other in a circle. */
export function tasksInOrder<T extends OrderedTask>(tasks: readonly T[]): readonly T[] {
  const order = topologicalOrder(tasks);
  if (!order.ok) return tasks;
  const place = new Map(order.value.map((id, index) => [id, index]));
  return tasks.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

/**
 * Tells whether two tasks have no dependency path between them, so that they may run at once.
 * Prepared once for all pairs. Always false where the tasks have a cycle or an id is unknown.
 */
export function mayRunTogether(
  tasks: readonly OrderedTask[],
): (one: string, other: string) => boolean {
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return () => false;
  const known = new Set(tasks.map((task) => task.id));
  return (one, other) =>
    one !== other &&
    known.has(one) &&
    known.has(other) &&
    !comesAfter(one, other) &&
    !comesAfter(other, one);
}

/**
 * Tells whether the first task waits, directly or not, for the second; null where the tasks have
 * a cycle. One bit for each pair, so that 1,000 tasks take 125 kB.
 */
export function ancestry(
  tasks: readonly OrderedTask[],
): ((task: string, ancestor: string) => boolean) | null {
  const order = topologicalOrder(tasks);
  if (!order.ok) return null;
  const needs = needsOf(tasks);
  const place = new Map(order.value.map((id, index) => [id, index]));
  const rows: Uint32Array[] = [];
  for (const id of order.value) {
    const row = new Uint32Array(Math.ceil(order.value.length / 32));
    for (const need of needs.get(id) ?? []) {
      const at = place.get(need);
      const above = at === undefined ? undefined : rows[at];
      if (at === undefined || above === undefined) continue;
      above.forEach((word, index) => (row[index] = (row[index] ?? 0) | word));
      row[at >>> 5] = (row[at >>> 5] ?? 0) | (1 << (at & 31));
    }
    rows.push(row);
  }
  return (task, ancestor) => hasBit(rows[place.get(task) ?? -1], place.get(ancestor));
}

/** The ids in groups: each group waits only for earlier ones. Empty where there is a cycle. */
export function parallelGroups(tasks: readonly OrderedTask[]): readonly (readonly string[])[] {
  const order = topologicalOrder(tasks);
  if (!order.ok) return [];
  const needs = needsOf(tasks);
  const depth = new Map<string, number>();
  const groups: string[][] = [];
  for (const id of order.value) {
    const level = Math.max(0, ...(needs.get(id) ?? []).map((need) => (depth.get(need) ?? -1) + 1));
    depth.set(id, level);
    (groups[level] ??= []).push(id);
  }
  return groups;
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

/** Tasks that share an id count as one that needs what either needs. */
function needsOf(tasks: readonly OrderedTask[]): ReadonlyMap<string, readonly string[]> {
  const needs = new Map<string, readonly string[]>();
  for (const { id, depends_on: dependsOn } of tasks) {
    needs.set(id, [...(needs.get(id) ?? []), ...dependsOn]);
  }
  return needs;
}

interface Walk {
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** In the order in which they were finished. */
  readonly done: Set<string>;
}

/** Depth first with a stack of its own: a chain of tasks may be longer than the call stack. */
function visit(start: string, { needs, done }: Walk): readonly string[] | null {
  if (done.has(start)) return null;
  const open = new Set([start]);
  const stack = [{ id: start, rest: (needs.get(start) ?? []).values() }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.rest.next();
    if (next.done === true) {
      stack.pop();
      open.delete(top.id);
      done.add(top.id);
    } else if (open.has(next.value)) {
      const path = [...open];
      return [...path.slice(path.indexOf(next.value)), next.value];
    } else if (needs.has(next.value) && !done.has(next.value)) {
      open.add(next.value);
      stack.push({ id: next.value, rest: (needs.get(next.value) ?? []).values() });
    }
  }
  return null;
}

function hasBit(row: Uint32Array | undefined, bit: number | undefined): boolean {
  if (row === undefined || bit === undefined) return false;
  return ((row[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
}
