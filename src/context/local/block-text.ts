import { isAscii } from 'node:buffer';
import { tokensIn } from './terms.ts';

/** One block of a text in UTF-8: its bytes, and the tokens of the lines with letters beyond ASCII. */
export interface BlockText {
  readonly text: Buffer;
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly string[];
}

/** A name that a block defines; its place in the bytes, null where that is not known. */
export interface DefinedName {
  readonly name: string;
  readonly at: number | null;
}

/** No token goes over the end of a line, and those of the other lines are found in the bytes. */
export function blockTextOf(text: string): BlockText {
  const bytes = Buffer.from(text);
  const tokens = isAscii(bytes) ? [] : tokensBeyondAscii(text);
  return { text: bytes, start: 0, end: bytes.length, tokens };
}

/** The tokens of the lines that the kernel leaves out. */
export function tokensBeyondAscii(text: string): readonly string[] {
  if (!lettersBeyond.test(text)) return [];
  const lines = text.split('\n').filter((line) => lettersBeyond.test(line));
  return tokensIn(lines.join('\n'));
}

/** Neither ASCII nor one of the usual signs, which only stand between tokens; the kernel has the same. */
const lettersBeyond =
  /[^\0-\x7f\xa0-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u2000-\u203f\u2190-\u23ff\u2500-\u2767]/;
