// Writes a plan as Markdown for an editor, and reads it back: the same table of fields serves both ways.
import type { Result } from '../../../model/failure.ts';
import { type Json, isObject, jsonIn } from '../../../model/json.ts';
import type { PlanEdit } from '../../../model/plan-edit.ts';
import type { Plan } from '../../../model/plan.ts';
import { type Task, runtimeTaskFields } from '../../../model/task.ts';

/** A field with a heading of its own; every other field stands as JSON below them. */
interface Field {
  readonly title: string;
  readonly key: string;
  /** The field that names an entry, if the value is a list of objects. */
  readonly main?: string;
  readonly isText?: true;
}

const planFields: readonly Field[] = [
  { title: 'Summary', key: 'summary', isText: true },
  { title: 'Approach', key: 'approach', isText: true },
  { title: 'Decisions', key: 'design_decisions', main: 'decision' },
  { title: 'Constraints', key: 'constraints' },
  { title: 'Milestones', key: 'milestones' },
];
const taskFields: readonly Field[] = [
  { title: 'Description', key: 'description', isText: true },
  { title: 'After', key: 'depends_on' },
  { title: 'Files', key: 'files', main: 'path' },
  { title: 'Steps', key: 'implementation' },
  { title: 'Done when', key: 'criteria' },
  { title: 'Checks', key: 'checks', main: 'kind' },
  { title: 'Risks', key: 'risks', main: 'description' },
];
const otherFields = 'Other fields';

/** Fields that follow from something else, or that only a program writes. */
export const hiddenPlanFields = [
  'task_ids',
  'task_count',
  'execution_flow',
  'removed_tasks',
  'proofs',
  'dropped_proofs',
  'unproven',
  '_metadata',
];
const hiddenTaskFields = ['id', ...runtimeTaskFields];

const help = `<!-- Change what you like, save, and close the editor. Tasks come in the order of their headings; a new
heading "# TASK-004: Title" adds one. A line of a list begins with "- "; what belongs to it is indented by two blanks. -->`;

type Fields = Readonly<Record<string, unknown>>;

/** Writes plan and tasks with all that a person may change. */
export function planToEdit({ plan, tasks }: EditedPlan): string {
  const parts = [
    partText('Plan', without(plan, hiddenPlanFields), planFields),
    ...tasks.map((task) => {
      const { id, title, convergence, ...fields } = task;
      const { criteria, ...others } = convergence;
      const isLine = isPlain(title) && !title.includes('\n');
      const own = {
        ...without(fields, hiddenTaskFields),
        criteria,
        ...(isLine ? {} : { title }),
        ...(Object.keys(others).length === 0 ? {} : { convergence: others }),
      };
      return partText(isLine ? `${id}: ${title}` : id, own, taskFields);
    }),
  ];
  return `${[help, ...parts].join('\n\n')}\n`;
}

