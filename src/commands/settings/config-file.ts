import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { TomlError, parse } from 'smol-toml';
import { Stopped } from '../../model/failure.ts';
import { settingsList } from '../../model/settings.ts';
import { sha256Of } from '../../store/digest.ts';
import { isAbsent, isSystemError } from '../../store/system-error.ts';
import { suggestion } from '../closest-name.ts';
import { type Leaf, type Source, isTable, keyOf, leavesOf, settingAt, shownValue } from './leaf.ts';

export interface ConfigFile {
  readonly file: string;
  /** sha256 of the exact content, in hex. */
  readonly hash: string;
  readonly leaves: readonly Leaf[];
}

/**
 * Reads a settings file; null where there is none. Throws `config` with file and line for what
 * cannot be read, is no TOML, or has a key or value that no setting has.
 */
export async function readConfigFile(file: string, home: string): Promise<ConfigFile | null> {
  const bytes = await settingsBytes(file);
  if (bytes === null) return null;
  const text = textOf(bytes, file);
  const source: Source = {
    name: file,
    starts: { folder: dirname(file), home },
    stop(path, demand) {
      const line = lineOf(text, path);
      return broken(line === null ? file : `${file}:${line}`, `${keyOf(path)} ${demand}.`);
    },
  };
  return { file, hash: sha256Of(bytes), leaves: leavesIn(tableOf(text, file), [], source) };
}

/** More than anybody writes. In bytes. */
const largest = 16 * 1024 * 1024;

/**
 * The content of a file that the user set up; null where there is none. Throws `config` for what
 * cannot be read: so it is with a pipe, which nobody may ever write to, and with what has no end.
 */
export async function settingsBytes(file: string): Promise<Buffer | null> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await handle.stat()).isFIFO()) throw unreadable(file, 'it is a pipe');
    const bytes = await buffer(handle.createReadStream({ end: largest }));
    if (bytes.length > largest) throw unreadable(file, 'it has more than 16 MB');
    return bytes;
  } catch (error) {
    if (isAbsent(error)) return null;
    if (!isSystemError(error)) throw error;
    throw unreadable(file, error.code);
  }
}

function unreadable(file: string, why: string): Stopped {
  return broken(file, `the file cannot be read (${why}).`);
}

function broken(file: string, message: string): Stopped {
  return new Stopped({ reason: 'config', file, message });
}

function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw broken(file, 'the file is not UTF-8 text.');
  }
}

function tableOf(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw broken(`${file}:${error.line}:${error.column}`, `this is no valid TOML: ${what}.`);
  }
}

/** The leaves of a table and of the tables in it. */
function leavesIn(value: unknown, path: readonly string[], source: Source): readonly Leaf[] {
  const setting = settingAt(path);
  if (setting !== undefined) return leavesOf({ setting, path, value, source });
  if (!isTable(value)) throw source.stop(path, `must be a table, not ${shownValue(value)}`);
  const known = keysAt(path);
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    if (!known.includes(key) && !known.includes('*')) throw source.stop(at, unknownKey(at, known));
    return leavesIn(inner, at, source);
  });
}

/** The keys that a table may have; `*` where the user names them. */
function keysAt(path: readonly string[]): readonly string[] {
  const inside = settingsList
    .map((setting) => setting.path.split('.'))
    .filter((parts) => path.every((part, at) => parts[at] === '*' || parts[at] === part))
    .flatMap((parts) => parts[path.length] ?? []);
  return [...new Set(inside)];
}

function unknownKey(path: readonly string[], known: readonly string[]): string {
  const [table, key = ''] = [path.slice(0, -1), path.at(-1)];
  const owner = keysAt([]).find((name) => keysAt([name]).includes(key));
  const hint = suggestion(key, known, owner === undefined ? '' : ` It belongs in [${owner}].`);
  const place = table.length === 0 ? 'The file' : `[${keyOf(table)}]`;
  return `is not known.${hint} ${place} takes: ${known.join(', ')}`;
}

/**
 * The line (from 1) on which a TOML text sets a key, or else opens the table or list around it;
 * null where that is not plain to see.
 */
function lineOf(text: string, path: readonly string[]): number | null {
  // Lines of a multi-line text could look like keys.
  if (text.includes('"""') || text.includes("'''")) return null;
  let table: readonly string[] = [];
  let best = { depth: 0, line: 0 };
  for (const [index, whole] of text.split('\n').entries()) {
    // No key is that long, and matching takes longer than the line.
    const line = whole.slice(0, 200);
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) table = partsOf(header);
    const key = /^\s*((?:[A-Za-z0-9_.\s-]|"[^"]*"|'[^']*')+?)\s*=/.exec(line)?.[1];
    if (header === undefined && key === undefined) continue;
    const found = key === undefined ? table : [...table, ...partsOf(key)];
    // The table or the list around it is better than no line.
    const isOnTheWay = found.every((part, depth) => part === path[depth]);
    if (isOnTheWay && found.length > best.depth) best = { depth: found.length, line: index + 1 };
  }
  return best.depth === 0 ? null : best.line;
}

function partsOf(key: string): readonly string[] {
  const parts = key.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [];
  return parts.map((part) => part.replace(/^(["'])(.*)\1$/, '$2'));
}
