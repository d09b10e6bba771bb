import { cleanText } from '../../../../model/clean-text.ts';
import { graphemeEdge } from './places.ts';

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
