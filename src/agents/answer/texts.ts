// Reads a text as a word, a number, a path, a list or an object.
import { type Node, branchOf, fieldsOf, requiredOf } from './schema-fields.ts';
import { argvIn, fold, isNothing, numberIn, wordFor } from './vocabulary.ts';

/** The facts of an answer that are certain before it is read. */
export interface Facts {
  /** The absolute path of the repository: paths below it are made relative. */
  readonly root?: string;
  /** The name of each solution by its label. */
  readonly labels?: ReadonlyMap<string, string> | undefined;
}

/** A text as its schema wants it: a word of an enum, a label, a path, or shortened. */
export function fitString(
  text: string,
  schema: Node,
  { name, known }: { readonly name: string; readonly known: Facts },
): string {
  const { enum: words, pattern, maxLength } = schema;
  if (Array.isArray(words))
    return words.includes(text) ? text : (wordFor(text, words.map(String)) ?? text);
  if (pattern === '^[A-Z]$') return labelIn(text, known) ?? text;
  if (name === 'path' || name === 'file') return relativePath(text, known).replace(lineSuffix, '');
  if (name === 'files' || name === 'focus_paths') return relativePath(text, known);
  if (typeof maxLength !== 'number' || text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).trimEnd()}…`;
}

/** A solution by its label ("Solution A", "a)") or by its name. */
function labelIn(text: string, { labels = new Map<string, string>() }: Facts): string | null {
  const named = [...labels].find(([, name]) => fold(text).includes(fold(name)));
  if (named !== undefined) return named[0];
  const [, label] =
    /^\W*(?:(?:solution|option|proposal|label)\s*)?([a-z])(?![\w’'])/i.exec(text) ?? [];
  return label?.toUpperCase() ?? null;
}

function relativePath(path: string, { root }: Facts): string {
  const plain = stripMarks(path).replace(/^file:\/\//, '');
  const inside =
    root !== undefined && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
  return inside.replace(/^(?:\.\/)+/, '');
}

/** Without the backticks, quotation marks or angle brackets around it. */
function stripMarks(path: string): string {
  return path.trim().replace(/^[`"'<]+|[`"'>]+$/g, '');
}

const lineSuffix = /(?::|#L| ?\(lines? )(\d+)(?:[-–:,] ?L?\d+)*\)?$/;

/** The line in `src/a.ts:12`, `src/a.ts#L12` or `src/a.ts (line 12)`. */
export function lineIn(path: unknown): number | null {
  const [, line] = lineSuffix.exec(stripMarks(String(path))) ?? [];
  return line === undefined ? null : Number(line);
}

/** A number in words, as a share where it stands for one; the text where there is none in it. */
export function fitNumber(text: string, schema: Node): number | string {
  const found = numberIn(text);
  if (found !== null) {
    const isPercent = schema['maximum'] === 100 && text.includes('%');
    return inRange(isPercent ? found * 100 : found, schema);
  }
  const word = schema['maximum'] === 1 ? wordFor(text, Object.keys(shares)) : null;
  return word === null ? text : (shares[word] ?? text);
}

const shares: Readonly<Record<string, number>> = { low: 0.3, medium: 0.5, high: 0.8 };

/** Above 1, a share can only be meant in tenths or in percent; a line before the first is the first. */
export function inRange(value: number, { minimum, maximum, type }: Node): number {
  if (maximum === 1 && value > 1 && value <= 100) {
    return value <= 10 && Number.isInteger(value) ? value / 10 : value / 100;
  }
  if (type !== 'integer') return value;
  return typeof minimum === 'number' && value < minimum ? minimum : Math.trunc(value);
}

/** The entries of a list given as one text: its lines, names between commas, or the text itself. */
export function entriesIn(text: string, name: string): readonly string[] {
  if (isNothing(text)) return [];
  if (name === 'argv') return argvIn(text) ?? [text];
  const plain = text.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim());
  const lines = plain.filter((line) => line !== '');
  const isNames = /^[\w./-]+(?:\s*[,;&]\s*[\w./-]+)+$/.test(text.trim());
  return isNames ? text.trim().split(/\s*[,;&]\s*/) : lines;
}

/** The object that a text or a list stands for. */
export function objectOf(
  value: string | readonly unknown[],
  schema: Node,
): Record<string, unknown> {
  if (typeof value !== 'string') return { [mainField(schema, 'array')]: value };
  const fields = fieldsOf(schema);
  if (fields.has('argv')) return { argv: argvIn(value) };
  const main = mainField(schema, 'string');
  const words = fields.get('action')?.['enum'];
  const [, before, path, after] =
    /^(?:\[?([a-z]+)\]?:?\s+)?([^\s()]+)(?:\s*\((\w+)[^)]*\))?$/i.exec(value.trim()) ?? [];
  const action = Array.isArray(words) ? wordFor(before ?? after ?? '', words.map(String)) : null;
  return action === null ? { [main]: value } : { [main]: path, action };
}

/** The first required field of a type, else the first; an id stands for nothing. */
function mainField(schema: Node, type: string): string {
  const fields = fieldsOf(schema);
  const names = [...requiredOf(schema), ...fields.keys()].filter((name) => name !== 'id');
  const ofType = (wanted: string) =>
    names.find((name) => {
      const field = fields.get(name) ?? {};
      return !('anyOf' in field || 'const' in field) && branchOf(field, wanted) !== undefined;
    });
  return ofType(type) ?? ofType('array') ?? names[0] ?? 'value';
}
