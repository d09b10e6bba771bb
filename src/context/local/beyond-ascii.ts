import { tokensIn } from './terms.ts';

/** The tokens of the lines that the kernel leaves out. No token goes over the end of a line. */
export function tokensBeyondAscii(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => lettersBeyond.test(line));
  return tokensIn(lines.join('\n'));
}

/** Neither ASCII nor one of the usual signs, which only stand between tokens; the kernel has the same. */
const lettersBeyond =
  /[^\0-\x7f\xa0-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u2000-\u203f\u2190-\u23ff\u2500-\u2767]/;
