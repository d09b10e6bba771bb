// Finds the JSON object in an answer, and repairs it if need be.
import { JSONRepairError, jsonrepair } from 'jsonrepair';
import type { Result } from '../../model/failure.ts';
import { isObject, jsonIn } from '../../model/json.ts';

type JsonObject = Record<string, unknown>;

type Extracted = Result<Found, { readonly reason: string }>;

interface Found {
  readonly value: JsonObject;
  readonly repaired: boolean;
  /** Set if the text ended within a value, so that more than a bracket is missing. */
  readonly isCut?: true;
}

/**
 * The JSON object that a model answered, whatever it wrote around it: the whole text, else the
 * last fenced object, else the last balanced one, what comes after a `</think>` first. Among
 * readable objects the one with the most `wanted` fields counts, itself or in its wrapper; only
 * where none has any is the best candidate repaired (quotes, commas, comments, a cut end), which
 * `repaired` tells. A list of objects is one under an empty name. Keys that could reach a
 * prototype are left out.
 */
export function extractJson(text: string, wanted: readonly string[] = []): Extracted {
  if (text.trim() === '') return unreadable('the answer is empty');
  const whole = strictObject(text);
  if (whole !== null) return { ok: true, value: { value: whole, repaired: false } };
  const after = afterThinking(text);
  const found = (after === text ? null : bestOf(after, wanted)) ?? bestOf(text, wanted);
  if (found !== null) return { ok: true, value: found };
  if (depthOf(text) > maxDepth) {
    return unreadable(`the answer is nested deeper than ${maxDepth} levels`);
  }
  return unreadable(
    text.includes('{')
      ? 'the answer contains no JSON object that could be read'
      : 'the answer contains no JSON object',
  );
}

/**
 * Longer candidates are not repaired, in UTF-16 units: the repair takes quadratic time on text with
 * many faults (jsonrepair 3.15: 0.3 s for 100,000 characters, 6 s for 200,000).
 */
const maxRepair = 100_000;

/** So many candidates of each kind are tried, from the last one back. */
const maxTries = 64;

function bestOf(text: string, wanted: readonly string[]): Found | null {
  const all = wanted.length;
  let best: Found | null = null;
  let most = -1;
  for (const candidate of strictCandidates(text)) {
    const value = strictObject(candidate);
    const score = value === null ? -1 : wantedIn(value, wanted);
    if (value === null || score <= most) continue;
    best = { value, repaired: false };
    most = score;
    if (score === all) return best;
  }
  const repaired = repairedObject(text);
  return repaired !== null && wantedIn(repaired.value, wanted) > most ? repaired : best;
}

function wantedIn(value: JsonObject, wanted: readonly string[]): number {
  const within = [value, ...Object.values(value).filter(isObject)];
  return Math.max(...within.map((one) => wanted.filter((name) => Object.hasOwn(one, name)).length));
}

function* strictCandidates(text: string): Generator<string> {
  yield text;
  for (const block of fencedBlocks(text).slice(-maxTries).toReversed()) {
    if (!isEmptyObject(block)) yield block;
  }
  for (const { start, end, closed } of objectSpans(text).slice(-maxTries).toReversed()) {
    const part = text.slice(start, end);
    if (closed && !isEmptyObject(part)) yield part;
  }
}

function isEmptyObject(text: string): boolean {
  return text.length < 80 && /^\s*\{\s*\}\s*$/.test(text);
}

function strictObject(text: string): JsonObject | null {
  const body = text.trim();
  if (!/^[{[][^]*[}\]]$/.test(body) || depthOf(body) > maxDepth) return null;
  const read = jsonIn(body);
  const isList = Array.isArray(read) && read.length > 0 && read.every(isObject);
  const value = !isList ? read : read.length === 1 ? read[0] : { '': read };
  return isObject(value) ? withoutPrototypeKeys(value) : null;
}

function repairedObject(text: string): Found | null {
  for (const [candidate, isCut] of repairCandidates(text)) {
    const value = candidate.length > maxRepair ? null : repairObject(candidate);
    if (value !== null && Object.keys(value).length > 0) {
      return { value, repaired: true, ...(isCut ? { isCut } : {}) };
    }
  }
  return null;
}

