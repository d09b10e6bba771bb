import { cleanText } from '../../../../model/clean-text.ts';

/** A text that a person edits, and the place in it. Pure: every change gives another one. */
export interface TextField {
  readonly text: string;
  /** Where the next letter goes: an index into `text`, always between two graphemes. */
  readonly cursor: number;
  /** The column that going up and down keeps; null after any other key. */
  readonly column: number | null;
  /** What undo goes back to, the latest last. */
  readonly past: readonly Snapshot[];
  /** Letters typed one after the other are undone together. */
  readonly isTyping: boolean;
  /** Why the last text was not taken; null after the next key. */
  readonly refused: string | null;
}

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

/** How many changes can be undone. */
const longestPast = 200;

/** A field with the cursor behind its text, which is made safe to show. */
export function textField(text = ''): TextField {
  const safe = safeText(text);
  const past: readonly Snapshot[] = [];
  return { text: safe, cursor: safe.length, column: null, past, isTyping: false, refused: null };
}

/** Other text in the place of all; the change can be undone. */
export function withText(field: TextField, text: string): TextField {
  const safe = safeText(text);
  return safe === field.text ? field : changed(field, { text: safe, cursor: safe.length });
}

/** The text put in at the cursor. */
export function withTyped(field: TextField, typed: string): TextField {
  const safe = safeText(typed);
  if (safe === '') return field;
  const isLetter = safe.length === 1 && safe !== '\n' && safe !== ' ';
  const next = replaced(field, { from: field.cursor, to: field.cursor, by: safe });
  const past = isLetter && field.isTyping ? field.past : next.past;
  return { ...next, past, isTyping: isLetter };
}

/** A part of the text replaced, the cursor behind it. */
export function replaced(
  field: TextField,
  { from, to, by }: { readonly from: number; readonly to: number; readonly by: string },
): TextField {
  if (from === to && by === '') return field;
  const text = field.text.slice(0, from) + by + field.text.slice(to);
  // What was apart can become one grapheme, e.g. a letter and an accent.
  return changed(field, { text, cursor: graphemeEdge(text, from + by.length) });
}

/** The cursor somewhere else. */
export function movedTo(field: TextField, cursor: number, column: number | null = null): TextField {
  return { ...field, cursor, column, isTyping: false, refused: null };
}

export function undone(field: TextField): TextField {
  const last = field.past.at(-1);
  if (last === undefined) return field;
  return { ...movedTo(field, last.cursor), text: last.text, past: field.past.slice(0, -1) };
}

/** The text as it was, and why what was pasted is not in it. */
export function withRefusal(field: TextField, refused: string): TextField {
  return { ...field, refused };
}

function changed(field: TextField, next: Snapshot): TextField {
  const past = [...field.past.slice(1 - longestPast), { text: field.text, cursor: field.cursor }];
  return { ...next, column: null, past, isTyping: false, refused: null };
}

function safeText(text: string): string {
  return cleanText(text.replaceAll(/\r\n?/g, '\n'));
}

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
function graphemeEdge(text: string, index: number): number {
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
