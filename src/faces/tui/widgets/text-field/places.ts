const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** No grapheme that people write is longer; bounds how far is looked in a long text. */
const longestGrapheme = 128;

/** The index before the grapheme that ends at `index`. */
export function graphemeBefore(text: string, index: number): number {
  if (index === 0) return 0;
  if (isPlain(text.charCodeAt(index - 1))) return index - 1;
  const from = Math.max(0, index - longestGrapheme);
  const last = [...graphemes.segment(text.slice(from, index))].at(-1);
  return last === undefined ? from : from + last.index;
}

/** The index behind the grapheme that starts at `index`. */
export function graphemeAfter(text: string, index: number): number {
  const [first] = graphemes.segment(text.slice(index, index + longestGrapheme));
  return index + (first?.segment.length ?? 0);
}

/** The index itself, or the end of the grapheme that it is inside of. */
export function graphemeEdge(text: string, index: number): number {
  const from = Math.max(0, index - longestGrapheme);
  const around = graphemes.segment(text.slice(from, index + longestGrapheme));
  const cut = around.containing(index - from);
  return cut === undefined || cut.index === index - from
    ? index
    : from + cut.index + cut.segment.length;
}

/** The start of the word before `index`, over what lies between. */
export function wordBefore(text: string, index: number): number {
  let at = index;
  while (at > 0 && !isWord(lastOf(text, at))) at -= lastOf(text, at).length;
  while (at > 0 && isWord(lastOf(text, at))) at -= lastOf(text, at).length;
  const end = graphemeEdge(text, at);
  return end === at ? at : graphemeBefore(text, end);
}

/** The end of the word after `index`, over what lies between. */
export function wordAfter(text: string, index: number): number {
  let at = index;
  while (at < text.length && !isWord(firstOf(text, at))) at += firstOf(text, at).length;
  while (at < text.length && isWord(firstOf(text, at))) at += firstOf(text, at).length;
  return graphemeEdge(text, at);
}

/** The index of the first letter of the line that `index` is in. */
export function lineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

/** The index behind the last letter of the line that `index` is in. */
export function lineEnd(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}

function isPlain(code: number): boolean {
  return code < 0x7f;
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}\p{M}_]/u.test(character);
}

function firstOf(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0);
}

function lastOf(text: string, index: number): string {
  const low = text.charCodeAt(index - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && index > 1;
  return text.slice(index - (isPair ? 2 : 1), index);
}