/** The last object of the last fenced block that has one, else of the text; and whether it is cut. */
function repairCandidates(text: string): readonly (readonly [string, boolean])[] {
  const blocks = fencedBlocks(text).slice(-maxTries).toReversed();
  for (const part of [...blocks, text]) {
    const span = objectSpans(part).at(-1);
    if (span === undefined) continue;
    const body = part.slice(span.start, span.end);
    if (span.closed) return [[body, false]];
    return cutEnds(body).map((end) => [end, !/[}\]]\s*`*\s*$/.test(end)]);
  }
  return [];
}

/** A text that ended before its object did, with and without the words that may follow it. */
function cutEnds(body: string): readonly string[] {
  const close = Math.max(body.lastIndexOf('}'), body.lastIndexOf(']')) + 1;
  const rest = body.slice(close).trim();
  const isProse = rest !== '' && !/^[,:]/.test(rest) && !rest.includes('"');
  return isProse ? [body.slice(0, close), body] : [body, body.slice(0, close)];
}

function repairObject(text: string): JsonObject | null {
  try {
    return strictObject(jsonrepair(text));
  } catch (error) {
    // A RangeError is a stack overflow: jsonrepair is recursive and the nesting was hidden.
    if (error instanceof JSONRepairError || error instanceof RangeError) return null;
    throw error;
  }
}

/** The text after the last closing mark of a reasoning block; the whole text if there is none. */
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

function unreadable(reason: string): Extracted {
  return { ok: false, failure: { reason } };
}

/**
 * The contents of the fenced blocks of a text, in order; one that never closes ends with the text.
 * Only a fence at the start of a line counts; the rest of an opening line names the language.
 */
function fencedBlocks(text: string): readonly string[] {
  return text
    .split(/^[ \t]{0,11}```+/m)
    .filter((_, index) => index % 2 === 1)
    .map((block) => block.slice(block.indexOf('\n') + 1));
}

/** A range of a text that may be a JSON object; `end` is exclusive. */
interface JsonSpan {
  readonly start: number;
  readonly end: number;
  /** False where the text ended before the object did. */
  readonly closed: boolean;
}

/** Deeper nesting is refused: every later reader of the value is recursive. */
const maxDepth = 200;

/**
 * The top-level objects of a text in order, each character read a bounded number of times.
 * Braces in strings do not count. A quotation mark ends a string only where JSON could go on, so
 * that unescaped inner quotes rarely derail the count. An object that never closes is the last
 * span: what follows its start is inside it.
 */
function objectSpans(text: string): readonly JsonSpan[] {
  const spans: JsonSpan[] = [];
  for (let at = text.indexOf('{'); at !== -1;) {
    if (!looksLikeObject(text, at)) {
      at = text.indexOf('{', at + 1);
      continue;
    }
    const end = objectEnd(text, at);
    spans.push({ start: at, end: end ?? text.length, closed: end !== null });
    if (end === null) break;
    at = text.indexOf('{', end);
  }
  return spans;
}

/** The deepest nesting of brackets outside of strings, as a strict JSON reader would count it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = strictStringEnd(text, at);
    else if (code === openBrace || code === openBracket) deepest = Math.max(deepest, (depth += 1));
    else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return deepest;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** True for `{"`, `{'`, `{name:`, `{ }`, `{ /`: not for a brace in prose. */
function looksLikeObject(text: string, open: number): boolean {
  const next = skipSpace(text, open + 1);
  const first = text.charAt(next);
  if (first !== '' && '"\'“‘}/'.includes(first)) return true;
  return /^[A-Za-z_$][\w$]{0,63}\s{0,8}:/.test(text.slice(next, next + 80));
}

function objectEnd(text: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = looseStringEnd(text, at);
    } else if (code === openBrace) {
      depth += 1;
    } else if (code === closeBrace) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function looseStringEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) {
      const next = skipSpace(text, at + 1);
      if (next >= text.length || ',:}]'.includes(text.charAt(next))) return at;
      at = next - 1;
    }
  }
  return text.length;
}

function strictStringEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
