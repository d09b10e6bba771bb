// Finds the JSON object in an answer, wherever it is, and repairs it once if necessary.
import { JSONRepairError, jsonrepair } from 'jsonrepair';
import type { Result } from '../../model/failure.ts';
import { isObject, jsonIn } from '../../model/json.ts';

type JsonObject = Record<string, unknown>;

export interface Found {
  readonly value: JsonObject;
  readonly repaired: boolean;
  /** The field that it was wrapped in. */
  readonly wrapper?: string;
}

/** Why no object can be extracted from an answer. */
export interface Unreadable {
  readonly reason: string;
  /** The answer is cut off before its end, it has several different objects, or it has none. */
  readonly fault: 'cut' | 'several' | 'none';
}

/**
 * Finds the JSON object that a model answered: the whole text, or the content of a fenced block or
 * of balanced braces, after the reasoning. The one with the most `wanted` fields counts; if two
 * different ones have equally many, neither does. A damaged object is repaired once. One that is
 * cut off is never completed, unless only its last brace is missing. Keys that could reach a
 * prototype are left out.
 */
export function extractJson(
  text: string,
  wanted: readonly string[] = [],
): Result<Found, Unreadable> {
  if (text.trim() === '') return unreadable('the answer is empty');
  const whole = strictObject(text);
  if (whole !== null) return { ok: true, value: unwrap({ value: whole, repaired: false }, wanted) };
  const after = afterThinking(text);
  const thoughtless = after === text ? null : findBest(after, wanted);
  const found = thoughtless?.ok === true ? thoughtless : findBest(text, wanted);
  if (found !== null) return found;
  if (nestingOf(text).deepest > maxDepth) {
    return unreadable(`the answer is nested deeper than ${maxDepth} levels`);
  }
  return unreadable(
    text.includes('{')
      ? 'the answer contains no JSON object that could be read'
      : 'the answer contains no JSON object',
  );
}

interface Candidate {
  readonly body: string;
  readonly found: Found;
  /** The number of wanted fields that it has. */
  readonly score: number;
}

function findBest(text: string, wanted: readonly string[]): Result<Found, Unreadable> | null {
  const { bodies, open } = bodiesIn(text);
  const candidates = readAll(bodies, wanted);
  const score = Math.max(...candidates.map((one) => one.score));
  const best = candidates.filter((one) => one.score === score);
  const last = best.at(-1);
  const isLater = last === undefined || open?.includes(last.body) !== true;
  if (open !== null && isLater && breaksOff(open, wanted)) return unreadable(cutOff, 'cut');
  if (last === undefined) return null;
  if (score > 0 && best.length > 1) {
    const reason = `the answer holds ${best.length} JSON objects that differ; give one`;
    return unreadable(reason, 'several');
  }
  return { ok: true, value: last.found };
}

const cutOff = 'the answer breaks off before its end';

/** The most candidates that are tried, starting with the last one. */
const maxTries = 64;

/** Lists what may be an object in a text, and the rest of the text from a brace that is never closed. */
function bodiesIn(text: string): {
  readonly bodies: readonly string[];
  readonly open: string | null;
} {
  const bodies: string[] = [];
  let open: string | null = null;
  for (const part of [...fencedBlocks(text).slice(-maxTries), text]) {
    for (const { start, end } of objectSpans(part).slice(-maxTries)) {
      if (end !== null) bodies.push(part.slice(start, end));
      else if (part === text) open = part.slice(start);
    }
  }
  const closed = open === null ? null : withoutLastBrace(open);
  return closed === null ? { bodies, open } : { bodies: [...bodies, closed], open: null };
}

/** Completes an object of which only the last brace is missing, whatever prose follows it. */
function withoutLastBrace(open: string): string | null {
  const end = Math.max(open.lastIndexOf('}'), open.lastIndexOf(']')) + 1;
  const body = open.slice(0, end);
  const isWhole = end > 0 && !goesOn.test(open.slice(end)) && nestingOf(body).depth === 1;
  return isWhole ? body : null;
}

/** Matches a comma, a colon or a quotation mark after the last bracket: the answer was not at its end. */
const goesOn = /^\s*[,:]|"/;

/** Tells a broken answer from a brace in prose or code. */
function breaksOff(open: string, wanted: readonly string[]): boolean {
  const end = Math.max(open.lastIndexOf('}'), open.lastIndexOf(']')) + 1;
  const isOurs = wanted.length === 0 || wanted.some((name) => open.includes(`"${name}"`));
  return isOurs && goesOn.test(open.slice(end));
}

/** Reads each candidate strictly, or repaired while the texts to repair are short in total. */
function readAll(bodies: readonly string[], wanted: readonly string[]): readonly Candidate[] {
  const candidates = new Map<string, Candidate>();
  let left = maxRepair;
  for (const body of new Set(bodies.toReversed())) {
    const strict = strictObject(body);
    const isTried = strict === null && body.length <= left;
    if (isTried) left -= body.length;
    const value = strict ?? (isTried ? repairedObject(body) : null);
    if (value === null || Object.keys(value).length === 0) continue;
    const found = unwrap({ value, repaired: strict === null }, wanted);
    const key = JSON.stringify(found.value);
    if (!candidates.has(key)) {
      candidates.set(key, { body, found, score: countWanted(found.value, wanted) });
    }
  }
  return [...candidates.values()].toReversed();
}

