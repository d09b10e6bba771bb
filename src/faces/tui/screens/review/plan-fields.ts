// Shows a plan or a task as an outline of its fields, and reads a typed text as the value of one.
import { type Json, isObject, jsonIn } from '../../../../model/json.ts';
import type { Plan } from '../../../../model/plan.ts';
import { jsonSchemaOf } from '../../../../model/published.ts';
import type { Task } from '../../../../model/task.ts';

/** A line of a plan or a task: a name and its value, or a name above nested lines. */
export interface FieldLine {
  /** The name, numbered and indented by its nesting depth. */
  readonly label: string;
  /** The value as text, or null. */
  readonly text: string | null;
  /** The path of the value, or the path to write it to, e.g. `files.0.path`; null for a heading. */
  readonly path: string | null;
}

// The fields are in reading order. Missing fields come last, so that they can be written; a missing
// list is shown with its first entry.
const taskPaths = [
  'title description scope action type priority effort depends_on.0 files.0 implementation.0',
  'convergence.criteria.0 convergence.verification convergence.definition_of_done',
  'checks.0 test.unit.0 risks.0',
].flatMap((line) => line.split(' '));
const planPaths = [
  'summary approach complexity recommended_execution estimated_time',
  'constraints.0 milestones.0 design_decisions.0',
].flatMap((line) => line.split(' '));

/** Makers of new entries for these lists from the typed text; in other lists the entry is that text. */
const newEntries = new Map<string, (text: string) => Json>([
  ['files', (path) => ({ path })],
  ['checks', (describes) => ({ kind: 'manual', describes })],
  ['risks', (description) => ({ description, ...unratedRisk })],
  ['design_decisions', (decision) => ({ decision, rationale: 'none yet' })],
]);
const unratedRisk = { probability: 'Medium', impact: 'Medium', mitigation: 'none yet' };

/** Everything in a task except its id, which is its name. */
export function taskOutline(task: Task): readonly FieldLine[] {
  return linesOf(task, { paths: taskPaths, hidden: ['id'] });
}

/** Everything in `plan.json` except what follows from the tasks. */
export function planOutline(plan: Plan): readonly FieldLine[] {
  return linesOf(plan, { paths: planPaths, hidden: ['task_ids', 'task_count', 'execution_flow'] });
}

/** Names a path for people: `convergence.criteria.1` becomes `convergence criteria 2`. */
export function fieldName(path: string): string {
  return path
    .split('.')
    .map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name))
    .join(' ')
    .replaceAll('_', ' ')
    .trim();
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

