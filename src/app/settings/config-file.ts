// Reads one settings file, with the line of each key.
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TomlError, type TomlTable, parse } from 'smol-toml';
import { Stopped } from '../../model/failure.ts';
import { sha256Of } from '../../store/digest.ts';
import { isAbsent, isSystemError } from '../../store/system-error.ts';
import { type Leaf, type Source, keyOf } from './leaf.ts';

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
  return { file, hash: sha256Of(bytes), leaves: await leavesOfFile(tomlIn(text, file), source) };
}

/** The leaves of a file. Many set nothing, such as that of `config init`, and need nothing that checks values. */
async function leavesOfFile(table: TomlTable, source: Source): Promise<readonly Leaf[]> {
  if (Object.keys(table).length === 0) return [];
  return (await import('./checked-leaves.ts')).leavesIn(table, [], source);
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
