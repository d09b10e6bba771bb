// Reads one settings file, with the line of each key, and checks each value by its shape.
import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { TomlError, type TomlTable, parse } from 'smol-toml';
import { describeValue, kinds } from '../../model/describe-value.ts';
import { Stopped } from '../../model/failure.ts';
import { type Setting, keyIn } from '../../model/setting.ts';
import { settingsList } from '../../model/settings.ts';
import { sha256Of } from '../../store/digest.ts';
import { isAbsent, isSystemError } from '../../store/system-error.ts';
import { suggestion } from '../../model/closest-name.ts';
import { type Leaf, type PathBase, type Source, keyOf, leafOf, pathOf } from './leaf.ts';
import { shapeOf } from '../../model/setting-shape.ts';
import { agentNamePattern } from '../../model/id-patterns.ts';
import { misfitsIn } from '../../store/schema-findings.ts';

export interface ConfigFile {
  readonly file: string;
  /** sha256 of the exact content, in hex. */
  readonly hash: string;
  readonly leaves: readonly Leaf[];
}

/**
 * Reads a settings file; null if it does not exist. Throws `config` with file and line for a file that cannot
 * be read or is not TOML, or for an unknown key or value.
 */
export async function readConfigFile(file: string, home: string): Promise<ConfigFile | null> {
  const bytes = await settingsBytes(file);
  if (bytes === null) return null;
  const text = bytes.toString();
  const stop: Source['stop'] = (path, demand) => {
    const line = lineOf(text, path);
    return configFault(line === 0 ? file : `${file}:${line}`, `${keyOf(path)} ${demand}.`);
  };
  const source: Source = { name: file, base: { folder: dirname(file), home }, stop };
  return { file, hash: sha256Of(bytes), leaves: leavesIn(tomlIn(text, file), [], source) };
}

/** The largest settings file, in bytes; real ones are far smaller. */
const largest = 16 * 1024 * 1024;

/** The content of a file that the user set up; null if it does not exist. Throws `config`. */
export async function settingsBytes(file: string): Promise<Buffer | null> {
  try {
    const found = await stat(file);
    // Reading a pipe waits forever, and a device may have no end.
    if (found.isFile() && found.size <= largest) return await readFile(file);
    throw configFault(file, 'this is not a file of at most 16 MB.');
  } catch (error) {
    if (isAbsent(error)) return null;
    if (!isSystemError(error)) throw error;
    throw configFault(file, `the file cannot be read (${error.code}).`);
  }
}

function configFault(file: string, message: string): Stopped {
  return new Stopped({ reason: 'config', file, message });
}

/** Parses a settings file. Throws `config` if it is not TOML. */
export function tomlIn(text: string, file: string): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw configFault(`${file}:${error.line}:${error.column}`, `this is not valid TOML: ${what}.`);
  }
}

/**
 * The leaves of a table and of its nested tables. Throws, blaming the source, for a key or value that no
 * setting has.
 */
export function leavesIn(value: unknown, path: readonly string[], source: Source): readonly Leaf[] {
  const inside = settingsList.filter((setting) =>
    path.every((part, at) => [part, '*'].includes(setting.path.split('.')[at] ?? '')),
  );
  const setting = inside.find((one) => one.path.split('.').length === path.length);
  if (setting !== undefined) {
    const [, name = ''] = setting.path.includes('*') ? path : [];
    return leavesOf({ setting, name, value, source });
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    throw source.stop(path, `must be a table, not ${describeValue(value)}`);
  }
  const known = new Set(inside.map((one) => one.path.split('.')[path.length] ?? ''));
  const table = new Map<string, unknown>(Object.entries(value));
  for (const { path: of, alias = '' } of inside) {
    const key = keyIn({ path: of });
    if (of.split('.').length !== path.length + 1 || !table.has(alias)) continue;
    const other = table.get(alias);
    if (table.has(key) && !isDeepStrictEqual(table.get(key), other)) {
      const both = `${alias} is another name of ${key}; keep one of them`;
      throw source.stop(
        [...path, key],
        `is ${describeValue(table.get(key))}, and ${alias} is ${describeValue(other)}: ${both}`,
      );
    }
    table.delete(alias);
    table.set(key, other);
  }
  return [...table].flatMap(([key, inner]) => {
    const at = [...path, key];
    if (!known.has(key) && !known.has('*')) throw source.stop(at, unknownKey(at, [...known]));
    return leavesIn(inner, at, source);
  });
}

