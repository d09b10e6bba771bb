// Adds an entry to the text of a host's file with one insertion, and removes it again, so that all else stays as it is.
import { basename } from 'node:path';
import {
  applyEdits,
  findNodeAtLocation,
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

/** The reason why a text is left unchanged. */
export interface Refusal {
  readonly refused: string;
}

/** The deepest nesting of values. */
const mostLevels = 500;
const unreadable = {
  refused: `cannot be read: it is damaged, or its values stand more than ${mostLevels} levels deep`,
};

/** Puts an entry in place of our old one. Refuses a text in which its reader could see more changes than that. */
export function insertEntry(text: string, entry: NamedEntry): string | Refusal {
  const rest = removeEntry(text, entry) ?? text;
  if (typeof rest !== 'string') return rest;
  const before = valueIn(rest, entry.syntax) ?? {};
  const servers = before[entry.section];
  if (servers !== undefined && !isObject(servers)) {
    return { refused: `has something other than named servers as ${entry.section}` };
  }
  const next = entry.syntax === 'toml' ? withBlock(rest, entry) : withProperty(rest, entry);
  return isSame(valueIn(next, entry.syntax), withEntry(before, entry, entry.value))
    ? next
    : { refused: `has ${entry.section} twice or in a form that one more table cannot follow` };
}

/** True if a text has exactly this entry; its host may have added fields to it. */
export function hasEntry(text: string, entry: NamedEntry): boolean {
  const found = serversIn(valueIn(text, entry.syntax) ?? {}, entry)[entry.name];
  return isObject(found) && isSame({ ...found, ...entry.value }, found);
}

/** Removes our entry, and leaves its section. Null if there is none. */
export function removeEntry(text: string, entry: NamedEntry): string | Refusal | null {
  const before = valueIn(text, entry.syntax);
  if (before === null) return unreadable;
  const found = serversIn(before, entry)[entry.name];
  if (found === undefined) return null;
  const wanted = withEntry(before, entry, undefined);
  const rest = textsWithout(text, entry).find((one) =>
    isSame(withEntry(valueIn(one, entry.syntax) ?? {}, entry, undefined), wanted),
  );
  return rest !== undefined && isOurs(found, entry.value)
    ? rest
    : { refused: `has a server "${entry.name}" that is not the one that this command puts there` };
}

/** The text without the property, or without each of the TOML blocks that may be the entry. */
function textsWithout(text: string, { syntax, section, name }: NamedEntry): readonly string[] {
  if (syntax !== 'toml') return [withoutProperty(text, [section, name])];
  // With the empty line before it, up to the next empty line or table.
  const block = new RegExp(
    String.raw`(?:(?<=\n)\r?\n)?^\[${section}\.${name}\]\r?\n(?:[^[\r\n].*(?:\r?\n|$))*`,
    'gm',
  );
  return [...text.matchAll(block)].map(
    ({ 0: { length }, index }) => text.slice(0, index) + text.slice(index + length),
  );
}

/** Cuts a property out with the comma after it and the end of its line; all comments stay. */
function withoutProperty(text: string, path: readonly string[]): string {
  const mark = text.length - withoutMark(text).length;
  const root = parseTree(text.slice(mark));
  const found = root === undefined ? undefined : findNodeAtLocation(root, [...path])?.parent;
  if (found === undefined) return text;
  const before = text.slice(0, mark + found.offset);
  const after = text.slice(mark + found.offset + found.length);
  const rest = after.replace(/^\s*,/, '');
  const kept = rest === after ? before.replace(/,(\s*)$/, '$1') : before;
  const isOwnLine = /\n[ \t]*$/.test(kept) && /^[ \t]*\r?\n/.test(rest);
  return (isOwnLine ? kept.replace(/\r?\n[ \t]*$/, '') : kept) + rest;
}

function serversIn(
  settings: Readonly<Record<string, unknown>>,
  { section }: NamedEntry,
): Readonly<Record<string, unknown>> {
  const servers = settings[section];
  return isObject(servers) ? servers : {};
}

/** The settings with another value of the entry; without it if that is undefined. */
function withEntry(
  settings: Readonly<Record<string, unknown>>,
  entry: NamedEntry,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const { [entry.name]: _, ...others } = serversIn(settings, entry);
  const servers = value === undefined ? others : { ...others, [entry.name]: value };
  return { ...settings, [entry.section]: servers };
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The text of an entry in a separate file. */
export function entryText(entry: NamedEntry): string {
  if (entry.syntax === 'toml') return tomlBlock(entry, '\n');
  return `${JSON.stringify({ [entry.section]: { [entry.name]: entry.value } }, null, 2)}\n`;
}

/** True for an entry of any version of ours: it starts the same script by some Node. */
function isOurs(found: unknown, value: Readonly<Record<string, unknown>>): boolean {
  const [then, now] = [found, value].map((one) => {
    const { command, args = [] } = isObject(one) ? one : {};
    const [, script, ...rest] = [command, args].flat();
    return [typeof script === 'string' ? basename(script) : null, ...rest];
  });
  return isSame(then, now);
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

function withBlock(text: string, entry: NamedEntry): string {
  const end = lineEnd(text);
  const body = withoutMark(text);
  const gap = body === '' ? '' : body.endsWith('\n') ? end : end + end;
  return text + gap + tomlBlock(entry, end);
}

function tomlBlock({ section, name, value }: NamedEntry, end: string): string {
  // TOML spells the values of our entries like JSON.
  const fields = Object.entries(value).map(([key, one]) => `${key} = ${JSON.stringify(one)}`);
  return [`[${section}.${name}]`, ...fields, ''].join(end);
}

/** Writes the entry as the first of its section, on lines of its own if the file has lines. */
function withProperty(text: string, entry: NamedEntry): string {
  const body = withoutMark(text);
  const eol = lineEnd(body);
  if (body.trim() === '') return text + entryText(entry).replaceAll('\n', eol);
  const [, unit = '  '] = /\n([ \t]+)"/.exec(body) ?? [];
  const formatting = { insertSpaces: !unit.includes('\t'), tabSize: unit.length, eol };
  const edits = modify(body, [entry.section, entry.name], entry.value, {
    getInsertionIndex: () => 0,
    ...(body.trim().includes('\n') || body.trim() === '{}'
      ? { formattingOptions: formatting }
      : {}),
  });
  return text.slice(0, text.length - body.length) + applyEdits(body, edits);
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
