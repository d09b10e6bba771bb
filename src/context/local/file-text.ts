import { isAscii, isUtf8 } from 'node:buffer';
import { isText } from '../disk.ts';
import { kindOf } from '../file-kinds.ts';
import { definitionsIn, type Definition } from '../symbols.ts';
import { tokensBeyondAscii, type BlockText, type DefinedName } from './block-text.ts';
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
  /** Each 20 lines, and the names that are defined there. */
  readonly blocks: readonly {
    readonly block: BlockText;
    readonly defined: readonly DefinedName[];
  }[];
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
  /@generated\b|\bcode generated (?:by|from)\b|\bdo not edit\b|\b(?:is|was|been) (?:auto(?:matically)?[- ]?)?generated (?:by|from)\b/i;

export function fileTextOf(path: string, whole: Buffer): FileText {
  if (whole.length > largestFile) return skipped('huge');
  const content = isReadWhole(path) ? whole : headOf(whole);
  if (!isText(content)) return skipped('binary');
  const ascii = isAscii(content);
  const text = ascii ? content.toString('latin1') : content.toString('utf8');
  if (generatedMark.test(text.slice(0, headOfFile))) return skipped('generated');
  const ends = blockEnds(text);
  if (text.length > smallestMinified && text.length / ends.lines > longestAverageLine) {
    return skipped('minified');
  }
  const definitions = definitionsIn(path, text);
  const names = namesByBlock(definitions, ascii);
  const bytes = ascii || isUtf8(content) ? content : Buffer.from(text);
  const blocks = blocksOf(text, { bytes, ends: ends.offsets }).map((block, index) => ({
    block,
    defined: names.get(index) ?? [],
  }));
  const kind = content.length < whole.length ? 'long' : 'text';
  return { kind, lines: ends.lines, blocks, definitions };
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
  return { kind, lines: 0, blocks: [], definitions: [] };
}

/** Where each 20 lines end, and the number of lines. */
function blockEnds(text: string): { readonly offsets: readonly number[]; readonly lines: number } {
  const offsets: number[] = [];
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines++;
    if (lines % blockLines === 0) offsets.push(at + 1);
  }
  const isEnded = text.endsWith('\n');
  if (!isEnded || offsets.at(-1) !== text.length) offsets.push(text.length);
  return { offsets, lines: Math.max(1, isEnded ? lines : lines + 1) };
}

/** The blocks by their bytes: `ends` counts characters. */
function blocksOf(
  text: string,
  { bytes, ends }: { readonly bytes: Buffer; readonly ends: readonly number[] },
): readonly BlockText[] {
  const isShort = bytes.length === text.length;
  let from = 0;
  let start = 0;
  return ends.map((to) => {
    const part = isShort ? null : text.slice(from, to);
    const end = start + (part === null ? to - from : Buffer.byteLength(part));
    const tokens = part === null || end - start === part.length ? [] : tokensBeyondAscii(part);
    const block = { text: bytes, start, end, tokens };
    from = to;
    start = end;
    return block;
  });
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
