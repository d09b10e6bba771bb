import { isAscii, isUtf8 } from 'node:buffer';
import { isText } from '../disk.ts';
import { kindOf } from '../file-kinds.ts';
import { definitionsOf, type Definition, type LookedText } from '../symbols.ts';
import type { DefinedName, TextLines } from './kernel.ts';
import { blockLines } from './segment-format.ts';

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
  /** The names that its blocks define, in their order; null where it is not searched. */
  readonly names: readonly DefinedName[] | null;
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
  const definitions = definitionsOf(path, lookedText(text, { ascii, lines }));
  const kind = content.length < whole.length ? 'long' : 'text';
  return { kind, lines: lines.count, names: definitions.map(definedName), definitions };
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

function lookedText(
  text: Buffer,
  { ascii, lines }: { readonly ascii: boolean; readonly lines: TextLines },
): LookedText {
  const encoding = ascii ? 'latin1' : 'utf8';
  return {
    ascii,
    content: () => text.toString(encoding),
    linesLike(look, longest) {
      const { places, lines: found } = lines.like(look, ascii ? longest : 3 * longest);
      if (places.length === 0) return [];
      const texts = found.toString(encoding).split('\n');
      // Nothing follows the last line feed.
      texts.pop();
      return texts.map((line, at) => {
        const start = places[3 * at] ?? 0;
        const end = places[3 * at + 1] ?? 0;
        const known = line.length === end - start ? start : null;
        return { text: line, start: known, line: (places[3 * at + 2] ?? 0) + 1 };
      });
    },
  };
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
  return { kind, lines: 0, names: null, definitions: [] };
}

function definedName({ name, line, at }: Definition): DefinedName {
  return { name, block: Math.floor((line - 1) / blockLines), at };
}
