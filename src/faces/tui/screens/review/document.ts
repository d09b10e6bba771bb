import { isObject } from '../../../../model/json.ts';
import type { Plan } from '../../../../model/plan.ts';
import type { Task } from '../../../../model/task.ts';

/** One field of a plan or a task as text; `field` is its path, e.g. `files.0.path`. */
export interface FieldText {
  readonly field: string;
  readonly text: string;
  /** It is not there; `text` says so. */
  readonly missing?: true;
}

/** A line of a plan or a task as people read it. */
export type DocumentLine =
  | { readonly kind: 'heading'; readonly text: string }
  /** Something that is not there; `field` is where it would be written. */
  | { readonly kind: 'missing'; readonly text: string; readonly field: string }
  | {
      readonly kind: 'fields';
      readonly indent: number;
      readonly label: string;
      readonly fields: readonly FieldText[];
    };

/** Everything that a task holds, what matters to a reader first. */
export function taskDocument(task: Task): readonly DocumentLine[] {
  const { files = [], implementation = [], checks = [], risks = [], test, convergence } = task;
  return [
    ...leaves(task.title, { field: 'title', label: 'title' }),
    ...leaves(task.description, { field: 'description', label: 'description' }),
    ...(task.scope === undefined ? [] : leaves(task.scope, { field: 'scope', label: 'scope' })),
    ...joined(task, ['action', 'type', 'priority', 'effort']),
    heading('Waits for'),
    ...strings(task.depends_on, { field: 'depends_on', none: 'no other task' }),
    heading('Files'),
    ...entries(files, { field: 'files', head: ['action', 'path', 'target', 'conflict_risk'] }),
    ...missing(files, { text: 'no file is named', field: 'files.0.path' }),
    heading('Steps'),
    ...entries(implementation, { field: 'implementation', head: ['step', 'title', 'description'] }),
    ...missing(implementation, { text: 'no step is named', field: 'implementation.0' }),
    heading('Done when'),
    ...strings(convergence.criteria, {
      field: 'convergence.criteria',
      none: 'no criterion is named',
    }),
    ...optional(convergence.verification, {
      field: 'convergence.verification',
      none: 'how it is verified is not said',
    }),
    ...optional(convergence.definition_of_done, {
      field: 'convergence.definition_of_done',
      none: 'a definition of done is not given',
    }),
    heading('Checks'),
    ...entries(checks, { field: 'checks', head: checkHead }),
    ...missing(checks, { text: 'no check that a program can run', field: 'checks.0' }),
    heading('Test'),
    ...(test === undefined ? [] : inside(test, { field: 'test', indent: 0 })),
    ...missing(Object.keys(test ?? {}), { text: 'no test is named', field: 'test.unit.0' }),
    heading('Risks'),
    ...entries(risks, { field: 'risks', head: ['description', 'probability', 'impact'] }),
    ...missing(risks, { text: 'no risk is named', field: 'risks.0' }),
    ...others(task, taskOrder),
  ];
}

/** Everything that `plan.json` holds, what matters to a reader first. */
export function planDocument(plan: Plan): readonly DocumentLine[] {
  const { constraints = [], milestones = [], design_decisions: decisions = [] } = plan;
  return [
    ...leaves(plan.summary, { field: 'summary', label: 'summary' }),
    ...leaves(plan.approach, { field: 'approach', label: 'approach' }),
    ...['complexity', 'recommended_execution', 'estimated_time'].flatMap((field) =>
      optional(plan[field], { field, none: `${wordsOf(field)} is not said` }),
    ),
    ...optional(plan.execution_flow, { field: 'execution_flow', none: 'the order is not told' }),
    heading('Constraints'),
    ...strings(constraints, { field: 'constraints', none: 'none' }),
    heading('Milestones'),
    ...strings(milestones, { field: 'milestones', none: 'none' }),
    heading('Decisions'),
    ...entries(decisions, { field: 'design_decisions', head: ['decision'] }),
    ...missing(decisions, { text: 'none', field: 'design_decisions.0' }),
    ...others(plan, planOrder),
  ];
}

/** The fields in the order in which they are shown, those to be written included. */
export function fieldsIn(document: readonly DocumentLine[]): readonly string[] {
  return document.flatMap((line) => {
    if (line.kind === 'heading') return [];
    return line.kind === 'missing' ? [line.field] : line.fields.map(({ field }) => field);
  });
}

/** Where a field is among them, or the first one in or around it; null where none is. */
export function placeOf(fields: readonly string[], field: string): number | null {
  const exact = fields.indexOf(field);
  if (exact !== -1) return exact;
  const near = fields.findIndex(
    (one) => one.startsWith(`${field}.`) || field.startsWith(`${one}.`),
  );
  return near === -1 ? null : near;
}

