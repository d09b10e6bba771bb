// Finds the JSON object in an answer, and repairs it if need be.
import type { Result } from '../../model/failure.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { fieldsInText, joinObjects, withoutPrefixes } from './loose-forms.ts';
import { depthOf, fencedBlocks, maxDepth, objectSpans } from './find-objects.ts';
import { closeCut, repairJson } from './repair-json.ts';

type JsonObject = Record<string, unknown>;

type Extracted = Result<Found, { readonly reason: string }>;

interface Found {
  readonly value: JsonObject;
  readonly repaired: boolean;
  /** Set if the text ended within a value, so that more than a bracket is missing. */
  readonly isCut?: true;
  /** Of a text that ended too early: the same with only the whole entries of its last list. */
  readonly entries?: JsonObject;
  /** Set where it was put together from several pieces. */
  readonly isJoined?: true;
}

/**
 * The JSON object that a model answered, whatever it wrote around it: the whole text, else the
 * last fenced object, else the last balanced one, what comes after a `</think>` first. Among
 * readable objects the one with the most `wanted` fields counts, itself or in its wrapper; several
 * that have equally many are joined where they hold different things. Where none has any, fields of
 * the `known` names may stand in the text by themselves, or the best candidate is repaired (quotes,
 * commas, comments, a cut end), which `repaired` tells. A list of objects is one under an empty
 * name. Keys that could reach a prototype are left out.
 */
export function extractJson(
  text: string,
  wanted: readonly string[] = [],
  known: readonly string[] = wanted,
): Extracted {
  if (text.trim() === '') return unreadable('the answer is empty');
  const whole = strictObject(text) ?? strictObject(textInJson(text));
  if (whole !== null) return { ok: true, value: { value: whole, repaired: false } };
  const after = afterThinking(text);
  const names = { wanted, known };
  const found = (after === text ? null : bestOf(after, names)) ?? bestOf(text, names);
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

/** The text of an answer that is one JSON string. */
function textInJson(text: string): string {
  const inner = text.trim().startsWith('"') ? jsonIn(text) : '';
  return typeof inner === 'string' ? inner : '';
}

/** So many candidates of each kind are tried, from the last one back. */
const maxTries = 64;

interface FieldNames {
  readonly wanted: readonly string[];
  readonly known: readonly string[];
}

function bestOf(text: string, names: FieldNames): Found | null {
  const plain = withoutPrefixes(text);
  const found = [text, ...(plain === null ? [] : [plain])].flatMap((one) => [
    strictOf(one, names),
    scored(repairedObject(one, names.wanted), names),
  ]);
  const whole = best(found);
  const isAll = names.wanted.length === 0 || whole?.score === names.wanted.length;
  const loose = isAll ? null : looseOf(text, whole?.found ?? null, names);
  return best([whole, scored(loose, names)])?.found ?? null;
}

interface Scored {
  readonly found: Found;
  /** The number of wanted fields that it has. */
  readonly score: number;
}

function scored(found: Found | null, { wanted }: FieldNames): Scored | null {
  return found === null ? null : { found, score: wantedIn(found.value, wanted) };
}

/** The first of those with the most wanted fields. */
function best(found: readonly (Scored | null)[]): Scored | null {
  return found.reduce(
    (one, other) => ((other?.score ?? -1) > (one?.score ?? -1) ? other : one),
    null,
  );
}

/** The strict objects of a text with the most wanted fields, as one. */
function strictOf(text: string, { wanted }: FieldNames): Scored | null {
  const objects = new Map<string, JsonObject>();
  for (const candidate of strictCandidates(text)) {
    const value = strictObject(candidate);
    const key = JSON.stringify(value);
    if (value !== null && !objects.has(key)) objects.set(key, value);
  }
  const all = [...objects.values()].toReversed();
  const score = Math.max(...all.map((value) => wantedIn(value, wanted)));
  const equal = all.filter((value) => wantedIn(value, wanted) === score);
  const last = equal.at(-1);
  if (last === undefined) return null;
  const value = wanted.length === 0 ? last : joinObjects(equal, wanted);
  const isJoined = !equal.includes(value);
  return { found: { value, repaired: false, ...(isJoined ? { isJoined } : {}) }, score };
}

/** The fields that stand in a text by themselves, with the entries of its lists where it has no other. */
function looseOf(text: string, found: Found | null, { wanted, known }: FieldNames): Found | null {
  const fields = withoutPrototypeKeys(fieldsInText(text, known));
  if (Object.keys(fields).length === 0) return null;
  const isEntry = found !== null && wantedIn(found.value, wanted) === 0;
  const { '': list = isEntry ? [found.value] : undefined } = found?.value ?? {};
  const hasOwn = Object.values(fields).some((field) => typeof field === 'object' && field !== null);
  const value = hasOwn || list === undefined ? fields : { ...fields, '': list };
  return hasOwn || list !== undefined ? { value, repaired: true, isJoined: true } : null;
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
  return isObject(value) ? withoutPrototypeKeys(withArguments(value)) : null;
}

/** A tool call keeps its arguments as JSON text. */
function withArguments(value: JsonObject): JsonObject {
  const texts = Object.entries(value).flatMap(([name, text]) => {
    const isText = typeof text === 'string' && text.length > 1 && /^\s*\{[^]*\}\s*$/.test(text);
    const inner = isText ? jsonIn(text) : undefined;
    return isObject(inner) ? [[name, inner] as const] : [];
  });
  return texts.length === 0 ? value : { ...value, ...Object.fromEntries(texts) };
}

function repairedObject(text: string, wanted: readonly string[]): Found | null {
  for (const { body, isCut, entries } of repairCandidates(text)) {
    const value = repairObject(body);
    if (value === null || Object.keys(value).length === 0) continue;
    // A brace in prose or in code is no answer that breaks off.
    if (isCut && wanted.length > 0 && wantedIn(value, wanted) === 0) continue;
    const kept = entries === null ? null : repairObject(entries);
    return {
      value,
      repaired: true,
      ...(isCut ? { isCut } : {}),
      ...(kept === null ? {} : { entries: kept }),
    };
  }
  return null;
}

interface RepairCandidate {
  readonly body: string;
  readonly isCut: boolean;
  readonly entries: string | null;
}

/** The last object of the last fenced block that has one, else of the text; where it is cut, as it may be closed. */
function repairCandidates(text: string): readonly RepairCandidate[] {
  const blocks = fencedBlocks(text).slice(-maxTries).toReversed();
  for (const part of [...blocks, text]) {
    const span = objectSpans(part).at(-1);
    if (span === undefined) continue;
    const body = part.slice(span.start, span.end);
    if (span.closed) return [{ body, isCut: false, entries: null }];
    const { whole, entries } = closeCut(body);
    return [
      ...(whole === null ? [] : [{ body: whole, isCut: false, entries }]),
      ...cutEnds(body).map((end) => ({
        body: end,
        isCut: !/[}\]]\s*`*\s*$/.test(end),
        entries,
      })),
    ];
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
  const value = repairJson(text);
  return value === undefined ? null : strictObject(JSON.stringify(value));
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
