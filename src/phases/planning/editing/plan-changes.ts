import { cleanText } from '../../../model/clean-text.ts';
import { isObject } from '../../../model/json.ts';
import type { PlanChange } from '../../../model/plan-edit.ts';
import { type Task, runtimeTaskFields } from '../../../model/task.ts';
import { oneLine } from '../../../model/wording.ts';
import { canonicalJson } from '../../../store/digest.ts';
import type { PlanFiles } from './plan-files.ts';

/**
 * What differs between two states of a plan, field by field: the plan first, then the tasks by
 * id. Left out is what follows from something else (the count of tasks, the time of writing) and
 * what execution writes.
 */
export function planChanges(before: PlanFiles, after: PlanFiles): readonly PlanChange[] {
  const [old, now] = [byId(before.tasks), byId(after.tasks)];
  return [
    ...valueChanges({ task: null, field: '' }, bare(before.plan), bare(after.plan)),
    ...orderChange(before, after),
    ...before.tasks.filter(({ id }) => !now.has(id)).map(removedTask),
    ...after.tasks.flatMap((task) => {
      const earlier = old.get(task.id);
      return earlier === undefined
        ? [addedTask(task)]
        : valueChanges({ task: task.id, field: '' }, withoutRuntime(earlier), withoutRuntime(task));
    }),
  ];
}

/** One line for people, e.g. `TASK-001 title: "Add it" → "Add the flag"`. */
export function changeText({ task, field, change, before, after }: PlanChange): string {
  const [old, now] = [shown(before), shown(after)];
  if (field === 'task') return `${task ?? 'plan'} ${change}: ${change === 'added' ? now : old}`;
  const place = `${task ?? 'plan'} ${field}`;
  switch (change) {
    case 'added':
      return `${place}: added ${now}`;
    case 'removed':
      return `${place}: removed ${old}`;
    case 'changed':
      return `${place}: ${old} → ${now}`;
  }
}

function shown(text: string | null): string {
  return JSON.stringify(text ?? '');
}

function byId(tasks: readonly Task[]): ReadonlyMap<string, Task> {
  return new Map(tasks.map((task) => [task.id, task]));
}

function bare({
  task_ids: _ids,
  task_count: _count,
  _metadata,
  ...plan
}: PlanFiles['plan']): object {
  const { timestamp: _timestamp, duration_seconds: _duration, ...metadata } = _metadata;
  return { ...plan, _metadata: metadata };
}

function withoutRuntime(task: Task): object {
  return Object.fromEntries(
    Object.entries(task).filter(([name]) => !runtimeTaskFields.includes(name)),
  );
}

/** Only of the tasks that both have: the others are told as added or removed. */
function orderChange(before: PlanFiles, after: PlanFiles): readonly PlanChange[] {
  const [old, now] = [before.plan.task_ids, after.plan.task_ids];
  const [kept, keptNow] = [
    old.filter((id) => now.includes(id)),
    now.filter((id) => old.includes(id)),
  ];
  if (kept.join(' ') === keptNow.join(' ')) return [];
  return [
    {
      task: null,
      field: 'task_ids',
      change: 'changed',
      before: kept.join(', '),
      after: keptNow.join(', '),
    },
  ];
}

function addedTask({ id, title }: Task): PlanChange {
  return { task: id, field: 'task', change: 'added', before: null, after: lineOf(title) };
}

function removedTask({ id, title }: Task): PlanChange {
  return { task: id, field: 'task', change: 'removed', before: lineOf(title), after: null };
}

interface Place {
  readonly task: string | null;
  readonly field: string;
}

function valueChanges(place: Place, before: unknown, after: unknown): readonly PlanChange[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(place, before, after);
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => {
      const inner = within(place, name);
      if (!Object.hasOwn(before, name)) return [added(inner, after[name])];
      if (!Object.hasOwn(after, name)) return [removed(inner, before[name])];
      return valueChanges(inner, before[name], after[name]);
    });
  }
  return [{ ...place, change: 'changed', before: lineOf(before), after: lineOf(after) }];
}

/** What both lists begin and end with is equal; between, entries are compared one by one. */
function listChanges(
  place: Place,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly PlanChange[] {
  const [old, now] = [before.map(canonicalJson), after.map(canonicalJson)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const [oldEnd, newEnd] = [old.length - tail, now.length - tail];
  const middle = Array.from(
    { length: Math.max(oldEnd, newEnd) - head },
    (_, index) => head + index,
  );
  return middle.flatMap((index) => {
    const inner = within(place, String(index));
    if (index >= oldEnd) return [added(inner, after[index])];
    if (index >= newEnd) return [removed(inner, before[index])];
    return valueChanges(inner, before[index], after[index]);
  });
}

function within({ task, field }: Place, name: string): Place {
  return { task, field: field === '' ? name : `${field}.${name}` };
}

function added(place: Place, value: unknown): PlanChange {
  return { ...place, change: 'added', before: null, after: lineOf(value) };
}

function removed(place: Place, value: unknown): PlanChange {
  return { ...place, change: 'removed', before: lineOf(value), after: null };
}

function lineOf(value: unknown): string {
  return oneLine(cleanText(typeof value === 'string' ? value : canonicalJson(value)));
}
