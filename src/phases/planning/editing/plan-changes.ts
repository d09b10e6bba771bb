// Lists the differences between two states of a plan.
import { cleanText } from '../../../model/clean-text.ts';
import { isObject } from '../../../model/json.ts';
import { fieldText, type PlanChange } from '../../../model/plan-edit.ts';
import type { PlanFiles } from '../../../model/plan.ts';
import { runtimeTaskFields } from '../../../model/task.ts';
import { oneLine } from '../../../model/wording.ts';
import { canonicalJson } from '../../../store/digest.ts';

/**
 * Lists the differences between two states of a plan, field by field: the plan first, then the tasks by id.
 * Fields that follow from something else (the count of tasks, the time of writing) or that execution writes are
 * left out.
 */
export function planChanges(before: PlanFiles, after: PlanFiles): readonly PlanChange[] {
  const old = new Map(before.tasks.map((task) => [task.id, task]));
  const now = new Set(after.tasks.map(({ id }) => id));
  // Compares only tasks that exist in both states; the others are listed as added or removed.
  const [order, newOrder] = [before, after].map(({ plan }) =>
    plan.task_ids.filter((id) => old.has(id) && now.has(id)).join(', '),
  );
  return [
    ...changesAt({ task: null, field: '' }, before.plan, after.plan).filter(isTold),
    ...changesAt({ task: null, field: 'task_ids' }, order, newOrder),
    ...before.tasks
      .filter(({ id }) => !now.has(id))
      .flatMap(({ id, title }) => changesAt({ task: id, field: 'task' }, title, undefined)),
    ...after.tasks.flatMap((task) => {
      const earlier = old.get(task.id);
      return earlier === undefined
        ? changesAt({ task: task.id, field: 'task' }, undefined, task.title)
        : changesAt({ task: task.id, field: '' }, earlier, task).filter(isTold);
    }),
  ];
}

/** One line for people, e.g. `TASK-001 title: "Add it" → "Add the flag"`; only the differing part of long texts. */
export function changeText({ task, field, change, before, after }: PlanChange): string {
  const [old, now] = differingParts(before ?? '', after ?? '').map((text) => `"${text}"`);
  if (field === 'task') return `${task ?? 'plan'} ${change}: ${change === 'added' ? now : old}`;
  const place = `${task ?? 'plan'} ${fieldText(field)}`;
  switch (change) {
    case 'added':
      return `${place}: added ${now}`;
    case 'removed':
      return `${place}: removed ${old}`;
    case 'changed':
      return `${place}: ${old} → ${now}`;
  }
}

/** Returns both texts, or, if they are long, the differing parts with some words around them. */
function differingParts(before: string, after: string): readonly [string, string] {
  if (Math.min(before.length, after.length) < longText) return [before, after];
  const [head, tail] = equalEnds(before, after);
  const start = wordStart(before, head - around);
  const part = (text: string) => {
    const end = wordEnd(text, text.length - tail + around);
    return `${start === 0 ? '' : '…'}${text.slice(start, end)}${end === text.length ? '' : '…'}`;
  };
  return [part(before), part(after)];
}

/** Counts the equal entries at the beginning and at the end of two lists or texts. */
function equalEnds<T extends string | readonly string[]>(a: T, b: T): readonly [number, number] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return [head, tail];
}

/** The shortest length of a long text, in characters. */
const longText = 80;
const around = 20;

function wordStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf(' ', at) + 1;
}

function wordEnd(text: string, at: number): number {
  const end = at >= text.length ? -1 : text.indexOf(' ', at);
  return end < 0 ? text.length : end;
}

const derivedFields =
  /^(?:task_ids|task_count|removed_tasks|execution_flow|_metadata\.(?:timestamp|duration_seconds))(?:\.|$)/;

function isTold({ task, field }: PlanChange): boolean {
  const [name = ''] = field.split('.');
  return task === null ? !derivedFields.test(field) : !runtimeTaskFields.includes(name);
}

interface Place {
  readonly task: string | null;
  readonly field: string;
}

/** Lists the differences at one place; undefined means a missing value. */
function changesAt(place: Place, before: unknown, after: unknown): readonly PlanChange[] {
  if (before === undefined)
    return [{ ...place, change: 'added', before: null, after: lineOf(after) }];
  if (after === undefined)
    return [{ ...place, change: 'removed', before: lineOf(before), after: null }];
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(place, before, after);
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    const old = new Map(Object.entries(before));
    const now = new Map(Object.entries(after));
    return [...names].flatMap((name) =>
      changesAt(within(place, name), old.get(name), now.get(name)),
    );
  }
  return [{ ...place, change: 'changed', before: lineOf(before), after: lineOf(after) }];
}

/** Skips equal entries at both ends; the entries between them are compared one by one. */
function listChanges(
  place: Place,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly PlanChange[] {
  const [head, tail] = equalEnds(before.map(canonicalJson), after.map(canonicalJson));
  const [oldPart, newPart] = [before, after].map((list) => list.slice(head, list.length - tail));
  const count = Math.max(oldPart?.length ?? 0, newPart?.length ?? 0);
  return Array.from({ length: count }).flatMap((_, index) =>
    changesAt(within(place, String(head + index)), oldPart?.[index], newPart?.[index]),
  );
}

function within({ task, field }: Place, name: string): Place {
  return { task, field: field === '' ? name : `${field}.${name}` };
}

/** Describes an entry with its own fields in words: `path: README.md, action: modify`. */
function lineOf(value: unknown): string {
  return oneLine(cleanText(wordsOf(value)));
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  if (!isObject(value)) return canonicalJson(value);
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${wordsOf(part)}`)
    .join(', ');
}
