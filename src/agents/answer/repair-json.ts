// Repairs damaged JSON, and completes JSON that ends too early.
import { JSONRepairError, jsonrepair } from 'jsonrepair';
import { jsonIn } from '../../model/json.ts';

/**
 * Longer texts are not repaired, in UTF-16 units: the repair takes quadratic time on text with many
 * faults (jsonrepair 3.15: 0.3 s for 100,000 characters, 6 s for 200,000).
 */
export const maxRepair = 100_000;

/** The value of a damaged JSON text; undefined where it cannot be repaired. */
export function repairJson(text: string): unknown {
  if (text.length > maxRepair) return undefined;
  try {
    return jsonIn(jsonrepair(text));
  } catch (error) {
    // A RangeError is a stack overflow: jsonrepair is recursive and the nesting was hidden.
    if (error instanceof JSONRepairError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A text of JSON that ended before its value did. */
interface CutJson {
  /** Closed after its last whole value; null where something of a value that follows is there. */
  readonly whole: string | null;
  /** Closed after the last whole entry of its list, which is a field of the object; null if none. */
  readonly entries: string | null;
}

/**
 * The ways to close an object that its text does not close. Nothing is lost where only brackets, a
 * name without its value, or empty lists are missing.
 */
export function closeCut(text: string): CutJson {
  if (text.length > maxRepair) return { whole: null, entries: null };
  const open: string[] = [];
  let value = { end: 0, closing: '' };
  let entry = { end: 0, closing: '' };
  const closing = () => open.toReversed().join('');
  const ended = (end: number, isContainer: boolean): void => {
    if (isContainer || open.length <= 2) value = { end, closing: closing() };
    if (isContainer && open.length === 2 && open[1] === ']') entry = { end, closing: closing() };
  };
  for (const { index, 0: token } of text.matchAll(tokens)) {
    const end = index + token.length;
    if (token === '{' || token === '[') open.push(token === '{' ? '}' : ']');
    else if (token === '}' || token === ']') {
      open.pop();
      ended(end, true);
    } else if (open.at(-1) === ']' || isAfterColon(text, index)) ended(end, false);
  }
  const rest = text.slice(value.end);
  const isWhole =
    value.end > 0 && (noValue.test(rest) || (open.at(-1) === '}' && nameAlone.test(rest)));
  return {
    whole: isWhole ? text.slice(0, value.end) + value.closing : null,
    entries: entry.end > 0 ? text.slice(0, entry.end) + entry.closing : null,
  };
}

function isAfterColon(text: string, index: number): boolean {
  return /:\s*$/.test(text.slice(Math.max(0, index - 40), index));
}

const tokens =
  /"(?:[^"\\]|\\.)*"|[[{\]}]|(?<=[[,:]\s*)(?:-?\d[\d.eE+-]*|true|false|null)(?=\s*[,\]}])/gs;

/** A comma, a name with its colon, and opening brackets with nothing in them. */
const noValue = /^\s*,?\s*(?:"\w*"\s*:\s*)?[[{\s]*"?(?:```\s*)?$/;

/** A name, or the beginning of one, without its value. */
const nameAlone = /^\s*,?\s*"\w*"?\s*:?\s*$/;