/** The value at a path as it is edited in a text field; the words of a command are on one line. */
export function editableText(value: unknown, path = ''): string {
  if (value === undefined) return '';
  if (isArgv(path) && isCommand(value)) return value.map(quoteWord).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Reads a typed text as the kind of value that was there before. An empty text becomes null, which
 * removes the field. The desk refuses values that do not fit.
 */
export function readTypedValue(text: string, path: string, before: unknown): Json {
  const typed = text.trim();
  if (typed === '') return null;
  if (typeof before === 'string') return typed;
  if (isArgv(path)) return [...wordsIn(typed)];
  if (before !== undefined) return jsonIn(typed) ?? typed;
  return newEntries.get(path.replace(/\.\d+$/, ''))?.(typed) ?? typed;
}

function isArgv(path: string): boolean {
  return /(?:^|\.)argv$/.test(path);
}

function isCommand(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function quoteWord(word: string): string {
  return /^[^\s"']+$/.test(word) ? word : JSON.stringify(word);
}

/** Splits a command line: a word in double quotes is JSON; one in single quotes is kept unchanged. */
function wordsIn(line: string): readonly string[] {
  return (line.match(/"(?:\\.|[^"\\])*"|'[^']*'|\S+/g) ?? []).map((word) => {
    if (/^'.*'$/s.test(word)) return word.slice(1, -1);
    const read = word.startsWith('"') ? jsonIn(word) : word;
    return typeof read === 'string' ? read : word;
  });
}

/** The innermost list on a path, and the index in it, or null. */
export function listOf(path: string): { readonly list: string; readonly index: number } | null {
  const [, list, index] = /^(.+)\.(\d+)(?:\.|$)/.exec(path) ?? [];
  return list === undefined ? null : { list, index: Number(index) };
}

/** The values that the published schema allows at a path; empty if any text is allowed. */
export function listValues(name: 'plan' | 'task', path: string): readonly (string | boolean)[] {
  const shapes = path
    .split('.')
    .reduce(
      (outer, part) =>
        outer.flatMap(({ items, properties }) =>
          alternatives(isObject(properties) ? properties[part] : items),
        ),
      alternatives(jsonSchemaOf(name)),
    );
  return shapes.flatMap((shape): readonly (string | boolean)[] => {
    if (shape['type'] === 'boolean') return [true, false];
    const fixed: readonly unknown[] = Array.isArray(shape['enum']) ? shape['enum'] : [];
    return fixed.filter((value) => typeof value === 'string');
  });
}

function alternatives(schema: unknown): readonly Record<string, unknown>[] {
  if (!isObject(schema)) return [];
  const inner = [schema['anyOf'], schema['oneOf']].flatMap((list): readonly unknown[] =>
    Array.isArray(list) ? list : [],
  );
  return [schema, ...inner.flatMap(alternatives)];
}

function linesOf(
  whole: Readonly<Record<string, unknown>>,
  { paths, hidden }: { readonly paths: readonly string[]; readonly hidden: readonly string[] },
): readonly FieldLine[] {
  const names = new Set([...paths.map((path) => path.replace(/\..*/, '')), ...Object.keys(whole)]);
  const lines = [...names]
    .filter((name) => !hidden.includes(name) && name in whole)
    .flatMap((name) => valueLines(name, whole[name]));
  const isEmpty = ({ label, text, path }: FieldLine) =>
    text === null && path !== null && !label.startsWith(' ');
  const known = new Set(lines.map(({ path }) => path));
  const unset = [
    ...lines.filter(isEmpty).flatMap(({ path }) => path ?? []),
    ...paths.filter((path) => valueAt(whole, path) === undefined && !known.has(path)),
  ];
  return [
    ...lines.filter((line) => !isEmpty(line)),
    ...(unset.length === 0 ? [] : [{ label: 'not set', text: null, path: null }]),
    ...unset.map((path) => {
      return { label: `  ${fieldName(path.replace(/\.0$/, ''))}`, text: null, path };
    }),
  ];
}

/** Lists a value with everything in it, one line for each text, number or boolean. */
function valueLines(
  path: string,
  value: unknown,
  label = fieldName(path.slice(path.lastIndexOf('.') + 1)),
): readonly FieldLine[] {
  const isLine = isArgv(path) && isCommand(value);
  const parts = !isLine && (Array.isArray(value) || isObject(value)) ? Object.entries(value) : [];
  if (parts.length === 0) {
    const isEmptyList = !isLine && Array.isArray(value);
    return isEmptyList
      ? [{ label, text: null, path: `${path}.0` }]
      : [{ label, text: editableText(value, path) || null, path }];
  }
  const inner = parts.flatMap(([name, part]) =>
    Array.isArray(value)
      ? indentLines(valueLines(`${path}.${name}`, part, ''), `${Number(name) + 1}.`)
      : valueLines(`${path}.${name}`, part),
  );
  return label === '' ? inner : [{ label, text: null, path: null }, ...indentLines(inner, ' ')];
}

/** Puts the mark before the first line and indents the others. */
function indentLines(lines: readonly FieldLine[], mark: string): readonly FieldLine[] {
  return lines.map((line, index) => {
    const lead = index === 0 ? mark : ' '.repeat(mark.length);
    return { ...line, label: `${lead} ${line.label}`.trimEnd() };
  });
}
