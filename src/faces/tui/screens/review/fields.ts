import { type Json, isObject, jsonIn } from '../../../../model/json.ts';
import type { Plan } from '../../../../model/plan.ts';
import type { Task } from '../../../../model/task.ts';

/** How a field of a plan or a task is shown and written; those without an entry stand under "More". */
interface ShownField {
  /** Path from the plan or task on, e.g. `convergence.criteria`. */
  readonly field: string;
  /** Begins a section. */
  readonly heading?: string;
  /** Said where the field is not there; nothing is shown there without it. */
  readonly none?: string;
  /** Short fields in one line with this one. */
  readonly line?: readonly string[];
  /** It is a list; of each entry that is an object, these fields stand on its first line. */
  readonly head?: readonly string[];
  /** What is written first where the field is not there. */
  readonly first?: string;
  /** A new entry, from the text that was typed for it. */
  readonly begin?: (said: string) => Json;
}

/** Fields that say little without their name where several stand on one line. */
const labelled = new Set([
  'target',
  'conflict_risk',
  'name',
  'symbol',
  'contains',
  'exists',
  'probability',
  'impact',
]);

const taskFields: readonly ShownField[] = [
  { field: 'title' },
  { field: 'description' },
  { field: 'scope' },
  { field: 'action', line: ['action', 'type', 'priority', 'effort'] },
  { heading: 'Waits for', field: 'depends_on', none: 'no other task', head: [] },
  {
    heading: 'Files',
    field: 'files',
    none: 'no files',
    head: ['action', 'path', 'target', 'conflict_risk'],
    begin: (path) => ({ path }),
  },
  {
    heading: 'Steps',
    field: 'implementation',
    none: 'no steps',
    head: ['step', 'title', 'description'],
  },
  { heading: 'Done when', field: 'convergence.criteria', none: 'no criteria', head: [] },
  { field: 'convergence.verification', none: 'no verification' },
  { field: 'convergence.definition_of_done', none: 'no definition of done' },
  {
    heading: 'Checks',
    field: 'checks',
    none: 'no checks that a program can run',
    head: ['kind', 'argv', 'path', 'name', 'symbol', 'contains', 'exists', 'describes'],
    begin: (describes) => ({ kind: 'manual', describes }),
  },
  { heading: 'Test', field: 'test', none: 'no tests', first: 'test.unit.0' },
  {
    heading: 'Risks',
    field: 'risks',
    none: 'no risks',
    head: ['description', 'probability', 'impact'],
    begin: (description) => ({
      description,
      probability: 'Medium',
      impact: 'Medium',
      mitigation: 'none yet',
    }),
  },
];

const planFields: readonly ShownField[] = [
  { field: 'summary' },
  { field: 'approach' },
  { field: 'complexity', none: 'no complexity' },
  { field: 'recommended_execution', none: 'no recommended execution' },
  { field: 'estimated_time', none: 'no estimated time' },
  { field: 'execution_flow', none: 'no execution flow' },
  { heading: 'Constraints', field: 'constraints', none: 'none', head: [] },
  { heading: 'Milestones', field: 'milestones', none: 'none', head: [] },
  {
    heading: 'Decisions',
    field: 'design_decisions',
    none: 'none',
    head: ['decision'],
    begin: (decision) => ({ decision, rationale: 'none yet' }),
  },
];

/** One field as text; `field` is its path, e.g. `files.0.path`. */
export interface FieldText {
  readonly field: string;
  readonly text: string;
  /** Stands before the text. */
  readonly label?: string;
  /** It is not there; `text` says so. */
  readonly missing?: true;
}

/** A line of a plan or a task as people read it. */
export type DocumentLine =
  | { readonly heading: string }
  | {
      readonly indent: number;
      readonly label: string;
      readonly fields: readonly FieldText[];
    };

/** Everything that a task holds, what matters to a reader first; its id is its name everywhere. */
export function taskDocument(task: Task): readonly DocumentLine[] {
  return documentOf(task, { shown: taskFields, hidden: ['id'] });
}

/** Everything that `plan.json` holds but what follows from the tasks. */
export function planDocument(plan: Plan): readonly DocumentLine[] {
  return documentOf(plan, { shown: planFields, hidden: ['task_ids', 'task_count'] });
}

/** The paths in the order in which they are shown, those to be written included. */
export function fieldsIn(document: readonly DocumentLine[]): readonly string[] {
  return document.flatMap((line) =>
    'heading' in line ? [] : line.fields.map(({ field }) => field),
  );
}

/** `convergence.criteria.1` as `convergence criteria 2`. */
export function fieldName(field: string): string {
  return field
    .split('.')
    .map((name) =>
      /^\d+$/.test(name) ? String(Number(name) + 1) : name.replaceAll('_', ' ').trim(),
    )
    .join(' ');
}