interface EditedPlan {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function partText(heading: string, fields: Fields, shapes: readonly Field[]): string {
  const written = shapes.flatMap((shape) => {
    const text = fieldText(fields[shape.key], shape);
    return text === null ? [] : [{ key: shape.key, text: `## ${shape.title}\n\n${text}` }];
  });
  const rest = without(fields, [...written.map(({ key }) => key), ...emptyLists(fields)]);
  const json = `## ${otherFields}\n\n\`\`\`json\n${JSON.stringify(rest, null, 2)}\n\`\`\``;
  const texts = written.map(({ text }) => text);
  return [`# ${heading}`, ...texts, ...(Object.keys(rest).length === 0 ? [] : [json])].join('\n\n');
}

/** The list of a task with this title, with its path; undefined for any other title. */
export function entriesOf({ files, implementation, convergence, checks }: Task, title: string) {
  const lists = new Map<string, { readonly path: string; readonly entries: readonly unknown[] }>([
    ['Files', { path: 'files', entries: files ?? [] }],
    ['Steps', { path: 'implementation', entries: implementation ?? [] }],
    ['Done when', { path: 'convergence.criteria', entries: convergence.criteria }],
    ['Checks', { path: 'checks', entries: checks ?? [] }],
  ]);
  return lists.get(title);
}

/** Writes one entry of a list as it stands in the Markdown, without its dash; null if it stands there as JSON. */
export function entryToEdit(title: string, value: unknown): string | null {
  const main = taskFields.find((one) => one.title === title)?.main;
  const item = main === undefined ? lineItem(value) : objectItem(value, main);
  return item?.slice(2).replaceAll('\n  ', '\n') ?? null;
}

/** Reads one entry as `entryToEdit` wrote it and a person changed it. */
export function readEntry(
  title: string,
  text: string,
): { readonly value: Json } | { readonly fault: string } {
  const shape = taskFields.find((one) => one.title === title);
  const body = `- ${text.replaceAll('\n', '\n  ')}`.split('\n');
  const faults: string[] = [];
  const fault = (_line: number, what: string) => faults.push(what);
  const [value] = shape === undefined ? [] : readList({ title, line: 0, body }, shape.main, fault);
  return value === undefined || faults.length > 0 ? { fault: faults.join('\n') } : { value };
}

/** A task that waits for nothing has no list. */
function emptyLists({ depends_on: needs }: Fields): readonly string[] {
  return Array.isArray(needs) && needs.length === 0 ? ['depends_on'] : [];
}

/** The value below its heading; null if it has another form, so that it stands as JSON. */
function fieldText(value: unknown, { main, isText }: Field): string | null {
  if (isText) return isPlain(value) ? value.replaceAll(/^(?=\\*#)/gm, '\\') : null;
  if (!Array.isArray(value) || value.length === 0) return null;
  const items = value.map((one: unknown) =>
    main === undefined ? lineItem(one) : objectItem(one, main),
  );
  return items.every((one) => one !== null) ? items.join('\n') : null;
}

/** True for a text that can stand as it is: with something in it, and without what an editor would change. */
function isPlain(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value !== value.trim()) return false;
  return !/[^\P{Cc}\n\t]|[\p{Cs}\u2028\u2029]/u.test(value);
}

function lineItem(value: unknown): string | null {
  return isPlain(value) ? `- ${value.replaceAll(/\n(?!\n)/g, '\n  ')}` : null;
}

function objectItem(value: unknown, main: string): string | null {
  if (!isObject(value)) return null;
  const { [main]: name, ...others } = value;
  const entries = Object.entries(others);
  const isLine = isPlain(name) && !name.includes('\n');
  if (!isLine || entries.some(([key]) => !/^\w+$/.test(key))) return null;
  return [`- ${name}`, ...entries.map(([key, one]) => `  - ${key}: ${valueText(one, key)}`)].join(
    '\n',
  );
}

/** A value on one line: a command, a text as it is unless it could be taken for something else, and JSON. */
function valueText(value: unknown, key: string): string {
  if (key === 'argv' && isCommand(value)) return value.map(wordText).join(' ');
  const isText = isPlain(value) && !value.includes('\n') && jsonIn(value) === undefined;
  return isText ? value : JSON.stringify(value);
}

function isCommand(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function wordText(word: string): string {
  return /^[^\s"'[\p{C}]+$/u.test(word) ? word : JSON.stringify(word);
}

/** Splits a command line: what stands in double quotes is JSON; what stands in single quotes is kept as it is. */
function wordsIn(line: string): Json[] {
  return (line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\S)+/g) ?? []).map((word) =>
    word.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/g, unquote),
  );
}

function unquote(quoted: string): string {
  const text = quoted.startsWith("'") ? quoted.slice(1, -1) : jsonIn(quoted);
  return typeof text === 'string' ? text : quoted;
}

/** What an edited text says, or what cannot be read in it, each with its line. */
export type EditedText =
  | {
      readonly plan: Fields;
      readonly tasks: readonly Fields[];
      /** The line of a field, by task id or `plan` and name: `TASK-001 files`. */
      readonly lines: ReadonlyMap<string, number>;
    }
  | { readonly faults: readonly string[] };

interface Section {
  readonly title: string;
  readonly line: number;
  readonly body: readonly string[];
}

/** Reads what `planToEdit` wrote and a person changed. */
export function readEditedPlan(text: string): EditedText {
  const faults: string[] = [];
  const fault = (line: number, what: string) => faults.push(`line ${line}: ${what}`);
  const [first, ...others] = sectionsIn(text.split(/\r?\n/), '# ');
  if (first?.title !== 'Plan') return { faults: ['line 1: the first heading must be "# Plan"'] };
  const lines = new Map<string, number>();
  const partOf = (part: Section, about: string, shapes: readonly Field[]) =>
    partFields(part, { shapes, fault, found: (key, line) => lines.set(`${about} ${key}`, line) });
  const plan = partOf(first, 'plan', planFields);
  const tasks = others.map((part) => {
    const [, id = '', title] = /^(.+?)(?:: (.*))?$/.exec(part.title) ?? [];
    if (id === '') fault(part.line, 'a task needs an id: "# TASK-004: Title"');
    const { criteria, convergence = {}, ...fields } = partOf(part, id, taskFields);
    const shown = isObject(convergence)
      ? { ...convergence, ...(criteria !== undefined && { criteria }) }
      : convergence;
    const named = title === undefined ? {} : { title };
    return { id, depends_on: [], ...named, ...fields, convergence: shown };
  });
  return faults.length > 0 ? { faults } : { plan, tasks, lines };
}

/** Takes the Markdown of a whole plan; what cannot be read or does not fit is named by its line. */
export async function editByMarkdown<Desk>(
  text: string,
  edit: (edit: PlanEdit) => Promise<Result<Desk, { readonly message: string }>>,
): Promise<Result<Desk, { readonly message: string }>> {
  const read = readEditedPlan(text);
  if ('faults' in read) return { ok: false, failure: { message: read.faults.join('\n') } };
  const { plan, tasks, lines } = read;
  const edited = await edit({ kind: 'whole', plan, tasks });
  if (edited.ok) return edited;
  const { message } = edited.failure;
  const [, about = '', field = ''] = /^(\S+) (?:convergence\.)?(\w+)/.exec(message) ?? [];
  const line = lines.get(`${about} ${field}`);
  const where = line === undefined ? '' : `line ${line}: `;
  return { ok: false, failure: { message: `${where}${message}` } };
}

/** Splits lines at headings that begin with a mark; what stands before the first one is left out. */
function sectionsIn(lines: readonly string[], mark: string, from = 1): readonly Section[] {
  const starts = lines.flatMap((line, at) => (line.startsWith(mark) ? [at] : []));
  return starts.map((at, index) => ({
    title: (lines[at] ?? '').slice(mark.length).trim(),
    line: from + at,
    body: lines.slice(at + 1, starts[index + 1]),
  }));
}

interface PartReader {
  readonly shapes: readonly Field[];
  readonly fault: (line: number, what: string) => void;
  readonly found: (key: string, line: number) => void;
}

function partFields(part: Section, { shapes, fault, found }: PartReader): Fields {
  const sections = sectionsIn(part.body, '## ', part.line + 1);
  const lead = part.body.findIndex((line) => line.trim() !== '');
  if (lead !== -1 && part.line + 1 + lead !== (sections[0]?.line ?? 0)) {
    fault(part.line + 1 + lead, 'this stands under no heading');
  }
  const read = new Map<string, unknown>();
  for (const section of sections) {
    const { title, line } = section;
    const shape = shapes.find((one) => one.title.toLowerCase() === title.toLowerCase());
    if (shape !== undefined) {
      if (read.has(shape.key)) fault(line, `"${title}" stands there twice`);
      found(shape.key, line);
      read.set(shape.key, readField(section, shape, fault));
    } else if (title === otherFields) {
      const value = jsonIn(section.body.filter((one) => !one.startsWith('```')).join('\n'));
      if (!isObject(value)) fault(line, `"${otherFields}" is no JSON object`);
      else for (const [key, one] of Object.entries(value)) read.set(key, one);
    } else {
      const known = [...shapes.map((one) => one.title), otherFields].join(', ');
      fault(line, `"${title}" is no field; there are ${known}`);
    }
  }
  return Object.fromEntries(read);
}

function readField(section: Section, { main, isText }: Field, fault: PartReader['fault']): unknown {
  if (isText)
    return section.body
      .join('\n')
      .replaceAll(/^\n+|\n+$/g, '')
      .replaceAll(/^\\(?=\\*#)/gm, '');
  return readList(section, main, fault);
}

function readList(section: Section, main: string | undefined, fault: PartReader['fault']): Json[] {
  return itemsIn(section, fault).map(({ lines, line }) =>
    main === undefined ? lines.join('\n') : readObject({ lines, line }, main, fault),
  );
}

interface ListItem {
  readonly line: number;
  readonly lines: readonly string[];
}

/** The entries of a list; lines that are indented or empty belong to the entry above them. */
function itemsIn({ body, line }: Section, fault: PartReader['fault']): readonly ListItem[] {
  const items: { line: number; lines: string[] }[] = [];
  for (const [at, text] of body.entries()) {
    const [, mark = '', own] = /^((?:-|\d+\.) )(.*)$/.exec(text) ?? [];
    const last = items.at(-1);
    if (own !== undefined) items.push({ line: line + 1 + at, lines: [own] });
    else if (text.startsWith('  ') && last !== undefined) last.lines.push(text.slice(2));
    else if (text === '') last?.lines.push('');
    else
      fault(
        line + 1 + at,
        `a line of this list begins with "- ", not ${JSON.stringify(text.slice(0, 20))}${mark}`,
      );
  }
  return items.map((item) => ({ ...item, lines: withoutEnd(item.lines) }));
}

function withoutEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

function readObject(
  { lines: [name = '', ...others], line }: ListItem,
  main: string,
  fault: PartReader['fault'],
) {
  const entries = others.map((text, at): readonly [string, Json] => {
    const [, key, value = ''] = /^- (\w+): (.*)$/s.exec(text) ?? [];
    if (key === undefined)
      fault(line + 1 + at, `"- name: value" is expected, not ${JSON.stringify(text.slice(0, 20))}`);
    const read = jsonIn(value);
    if (key === 'argv' && !Array.isArray(read)) return [key, wordsIn(value)];
    return [key ?? '', read === undefined ? value : read];
  });
  return { [main]: name, ...Object.fromEntries(entries) };
}
