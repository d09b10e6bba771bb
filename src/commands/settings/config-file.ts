import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { TomlError, parse } from 'smol-toml';
import { Config } from '../../model/config.ts';
import { Stopped } from '../../model/failure.ts';
import { sha256Of } from '../../store/digest.ts';
import { isAbsent, isSystemError } from '../../store/system-error.ts';
import { faultOf } from './fault-text.ts';
import { type Leaf, leavesOf } from './leaf.ts';

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
  const raw = tableOf(text, file);
  const stopAt = (path: readonly string[], message: string): Stopped => {
    const line = lineOf(text, path);
    return new Stopped({
      reason: 'config',
      file: line === null ? file : `${file}:${line}`,
      message,
    });
  };
  const parsed = Config.safeParse(raw, { reportInput: true });
  if (!parsed.success) {
    const { path, message } = faultOf(parsed.error);
    throw stopAt(path, message);
  }
  const starts = { folder: dirname(file), home };
  const leaves = leavesOf({ config: parsed.data, source: file, stopAt, starts });
  return { file, hash: sha256Of(bytes), leaves };
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
    const fault = await kindFault(await handle.stat());
    if (fault !== null) throw unreadable(file, fault);
    return await handle.readFile();
  } catch (error) {
    if (isAbsent(error)) return null;
    if (!isSystemError(error)) throw error;
    throw unreadable(file, error.code);
  }
}

/** A folder is refused by the system; a file that leads to the null device is an empty one. */
async function kindFault(found: Stats): Promise<string | null> {
  if (found.isFIFO()) return 'it is a pipe';
  const isDevice = found.isCharacterDevice() || found.isBlockDevice();
  if (isDevice && (await stat(devNull)).rdev !== found.rdev) return 'it is a device';
  return found.isFile() && found.size > largest ? 'it has more than 16 MB' : null;
}

function unreadable(file: string, why: string): Stopped {
  return new Stopped({ reason: 'config', file, message: `the file cannot be read (${why}).` });
}

function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Stopped({ reason: 'config', file, message: 'the file is not UTF-8 text.' });
  }
}

function tableOf(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new Stopped({
      reason: 'config',
      file: `${file}:${error.line}:${error.column}`,
      message: `this is no valid TOML: ${what}.`,
    });
  }
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
