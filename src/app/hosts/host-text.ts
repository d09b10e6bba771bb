// Adds an entry to the text of a host's file with one insertion, and removes it again.
import {
  applyEdits,
  modify,
  type Node,
  type ParseError,
  parseTree,
  getNodeValue,
} from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { isObject } from '../../model/json.ts';
import { canonicalJson } from '../../store/digest.ts';
import type { ConfigSyntax } from './host-list.ts';

/** An entry by its name in a section of the file. */
export interface NamedEntry {
  readonly syntax: ConfigSyntax;
  readonly section: string;
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface TextInsertion {
  readonly text: string;
  /** The exact bytes that were inserted, all at one place. */
  readonly inserted: string;
}

/** The reason why a text is left unchanged. */
export interface Refusal {
  readonly refused: string;
}

/** The deepest nesting of values. */
const mostLevels = 500;
const unreadable = {
  refused: `cannot be read: it is damaged, or its values stand more than ${mostLevels} levels deep`,
};

/** Inserts an entry. Refuses a text in which its reader could see more changes than the entry. */
export function insertEntry(text: string, entry: NamedEntry): TextInsertion | Refusal {
  const before = valueIn(text, entry.syntax);
  if (before === null) return unreadable;
  const found = before[entry.section];
  if (found !== undefined && !isObject(found)) {
    return { refused: `has something other than named servers as ${entry.section}` };
  }
  if (found?.[entry.name] !== undefined) {
    return {
      refused: `has a server "${entry.name}" already that was not put there by this command`,
    };
  }
  const place = entry.syntax === 'toml' ? placeAtEnd(text, entry) : afterBrace(text, entry);
  if (place === null) return { refused: `has ${entry.section} twice` };
  const next = text.slice(0, place.at) + place.inserted + text.slice(place.at);
  const wanted = { ...before, [entry.section]: { ...found, [entry.name]: entry.value } };
  const after = valueIn(next, entry.syntax);
  if (after === null || canonicalJson(after) !== canonicalJson(wanted)) {
    return { refused: `has ${entry.section} in a form that one more table cannot follow` };
  }
  return { text: next, inserted: place.inserted };
}

/**
 * Removes what `insertEntry` added: the same bytes, if the text contains them exactly once; otherwise, in JSON
 * that the host has rewritten since, only the entry. Null if it is missing.
 */
export function removeEntry(
  text: string,
  entry: NamedEntry,
  inserted: string,
): { readonly text: string; readonly isExact: boolean } | Refusal | null {
  const before = valueIn(text, entry.syntax);
  if (before === null) return unreadable;
  const rest = withoutBytes(text, inserted);
  if (rest !== null && lacksOnly(valueIn(rest, entry.syntax), before, entry)) {
    return { text: rest, isExact: true };
  }
  const section = before[entry.section];
  const found = isObject(section) ? section[entry.name] : undefined;
  if (found === undefined) return null;
  if (entry.syntax === 'toml' || !isOurs(found, entry.value)) {
    return {
      refused: `has a server "${entry.name}" that is not the one that this command put there`,
    };
  }
  const edits = modify(text, [entry.section, entry.name], undefined, {});
  return { text: applyEdits(text, edits), isExact: false };
}

/** The text of an entry in a separate file. */
export function entryText(entry: NamedEntry): string {
  if (entry.syntax === 'toml') return tomlBlock(entry, '\n');
  return `${JSON.stringify({ [entry.section]: { [entry.name]: entry.value } }, null, 2)}\n`;
}

function withoutBytes(text: string, inserted: string): string | null {
  const at = text.indexOf(inserted);
  if (inserted === '' || at === -1 || at !== text.lastIndexOf(inserted)) return null;
  return text.slice(0, at) + text.slice(at + inserted.length);
}

/** True if only the entry is missing afterwards; its section may have come and gone with it. */
function lacksOnly(
  after: Readonly<Record<string, unknown>> | null,
  before: Readonly<Record<string, unknown>>,
  { section, name }: NamedEntry,
): boolean {
  if (after === null) return false;
  const others = (value: unknown) =>
    Object.entries(isObject(value) ? value : {}).filter(([key]) => key !== name);
  const plain = (value: Readonly<Record<string, unknown>>) =>
    canonicalJson({ ...value, [section]: Object.fromEntries(others(value[section])) });
  const left = after[section];
  return plain(after) === plain(before) && !(isObject(left) && name in left);
}

/** True for our entry, to which a host may have added fields of its own. */
function isOurs(found: unknown, value: Readonly<Record<string, unknown>>): boolean {
  if (!isObject(found)) return false;
  const same = ['command', 'args'].map((key) => [found[key] ?? null, value[key] ?? null]);
  return same.every(([a, b]) => canonicalJson(a) === canonicalJson(b));
}

/** Null for what its host could not read, and for JSON that is nested too deeply for recursive functions. */
function valueIn(text: string, syntax: ConfigSyntax): Readonly<Record<string, unknown>> | null {
  const body = withoutMark(text);
  if (syntax === 'toml') return tomlIn(body);
  if (body.trim() === '') return {};
  if (depthOf(body) > mostLevels) return null;
  const root = jsonTree(body, syntax);
  const value: unknown = root === null ? null : getNodeValue(root);
  return isObject(value) ? value : null;
}

function depthOf(body: string): number {
  let [depth, most] = [0, 0];
  for (const [mark] of body.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') most = Math.max(most, (depth += 1));
    else if (mark === ']' || mark === '}') depth -= 1;
  }
  return most;
}

function tomlIn(body: string): Readonly<Record<string, unknown>> | null {
  try {
    return parseToml(body);
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

function jsonTree(body: string, syntax: ConfigSyntax): Node | null {
  const errors: ParseError[] = [];
  const options = {
    disallowComments: syntax === 'json',
    allowTrailingComma: syntax === 'json-with-commas',
  };
  const root = parseTree(body, errors, options);
  return errors.length > 0 || root === undefined ? null : root;
}

function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}
const byteOrderMark = '\uFEFF';

interface Place {
  readonly at: number;
  readonly inserted: string;
}

function placeAtEnd(text: string, entry: NamedEntry): Place {
  const end = lineEnd(text);
  const body = withoutMark(text);
  const gap = body === '' ? '' : body.endsWith('\n') ? end : end + end;
  return { at: text.length, inserted: gap + tomlBlock(entry, end) };
}

function tomlBlock({ section, name, value }: NamedEntry, end: string): string {
  // TOML spells the values of our entries like JSON.
  const fields = Object.entries(value).map(([key, one]) => `${key} = ${JSON.stringify(one)}`);
  return [`[${section}.${name}]`, ...fields, ''].join(end);
}

/** Null if the section occurs twice. */
function afterBrace(text: string, entry: NamedEntry): Place | null {
  const body = withoutMark(text);
  const root = jsonTree(body, entry.syntax);
  const offset = text.length - body.length;
  if (root === null) {
    const inserted = entryText(entry).replaceAll('\n', lineEnd(text));
    return { at: text.length, inserted };
  }
  const all = (root.children ?? []).filter(
    ({ children }) => children?.[0]?.value === entry.section,
  );
  if (all.length > 1) return null;
  const section = all[0]?.children?.[1];
  const target = section ?? root;
  const { name, value } = entry;
  const property =
    section === undefined
      ? ([entry.section, { [name]: value }] as const)
      : ([name, value] as const);
  return { at: offset + target.offset + 1, inserted: propertyText(body, target, property) };
}

/** Writes a property as the first of an object, in the style of its neighbours. */
function propertyText(
  body: string,
  target: Node,
  [name, value]: readonly [name: string, value: unknown],
): string {
  const inside = body.slice(target.offset, target.offset + target.length);
  const isEmpty = (target.children ?? []).length === 0;
  const hasLines = inside.includes('\n');
  if (!hasLines && !isEmpty) return `${JSON.stringify(name)}: ${JSON.stringify(value)}, `;
  const end = lineEnd(body);
  const unit = /\n([ \t]+)"/.exec(body)?.[1] ?? '  ';
  const line = body.slice(body.lastIndexOf('\n', target.offset) + 1, target.offset);
  const base = /^[ \t]*/.exec(line)?.[0] ?? '';
  const indent = /^\{[ \t]*\r?\n([ \t]+)"/.exec(inside)?.[1] ?? base + unit;
  const lines = JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`);
  const text = `\n${indent}${JSON.stringify(name)}: ${lines}`.replaceAll('\n', end);
  if (!isEmpty) return `${text},`;
  return hasLines ? text : `${text}${end}${base}`;
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