/** Unwraps an answer from fields around it, if there are no answer fields next to them. */
function unwrap(found: Found, wanted: readonly string[]): Found {
  const { value } = found;
  for (const [wrapper, inner] of Object.entries(value)) {
    const others = wanted.filter((name) => name !== wrapper);
    if (!isObject(inner) || countWanted(value, others) > 0) continue;
    const one = unwrap({ ...found, value: inner, wrapper }, wanted);
    if (countWanted(one.value, wanted) > countWanted(value, wanted)) return one;
  }
  return found;
}

function countWanted(value: JsonObject, wanted: readonly string[]): number {
  return wanted.filter((name) => Object.hasOwn(value, name)).length;
}

/** Reads a text that is one JSON object, or a list with one. */
function strictObject(text: string): JsonObject | null {
  const body = text.trim();
  if (!/^[{[][^]*[}\]]$/.test(body) || nestingOf(body).deepest > maxDepth) return null;
  const read = jsonIn(body);
  const value: unknown = Array.isArray(read) && read.length === 1 ? read[0] : read;
  return isObject(value) ? withoutPrototypeKeys(value) : null;
}

/**
 * The most characters that are repaired, in UTF-16 units: the repair takes quadratic time on text with
 * many faults (jsonrepair 3.15: 0.3 s for 100,000 characters, 6 s for 200,000).
 */
const maxRepair = 100_000;

function repairedObject(text: string): JsonObject | null {
  try {
    return strictObject(jsonrepair(text));
  } catch (error) {
    // A RangeError is a stack overflow: jsonrepair is recursive and the nesting was hidden.
    if (error instanceof JSONRepairError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the text after the last closing mark of a reasoning block, or else the whole text. */
function afterThinking(text: string): string {
  const ends = ['</think>', '</thinking>'].map((mark) => {
    const at = text.lastIndexOf(mark);
    return at === -1 ? 0 : at + mark.length;
  });
  return text.slice(Math.max(...ends));
}

function withoutPrototypeKeys<T>(value: T): T {
  if (Array.isArray(value)) {
    for (const entry of value) withoutPrototypeKeys(entry);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (key === '__proto__' || key === 'constructor') Reflect.deleteProperty(value, key);
      else withoutPrototypeKeys(value[key]);
    }
  }
  return value;
}

/**
 * Returns the contents of the fenced blocks of a text, in order; one that is never closed ends with
 * the text. Only a fence at the start of a line counts; the rest of an opening line names the
 * language.
 */
function fencedBlocks(text: string): readonly string[] {
  return text
    .split(/^[ \t]{0,11}```/m)
    .filter((_, index) => index % 2 === 1)
    .map((block) => block.slice(block.indexOf('\n') + 1));
}

/** The deepest nesting that is accepted, because every later reader of the value is recursive. */
const maxDepth = 200;

/** A range of a text that may be a JSON object; `end` is exclusive, and null if it is never closed. */
interface JsonSpan {
  readonly start: number;
  readonly end: number | null;
}

/**
 * Finds the top-level objects of a text in order, and reads each character a bounded number of
 * times. Braces in strings do not count. A quotation mark ends a string only where JSON could
 * continue, so that unescaped inner quotes rarely derail the count. An object that is never closed
 * is the last span: what follows its start is inside it.
 */
function objectSpans(text: string): readonly JsonSpan[] {
  const spans: JsonSpan[] = [];
  for (let at = text.indexOf('{'); at !== -1;) {
    if (!looksLikeObject(text, at)) {
      at = text.indexOf('{', at + 1);
      continue;
    }
    const end = objectEnd(text, at);
    spans.push({ start: at, end });
    if (end === null) break;
    at = text.indexOf('{', end);
  }
  return spans;
}

/** Counts the brackets outside of strings, as a strict JSON reader would: the deepest, and those open at the end. */
function nestingOf(text: string): { readonly deepest: number; readonly depth: number } {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at, () => true);
    else if (sign === '{' || sign === '[') deepest = Math.max(deepest, (depth += 1));
    else if (sign === '}' || sign === ']') depth -= 1;
  }
  return { deepest, depth };
}

/** True for `{"`, `{'`, `{name:`, `{ }`, `{ /`: not for a brace in prose. */
function looksLikeObject(text: string, open: number): boolean {
  const next = skipSpace(text, open + 1);
  const first = text.charAt(next);
  if (first !== '' && '"\'“‘}/'.includes(first)) return true;
  return /^[A-Za-z_$][\w$]{0,63}\s{0,8}:/.test(text.slice(next, next + 80));
}

function objectEnd(text: string, open: number): number | null {
  // A quotation mark ends a string only where JSON could continue.
  const isEnd = (after: number) => {
    const next = skipSpace(text, after);
    return next >= text.length || ',:}]'.includes(text.charAt(next));
  };
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at, isEnd);
    else if (sign === '{') depth += 1;
    else if (sign === '}' && (depth -= 1) === 0) return at + 1;
  }
  return null;
}

/** Finds the quotation mark that ends a string, or else the end of the text. */
function stringEnd(text: string, open: number, isEnd: (after: number) => boolean): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"' && isEnd(at + 1)) return at;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (' \n\r\t'.includes(text[at] ?? '.')) at += 1;
  return at;
}

function unreadable(
  reason: string,
  fault: Unreadable['fault'] = 'none',
): { readonly ok: false; readonly failure: Unreadable } {
  return { ok: false, failure: { reason, fault } };
}