/** What stands at a path; undefined where nothing does. */
export function valueAt(value: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

/** A value as it is edited in a text field. */
export function editable(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * What was typed as the kind of value that stood there: a number stays a number if it can. Null,
 * which removes the field, for nothing. What does not fit is left to the desk to refuse.
 */
export function typedValue(
  text: string,
  { before, field }: { before: unknown; field: string },
): Json {
  const said = text.trim();
  if (said === '') return null;
  if (before === undefined) {
    const list = field.replace(/\.\d+$/, '');
    const shown = [...taskFields, ...planFields].find((one) => one.field === list);
    return shown?.field === field ? said : (shown?.begin?.(said) ?? said);
  }
  if (typeof before === 'string') return said;
  return jsonIn(said) ?? said;
}

/** The list that a field is an entry of, or in one of; null where it is in none. */
export function listOf(field: string): { readonly list: string; readonly index: number } | null {
  const names = field.split('.');
  const at = names.findLastIndex((name) => /^\d+$/.test(name));
  if (at < 1) return null;
  return { list: names.slice(0, at).join('.'), index: Number(names[at]) };
}

function documentOf(
  whole: Readonly<Record<string, unknown>>,
  { shown, hidden }: { readonly shown: readonly ShownField[]; readonly hidden: readonly string[] },
): readonly DocumentLine[] {
  const known = new Set([
    ...hidden,
    ...shown.flatMap(({ field, line }) => line ?? field.split('.', 1)),
  ]);
  const rest = Object.entries(whole).filter(([name]) => !known.has(name));
  return [
    ...shown.flatMap((one) => [
      ...(one.heading === undefined ? [] : [{ heading: one.heading }]),
      ...linesOf(whole, one),
    ]),
    ...(rest.length === 0 ? [] : [{ heading: 'More' }]),
    ...rest.flatMap(([name, value]) => leaves({ field: name, value, label: fieldName(name) })),
  ];
}

function linesOf(whole: unknown, shown: ShownField): readonly DocumentLine[] {
  const { field, none, line, head, heading, first } = shown;
  if (line !== undefined) {
    const fields = line.map((name) => ({
      ...textAt(whole, { field: name, none: 'none' }),
      label: name,
    }));
    return [{ indent: 0, label: '', fields }];
  }
  const value = valueAt(whole, field);
  const isEmpty = typeof value === 'object' && partsOf(value).length === 0;
  if (value === undefined || isEmpty) {
    const place = first ?? (head === undefined ? field : `${field}.0`);
    return none === undefined
      ? []
      : [{ indent: 0, label: '', fields: [textAt(whole, { field: place, none })] }];
  }
  const inside = { field, value, head };
  return heading === undefined ? leaves({ ...inside, label: nameIn(field) }) : partLines(inside);
}

function textAt(
  whole: unknown,
  { field, none }: { readonly field: string; readonly none: string },
): FieldText {
  const value = valueAt(whole, field);
  return value === undefined
    ? { field, text: none, missing: true }
    : { field, text: editable(value) };
}

interface Leaves {
  readonly field: string;
  readonly value: unknown;
  readonly label: string;
  readonly indent?: number;
  readonly head?: readonly string[] | undefined;
}

/** A value with everything in it, one line for each text or number; first what `head` names. */
function leaves({ field, value, label, indent = 0, head = [] }: Leaves): readonly DocumentLine[] {
  if (partsOf(value).length === 0)
    return [{ indent, label, fields: [{ field, text: editable(value) }] }];
  const fields = head.flatMap((name) => {
    const own = valueAt(value, name);
    // The number of a step says what the label says already.
    if (own === undefined || (name === 'step' && `${editable(own)}.` === label)) return [];
    const parts = Array.isArray(own) ? partsOf(own) : [['', own] as const];
    return parts.map(([at, part]) => ({
      field: [field, name, at].filter((one) => one !== '').join('.'),
      text: editable(part),
      ...(labelled.has(name) ? { label: fieldName(name) } : {}),
    }));
  });
  const below = indent + (head.length > 0 ? 3 : 2);
  return [{ indent, label, fields }, ...partLines({ field, value, indent: below, without: head })];
}

/** Entries of which `head` names fields are counted, and so are those that are objects. */
function partLines({
  field,
  value,
  head,
  without = [],
  indent = 0,
}: Omit<Leaves, 'label'> & { readonly without?: readonly string[] }): readonly DocumentLine[] {
  const parts = partsOf(value).filter(([name]) => !without.includes(name));
  return parts.flatMap(([name, part]) => {
    const isCounted = (head ?? []).length > 0 || isObject(part);
    const entry = isCounted ? `${Number(name) + 1}.` : '•';
    const label = Array.isArray(value) ? entry : fieldName(name);
    return leaves({ field: `${field}.${name}`, value: part, label, indent, head });
  });
}

/** The entries of a list by index, or of an object by name; none of anything else. */
function partsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
}

function nameIn(field: string): string {
  return fieldName(field.split('.').at(-1) ?? field);
}
