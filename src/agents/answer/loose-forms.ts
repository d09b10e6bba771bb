// Reads answers that are no single JSON object: tool calls as text, `key: value` lines, lists, several objects.
import { isObject, jsonIn } from '../../model/json.ts';
import { maxRepair, repairJson } from './repair-json.ts';

type JsonObject = Record<string, unknown>;

/**
 * The fields that stand in a text each by itself: as `<parameter name="field">…`, as `<field>…`, or
 * as a line `field: …`. Values are JSON where they begin like it, else the words there.
 */
export function fieldsInText(text: string, names: readonly string[]): JsonObject {
  if (names.length === 0 || text.length > maxRepair) return {};
  const fields: JsonObject = {};
  let end = 0;
  for (const mark of text.matchAll(markPattern(names))) {
    const [whole, parameter, tag, line] = mark;
    // Names within the value of a field are its own.
    if (mark.index < end) continue;
    const start = mark.index + whole.length;
    end = Math.max(valueEnd(text, start), endOf(text, start, line === undefined ? '</' : '\n'));
    fields[parameter ?? tag ?? line ?? ''] = valueIn(text.slice(start, end));
  }
  return fields;
}

function endOf(text: string, start: number, mark: string): number {
  const end = text.indexOf(mark, start);
  return end === -1 ? text.length : end;
}

function markPattern(names: readonly string[]): RegExp {
  const name = names.map((one) => one.replaceAll(/\W/g, String.raw`\$&`)).join('|');
  return new RegExp(
    String.raw`<[\w:-]*parameter\s+name="(${name})"[^>]*>|<(${name})>|^[ \t>*_#-]*["'\`*]*(${name})["'\`*]*[ \t]*[:=][*]*[ \t]*`,
    'gim',
  );
}

/** The end of the JSON value that begins there; the place itself where none does. */
function valueEnd(text: string, from: number): number {
  const start = from + (/^\s*/.exec(text.slice(from, from + 80))?.[0].length ?? 0);
  if (!'[{'.includes(text.charAt(start) || ' ')) return from;
  let depth = 0;
  for (const { index, 0: sign } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if ('[{'.includes(sign)) depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth === 0) return start + index + 1;
  }
  return text.length;
}

function valueIn(text: string): unknown {
  const trimmed = text.trim().replace(/[,;]$/, '');
  const value = jsonIn(trimmed);
  if (value !== undefined) return value;
  if (!/^[[{]/.test(trimmed)) return trimmed.replace(/^["'“`*]+|["'”`*]+$/g, '');
  return repairJson(trimmed.slice(0, valueEnd(trimmed, 0))) ?? trimmed;
}

/**
 * One answer out of several objects, in the order of the text: a list of them under an empty name
 * where they are entries of one; else the last, with the entries of those before it where all are
 * different. A text on which they differ is left out, so that it is asked for.
 */
export function joinObjects(objects: readonly JsonObject[], wanted: readonly string[]): JsonObject {
  const [first = {}, ...others] = objects;
  const isEntry = (object: JsonObject) => !wanted.some((name) => Object.hasOwn(object, name));
  if (others.length === 0) return first;
  if (objects.every(isEntry)) {
    return objects.every((object) => isAlike(object, first)) ? { '': objects } : lastOf(objects);
  }
  return others.reduce(joinAnswers, first);
}

function lastOf(objects: readonly JsonObject[]): JsonObject {
  return objects.at(-1) ?? {};
}

/** True where both have most of their fields in common. */
function isAlike(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  const shared = names.filter((name) => Object.hasOwn(other, name)).length;
  return shared * 2 > Math.max(names.length, Object.keys(other).length);
}

function joinAnswers(one: JsonObject, other: JsonObject): JsonObject {
  const lists = Object.keys(other).filter((name) => hasOtherEntries(one[name], other[name]));
  if (lists.length === 0) return other;
  const joined = { ...one, ...other };
  for (const [name, value] of Object.entries(other)) {
    const isOther = Object.hasOwn(one, name) && one[name] !== value && typeof value !== 'object';
    if (isOther) Reflect.deleteProperty(joined, name);
  }
  for (const name of lists) joined[name] = [one[name], other[name]].flat();
  return joined;
}

/** True for two lists of objects of which no two have the same name. */
function hasOtherEntries(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return false;
  const names = [...one, ...other].map((entry) => (isObject(entry) ? nameOf(entry) : null));
  return (
    one.length > 0 &&
    other.length > 0 &&
    !names.includes(null) &&
    new Set(names).size === names.length
  );
}

function nameOf({ id, name, solution, path }: JsonObject): string | null {
  const own = [name, id, solution, path].find((one) => typeof one === 'string');
  return typeof own === 'string' ? own : null;
}

/** Without the `> ` of a quotation, or the numbers, before its lines; null where it has none. */
export function withoutPrefixes(text: string): string | null {
  for (const prefix of [/^[ \t]*>[ \t]?/gm, /^[ \t]*\d+[ \t]*(?:[:|→]|\t)[ \t]?/gm]) {
    const lines = text.match(prefix)?.length ?? 0;
    if (lines > 1 && lines * 2 > text.split('\n').length) return text.replaceAll(prefix, '');
  }
  return null;
}
