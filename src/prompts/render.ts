// Fills a template within a byte limit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

export interface Budget {
  /** The upper limit of the whole prompt in bytes of UTF-8. */
  readonly maxBytes: number;
  /** Names of the values that may be shortened, the most dispensable first. */
  readonly cuttable: readonly string[];
  /** Turns the (possibly shortened) raw values into what the template shows. */
  readonly dress: (values: Values) => Values;
}

/**
 * Renders a template within a budget: while it is too large, the next cuttable value loses its end,
 * and a note replaces it. Throws a RangeError if the fixed text alone is too large.
 */
export function renderWithin(template: string, values: Values, budget: Budget): string {
  const left = { ...values };
  for (const name of [null, ...budget.cuttable]) {
    if (name !== null) {
      const over = sizeOf(renderTemplate(template, budget.dress(left))) - budget.maxBytes;
      const value = left[name] ?? '';
      left[name] = withinBytes(value, Math.max(0, sizeOf(value) - over));
    }
    const text = renderTemplate(template, budget.dress(left));
    if (sizeOf(text) <= budget.maxBytes) return text;
  }
  throw new RangeError(`The prompt "${template}" does not fit into ${budget.maxBytes} bytes.`);
}

/**
 * Cuts a text to at most `maxBytes` bytes, including the note about the cut, and never within a
 * character. The note is always kept, so that a reader sees that something is missing.
 */
export function withinBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  const end = characterStart(bytes, Math.max(0, maxBytes - sizeOf(cutNote(bytes.length))));
  const shortened = bytes.toString('utf8', 0, end) + cutNote(bytes.length - end);
  return sizeOf(shortened) < bytes.length ? shortened : text;
}

function cutNote(missing: number): string {
  return `\n[cut here: ${missing} more bytes are not shown]`;
}

export function sizeOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Moves back to the first byte of the character that `at` points into. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

export type Values = Readonly<Record<string, string>>;

/** Fills `templates/NAME.md`, where `{{> part}}` is replaced by the text of `templates/parts/part.md`. */
function renderTemplate(name: string, values: Values): string {
  const template = templateText(name).replace(/\{\{> ([\w-]+)\}\}/g, (_place, part: string) =>
    templateText(`parts/${part}`),
  );
  return fill(name, template, values);
}

/**
 * Fills the `{{names}}` of a template. Lines between `{{#name}}` and `{{/name}}` appear only if the
 * name has a value that is not empty. Values are inserted unchanged: a `{{name}}` inside a value
 * stays text. Any other name without a value, or a value without a place, is a bug and throws.
 */
export function fill(name: string, template: string, values: Values): string {
  const unused = new Map(Object.entries(values));
  const text = template
    .replace(optionalLines, (_all, key: string, lines: string) => {
      if ((values[key] ?? '') !== '') return lines;
      unused.delete(key);
      return '';
    })
    .replace(/\{\{(\w+)\}\}/g, (_place, key: string) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      if (value === undefined) throw new Error(`Template "${name}" has no value for {{${key}}}.`);
      unused.delete(key);
      return value;
    });
  const [extra] = unused.keys();
  if (extra !== undefined) throw new Error(`Template "${name}" has no place for "${extra}".`);
  return text;
}

const optionalLines = /\{\{#(\w+)\}\}\n([^]*?)\{\{\/\1\}\}(?:\n|$)/g;

function templateText(name: string): string {
  return readFileSync(join(packageRoot(), 'templates', `${name}.md`), 'utf8').trim();
}
