// Edits a text with keys, by graphemes and lines.
import stringWidth from 'string-width';
import { cleanText } from '../../../../model/clean-text.ts';
import type { KeyName } from '../../keyboard.ts';

/** A text that a person edits, and the place in it. Immutable: every change makes another one. */
export interface TextField {
  readonly text: string;
  /** The index in `text` where the next letter goes, always between two graphemes. */
  readonly cursor: number;
}

export interface FieldShape {
  readonly width: number;
  readonly lines: 'one' | 'many';
}

/** Makes a field with the cursor after its text, which is made safe to show. */
export function textField(text = ''): TextField {
  const safe = safeText(text);
  return { text: safe, cursor: safe.length };
}

export function withTyped(field: TextField, typed: string): TextField {
  return replaceRange(field, { from: field.cursor, to: field.cursor, by: safeText(typed) });
}

/** Replaces a part of the text and puts the cursor after it. */
export function replaceRange(
  { text }: TextField,
  { from, to, by }: { readonly from: number; readonly to: number; readonly by: string },
): TextField {
  return placeCursor(text.slice(0, from) + by + text.slice(to), from + by.length);
}

/**
 * The field after a key; null if the key is not for the field: always for Enter, Esc and Tab, for
 * up in its first line, and for down in its last.
 */
export function pressKey(field: TextField, key: KeyName, shape: FieldShape): TextField | null {
  const { text, cursor } = field;
  if (shape.lines === 'many') {
    if (newLineKeys.has(key)) return withTyped(field, '\n');
    if (key === 'up') return toLine(field, shape, -1);
    if (key === 'down') return toLine(field, shape, 1);
  }
  const target = moves.get(key)?.(text, cursor);
  if (target !== undefined) return placeCursor(text, target);
  const end = deletions.get(key)?.(text, cursor);
  if (end === undefined) return null;
  return replaceRange(field, { from: Math.min(end, cursor), to: Math.max(end, cursor), by: '' });
}

/** A line of a field as it is shown: `text.slice(start, end)`. */
export interface VisibleLine {
  readonly start: number;
  readonly end: number;
  /** True if its text continues in the next line without a line break. */
  readonly isSoft: boolean;
}

/** The lines of a text in a field of `width` columns, the last of which is for the cursor. */
export function visibleLines(text: string, width: number): readonly VisibleLine[] {
  const room = Math.max(2, width - 1);
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const offset = start;
    start += line.length + 1;
    return breakLine(line, room).map((one) => ({
      ...one,
      start: one.start + offset,
      end: one.end + offset,
    }));
  });
}

export function lineAt(lines: readonly VisibleLine[], cursor: number): number {
  return lines.findLastIndex(({ start }) => start <= cursor);
}

/** The text of a part of a line as it is drawn. */
export function visibleText(text: string): string {
  return text.replaceAll('\t', '  ');
}

/** The index after the grapheme that starts at `index`. */
export function graphemeAfter(text: string, index: number): number {
  const found = graphemes.segment(text).containing(index);
  return found === undefined ? text.length : found.index + found.segment.length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = /[\p{L}\p{N}\p{M}_]+/gu;

type Place = (text: string, cursor: number) => number;

const newLineKeys: ReadonlySet<KeyName> = new Set(['alt+enter', 'shift+enter', 'ctrl+j']);

const moves: ReadonlyMap<KeyName, Place> = new Map([
  ['left', graphemeBefore],
  ['right', graphemeAfter],
  ['ctrl+left', wordBefore],
  ['alt+left', wordBefore],
  ['alt+b', wordBefore],
  ['ctrl+right', wordAfter],
  ['alt+right', wordAfter],
  ['alt+f', wordAfter],
  ['home', lineStart],
  ['ctrl+a', lineStart],
  ['end', lineEnd],
  ['ctrl+e', lineEnd],
]);

const deletions: ReadonlyMap<KeyName, Place> = new Map([
  ['backspace', graphemeBefore],
  ['delete', graphemeAfter],
  ['ctrl+d', graphemeAfter],
  ['alt+backspace', wordBefore],
  ['ctrl+w', wordBefore],
  ['alt+d', wordAfter],
  ['ctrl+u', lineStart],
  ['ctrl+k', lineEnd],
]);

function graphemeBefore(text: string, index: number): number {
  return graphemes.segment(text).containing(index - 1)?.index ?? 0;
}

function wordBefore(text: string, index: number): number {
  return Array.from(text.slice(0, index).matchAll(words)).at(-1)?.index ?? 0;
}

function wordAfter(text: string, index: number): number {
  const [word] = text.slice(index).matchAll(words);
  return word === undefined ? text.length : index + word.index + word[0].length;
}

function lineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

function lineEnd(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}

function toLine({ text, cursor }: TextField, { width }: FieldShape, by: 1 | -1): TextField | null {
  const lines = visibleLines(text, width);
  const at = lineAt(lines, cursor);
  const [line, next] = [lines[at], lines[at + by]];
  if (line === undefined || next === undefined) return null;
  return placeCursor(text, indexAt(text, next, columnsOf(text.slice(line.start, cursor))));
}

/** The index in the line that is nearest to a column. */
function indexAt(text: string, line: VisibleLine, column: number): number {
  let last = line.start;
  let width = 0;
  for (const { segment, index } of graphemes.segment(text.slice(line.start, line.end))) {
    last = line.start + index;
    width += columnsOf(segment);
    if (width > column) return last;
  }
  // After a soft line comes the start of the next one.
  return line.isSoft ? last : line.end;
}

function columnsOf(text: string): number {
  return stringWidth(visibleText(text));
}

function breakLine(line: string, room: number): readonly VisibleLine[] {
  const lines: VisibleLine[] = [];
  let start = 0;
  let width = 0;
  let gap = 0;
  for (const { segment, index } of graphemes.segment(line)) {
    const columns = columnsOf(segment);
    // One space may take the place of the cursor, unless the cursor can be after it.
    const hangs = segment === ' ' && width === room && index + 1 < line.length;
    if (width + columns > room && !hangs) {
      const end = gap > start ? gap : index;
      lines.push({ start, end, isSoft: true });
      start = end;
      width = columnsOf(line.slice(end, index));
    }
    width += columns;
    if (segment === ' ') gap = index + 1;
  }
  return [...lines, { start, end: line.length, isSoft: false }];
}

/** Puts the cursor at an index, or at the end of the grapheme that contains it. */
function placeCursor(text: string, index: number): TextField {
  return { text, cursor: index === 0 ? 0 : graphemeAfter(text, index - 1) };
}

function safeText(text: string): string {
  return cleanText(text.replaceAll(/\r\n?/g, '\n'));
}