/** `convergence.criteria.1` as `convergence criteria 2`. */
export function wordsOf(field: string): string {
  return field
    .split('.')
    .map((name) =>
      /^\d+$/.test(name) ? String(Number(name) + 1) : name.replaceAll('_', ' ').trim(),
    )
    .join(' ');
}

interface Place {
  readonly field: string;
  readonly label: string;
  readonly indent?: number;
}

const checkHead = ['kind', 'argv', 'path', 'name', 'symbol', 'contains', 'exists', 'describes'];

/** What `taskDocument` shows itself; the id is the name of the task everywhere. */
const taskOrder = [
  'id',
  'title',
  'description',
  'scope',
  'action',
  'type',
  'priority',
  'effort',
  'depends_on',
  'files',
  'implementation',
  'convergence',
  'checks',
  'test',
  'risks',
];

/** What `planDocument` shows itself, and what follows from the tasks. */
const planOrder = [
  'summary',
  'approach',
  'complexity',
  'recommended_execution',
  'estimated_time',
  'execution_flow',
  'constraints',
  'milestones',
  'design_decisions',
  'task_ids',
  'task_count',
];

function heading(text: string): DocumentLine {
  return { kind: 'heading', text };
}

function missing(
  there: readonly unknown[],
  { text, field }: { readonly text: string; readonly field: string },
): readonly DocumentLine[] {
  return there.length > 0 ? [] : [{ kind: 'missing', text, field }];
}

/** Short fields of one object on one line. */
function joined(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
): readonly DocumentLine[] {
  const fields = names.map((field): FieldText => {
    const value = object[field];
    if (value === undefined) return { field, text: `no ${field}`, missing: true };
    return { field, text: textOf(value) };
  });
  return [{ kind: 'fields', indent: 0, label: 'kind', fields }];
}

function strings(
  list: readonly string[],
  { field, none }: { readonly field: string; readonly none: string },
): readonly DocumentLine[] {
  if (list.length === 0) return [{ kind: 'missing', text: none, field: `${field}.0` }];
  return list.flatMap((text, index) => leaves(text, { field: `${field}.${index}`, label: '•' }));
}

function optional(
  value: unknown,
  { field, none }: { readonly field: string; readonly none: string },
): readonly DocumentLine[] {
  if (value === undefined) return [{ kind: 'missing', text: none, field }];
  return leaves(value, { field, label: wordsOf(field.split('.').at(-1) ?? field) });
}

/** A list of things: what `head` names of each on its first line, the rest of it below. */
function entries(
  list: readonly unknown[],
  { field, head }: { readonly field: string; readonly head: readonly string[] },
): readonly DocumentLine[] {
  return list.flatMap((entry, index): readonly DocumentLine[] => {
    const own = `${field}.${index}`;
    const label = `${index + 1}.`;
    if (!isObject(entry)) return leaves(entry, { field: own, label });
    const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !head.includes(name)));
    const shown = head.filter((name) => !isNumber(name, entry[name], index));
    const fields = shown.flatMap((name) => headFields(entry[name], `${own}.${name}`));
    return [
      { kind: 'fields', indent: 0, label, fields },
      ...inside(rest, { field: own, indent: 3 }),
    ];
  });
}

/** The number of a step says what the label says already. */
function isNumber(name: string, value: unknown, index: number): boolean {
  return name === 'step' && String(value) === String(index + 1);
}

function headFields(value: unknown, field: string): readonly FieldText[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ field, text: textOf(value) }];
  return value.map((one, index) => ({ field: `${field}.${index}`, text: textOf(one) }));
}

function others(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
): readonly DocumentLine[] {
  const rest = Object.fromEntries(Object.entries(object).filter(([name]) => !known.includes(name)));
  const lines = inside(rest, { field: '', indent: 0 });
  return lines.length === 0 ? [] : [heading('More'), ...lines];
}

function inside(
  object: Readonly<Record<string, unknown>>,
  { field, indent }: { readonly field: string; readonly indent: number },
): readonly DocumentLine[] {
  return Object.entries(object).flatMap(([name, value]) =>
    value === undefined
      ? []
      : leaves(value, {
          field: field === '' ? name : `${field}.${name}`,
          label: wordsOf(name),
          indent,
        }),
  );
}

function leaves(value: unknown, { field, label, indent = 0 }: Place): readonly DocumentLine[] {
  const below = indent + 2;
  if (Array.isArray(value) && value.length > 0) {
    return [
      { kind: 'fields', indent, label, fields: [] },
      ...value.flatMap((one, index) => {
        const isPlain = typeof one === 'string' || !isObject(one);
        const mark = isPlain ? '•' : `${index + 1}.`;
        return leaves(one, { field: `${field}.${index}`, label: mark, indent: below });
      }),
    ];
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    return [
      { kind: 'fields', indent, label, fields: [] },
      ...inside(value, { field, indent: below }),
    ];
  }
  return [{ kind: 'fields', indent, label, fields: [{ field, text: textOf(value) }] }];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
