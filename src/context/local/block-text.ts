import { isAscii } from 'node:buffer';
import { tokensIn } from './terms.ts';

/** One block of a text: the bytes of its ASCII lines, and the tokens of the others. */
export interface BlockText {
  readonly text: Buffer;
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly string[];
}

/** No token goes over the end of a line, and tokens are found much faster in ASCII bytes. */
export function blockTextOf(text: string): BlockText {
  const bytes = Buffer.from(text);
  if (isAscii(bytes)) return { text: bytes, start: 0, end: bytes.length, tokens: [] };
  const lines = text.split('\n');
  const ascii = Buffer.from(lines.filter((line) => !beyondAscii.test(line)).join('\n'), 'latin1');
  const others = lines.filter((line) => beyondAscii.test(line)).join('\n');
  return { text: ascii, start: 0, end: ascii.length, tokens: tokensIn(others) };
}

const beyondAscii = /[\u0080-\uffff]/;