function unknownKey(path: readonly string[], known: readonly string[]): string {
  const [table, key = ''] = [path.slice(0, -1), path.at(-1)];
  const place = table.length === 0 ? 'The file' : `[${keyOf(table)}]`;
  return `is not known.${suggestion(key, known)} ${place} takes: ${known.join(', ')}`;
}

/**
 * The line (from 1) on which a TOML text sets a key, or otherwise opens the table around it; 0 if it does
 * neither, or has multi-line strings, whose lines could look like keys.
 */
function lineOf(text: string, path: readonly string[]): number {
  if (text.includes('"""') || text.includes("'''")) return 0;
  let best = { depth: 0, line: 0 };
  for (const [index, { table, key }] of tomlLines(text).entries()) {
    const found = [...table, ...key];
    const isOnTheWay = found.every((part, depth) => part === path[depth]);
    if (isOnTheWay && found.length > best.depth) best = { depth: found.length, line: index + 1 };
  }
  return best.line;
}

/** The lines of a TOML text, each with its table and the key that it sets; a header sets no key. */
export function tomlLines(
  text: string,
): readonly { readonly table: readonly string[]; readonly key: readonly string[] }[] {
  let table: readonly string[] = [];
  return text.split('\n').map((whole) => {
    // Keys are never this long, and matching a longer line could take long.
    const line = whole.slice(0, 200);
    const header = /^\s*\[{1,2}([^\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) table = partsOf(header);
    return { table, key: header === undefined ? partsOf(line.split('=')[0] ?? '') : [] };
  });
}

/** The parts of a key in TOML’s spelling. */
export function partsOf(key: string): readonly string[] {
  const parts = key.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [];
  return parts.map((part) => part.replace(/^(["'])(.*)\1$/, '$2'));
}

/**
 * Checks a value and makes its relative paths absolute; an empty text sets nothing. Throws, blaming the source,
 * for a value that does not fit.
 */
export function leavesOf(given: {
  readonly setting: Setting;
  readonly name?: string;
  readonly value: unknown;
  readonly source: Source;
}): readonly Leaf[] {
  const { setting, name = '', source } = given;
  const path = pathOf(setting, name);
  if (path[0] === 'agents' && !agentNamePattern.test(name)) {
    const rule = 'an agent is called by at most 32 lower-case letters, digits, - and _';
    throw source.stop(path.slice(0, 2), `is not the name of an agent; ${rule}`);
  }
  const shape = shapeOf(setting);
  const [misfit] = misfitsIn(given.value, shape, tomlKinds);
  if (misfit !== undefined)
    throw source.stop([...path, ...misfit.path.map(String)], misfit.message);
  const value = withPaths(shape.parse(given.value), setting, source.base);
  return value === '' ? [] : [leafOf(setting, value, { name, source })];
}

/** A bare word is a program on PATH, and an argument such as `vendor/model` is not a path. */
const relativePaths = { file: /./, program: /\//, arguments: /^(?:\.{1,2}|~)\// };

/** The kinds of values in the terms of TOML. */
const tomlKinds = {
  ...kinds,
  string: 'a text in quotes',
  array: 'a list in brackets',
  object: 'a table',
  record: 'a table',
};

function withPaths(value: unknown, setting: Setting, base: PathBase | undefined): unknown {
  if (Array.isArray(value)) return value.map((part: unknown) => withPaths(part, setting, base));
  const { holds } = setting;
  if (holds === undefined || base === undefined || typeof value !== 'string') return value;
  if (isAbsolute(value) || !relativePaths[holds].test(value)) return value;
  return value.startsWith('~/') ? join(base.home, value.slice(2)) : resolve(base.folder, value);
}
