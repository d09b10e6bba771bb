import { isAscii } from 'node:buffer';
import { tokensIn } from './terms.ts';

/** One block of a text in UTF-8: its bytes, and the tokens of the lines beyond ASCII. */
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

/** No token goes over the end of a line, and those of ASCII lines are found in the bytes. */
export function blockTextOf(text: string): BlockText {
  const bytes = Buffer.from(text);
  const tokens = isAscii(bytes) ? [] : tokensBeyondAscii(text);
  return { text: bytes, start: 0, end: bytes.length, tokens };
}

/** The tokens of the lines that have more than ASCII. */
export function tokensBeyondAscii(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => beyondAscii.test(line));
  return tokensIn(lines.join('\n'));
}

const beyondAscii = /[\u0080-\uffff]/;
