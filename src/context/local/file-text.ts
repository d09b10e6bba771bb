import { isAscii, isUtf8 } from 'node:buffer';
import { isText } from '../disk.ts';
import { kindOf } from '../file-kinds.ts';
import { definitionsOf, type Definition, type Line, type LookedText } from '../symbols.ts';
import type { TextLines } from './kernel.ts';
import { blockLines } from './segment-format.ts';
import type { DefinedName } from './segment-writer.ts';

/** Why a file’s content is not searched, or only its head; the numbers stand in the index. */
export const fileTextKinds = [
  'text',
  'huge',
  'binary',
  'minified',
  'generated',
  'unreadable',
  'long',
] as const;
export type FileTextKind = (typeof fileTextKinds)[number];

/** A file’s content as it is searched. */
export interface FileText {
  readonly kind: FileTextKind;
  readonly lines: number;
  /** Where each block ends, in bytes of the text that was taken. */
  readonly ends: Uint32Array;
  /** The names that are defined in each block, by its place. */
  readonly names: ReadonlyMap<number, readonly DefinedName[]>;
  readonly definitions: readonly Definition[];
}

/** A larger file is data. In bytes. */
export const largestFile = 1024 * 1024;
/** Of what is no source, e.g. of a test, a log of changes or a table, only the head. In bytes. */
export const longestHead = 64 * 1024;
/** Nobody writes lines of this length on average. In characters. */
const longestAverageLine = 220;
const smallestMinified = 4000;
/** Where generators put their mark. In characters. */
const headOfFile = 800;
const generatedMark =
  /@generated\b|\bcode generated (?:by|from)\b|\bdo not edit\b|\b(?:is|was|been) (?:auto(?:matically)?[- ]?)?generated (?:by|from)\b/;

/** `take` is given what is searched, in UTF-8, unless the content is skipped at once. */
export function fileTextOf(
  path: string,
  whole: Buffer,
  take: (text: Buffer) => TextLines,
): FileText {
  if (whole.length > largestFile) return skipped('huge');
  const content = isReadWhole(path) ? whole : headOf(whole);
  if (!isText(content)) return skipped('binary');
  const ascii = isAscii(content);
  const text = ascii || isUtf8(content) ? content : Buffer.from(content.toString('utf8'));
  if (isMarkedGenerated(text)) return skipped('generated');
  const lines = take(text);
  if (isMinified(text, lines.count)) return skipped('minified');
  const definitions = definitionsOf(path, ascii ? asciiText(text, lines) : utf8Text(text, lines));
  const kind = content.length < whole.length ? 'long' : 'text';
  const names = namesByBlock(definitions, ascii);
  return { kind, lines: lines.count, ends: lines.ends, names, definitions };
}

function isMarkedGenerated(text: Buffer): boolean {
  // A character has at most three bytes, or four where it counts as two.
  const head = text.toString('utf8', 0, 3 * headOfFile).slice(0, headOfFile);
  // The other pattern takes ten times as long to see that it cannot fit.
  return /generated|do not edit/i.test(head) && generatedMark.test(head.toLowerCase());
}

function isMinified(text: Buffer, lines: number): boolean {
  const isLong = (length: number): boolean =>
    length > smallestMinified && length / lines > longestAverageLine;
  // It has at most as many characters as bytes.
  return isLong(text.length) && isLong(text.toString('utf8').length);
}

/** Of ASCII, a byte is a character. */
function asciiText(text: Buffer, lines: TextLines): LookedText {
  const content = (): string => text.toString('latin1');
  return {
    content,
    linesLike(look, longest) {
      const found = lines.like(look, longest);
      if (found.length === 0) return [];
      const whole = content();
      return linesAt(found, (start, end) => ({ text: whole.slice(start, end), start }));
    },
  };
}

function utf8Text(text: Buffer, lines: TextLines): LookedText {
  return {
    content: () => text.toString('utf8'),
    linesLike: (look, longest) =>
      linesAt(lines.like(look, 3 * longest), (start, end) => ({
        text: text.toString('utf8', start, end),
        start: null,
      })),
  };
}

function linesAt(
  found: Uint32Array,
  lineAt: (start: number, end: number) => Omit<Line, 'line'>,
): readonly Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < found.length; at += 3) {
    const { text, start } = lineAt(found[at] ?? 0, found[at + 1] ?? 0);
    lines.push({ text, start, line: (found[at + 2] ?? 0) + 1 });
  }
  return lines;
}

/** True where more than the head of a file’s content is searched. */
export function isReadWhole(path: string): boolean {
  return kindOf(path) === 'source';
}

/** Whole lines, where it has more than one. */
function headOf(content: Buffer): Buffer {
  if (content.length <= longestHead) return content;
  const end = content.lastIndexOf('\n', longestHead - 1) + 1;
  return content.subarray(0, end === 0 ? longestHead : end);
}

export function skipped(kind: FileTextKind): FileText {
  return { kind, lines: 0, ends: new Uint32Array(), names: new Map(), definitions: [] };
}

/** Only of ASCII, the places in the text are those in its bytes. */
function namesByBlock(
  definitions: readonly Definition[],
  ascii: boolean,
): ReadonlyMap<number, readonly DefinedName[]> {
  const names = new Map<number, DefinedName[]>();
  for (const { name, line, at } of definitions) {
    const block = Math.floor((line - 1) / blockLines);
    const defined = { name, at: ascii ? at : null };
    const known = names.get(block);
    if (known === undefined) names.set(block, [defined]);
    else known.push(defined);
  }
  return names;
}
