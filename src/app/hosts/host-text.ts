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
export function insertEntry(text: string, entry: NamedEntry): string | Refusal {
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
  const next = entry.syntax === 'toml' ? withBlock(text, entry) : withProperty(text, entry);
  const wanted = { ...before, [entry.section]: { ...found, [entry.name]: entry.value } };
  const after = valueIn(next, entry.syntax);
  return after !== null && canonicalJson(after) === canonicalJson(wanted)
    ? next
    : { refused: `has ${entry.section} twice or in a form that one more table cannot follow` };
}

/**
 * Removes an entry from a text that changed since it was inserted: its block in TOML, the property itself in
 * JSON. Null if it is missing.
 */
export function removeEntry(text: string, entry: NamedEntry): string | Refusal | null {
  const before = valueIn(text, entry.syntax);
  if (before === null) return unreadable;
  const section = before[entry.section];
  const found = isObject(section) ? section[entry.name] : undefined;
  if (found === undefined) return null;
  if (entry.syntax !== 'toml' && isOurs(found, entry.value)) {
    return applyEdits(text, modify(text, [entry.section, entry.name], undefined, {}));
  }
  const rest = text.replace(tomlBlock(entry, lineEnd(text)), '');
  const again = entry.syntax === 'toml' ? insertEntry(rest, entry) : null;
  return typeof again === 'string' &&
    canonicalJson(valueIn(again, 'toml')) === canonicalJson(before)
    ? rest
    : { refused: `has a server "${entry.name}" that is not the one that this command put there` };
}

/** The text of an entry in a separate file. */
export function entryText(entry: NamedEntry): string {
  if (entry.syntax === 'toml') return tomlBlock(entry, '\n');
  return `${JSON.stringify({ [entry.section]: { [entry.name]: entry.value } }, null, 2)}\n`;
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
