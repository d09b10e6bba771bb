// Changes the file of a host on disk: shows the change, and keeps a copy.
import { chmod, lstat, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { wrongUsage } from '../../model/failure.ts';
import { writeAtomic } from '../../store/atomic.ts';
import { sha256Of } from '../../store/digest.ts';
import { guardWrite, nullIfAbsent } from '../../store/system-error.ts';
import { hostsFolder } from '../folders.ts';
import { refuseAgents } from '../inside-agent.ts';
import { entryText, hasEntry, insertEntry, type NamedEntry, removeEntry } from './host-text.ts';
import { makeFolder } from '../../store/make-folder.ts';

/** A change of a host’s file that has not been made yet. */
export interface HostChange {
  /** The path with all links resolved. */
  readonly file: string;
  /** The old text; null if the file does not exist. */
  readonly before: string | null;
  readonly after: string;
}

/**
 * The change that adds an entry to a file, or null if the file already contains it. Throws `usage`, with the
 * text to paste, for a file that it cannot change safely.
 */
export async function additionTo(path: string, entry: NamedEntry): Promise<HostChange | null> {
  const { file, text } = await readHostFile(path);
  if (hasEntry(text ?? '', entry)) return null;
  const after = insertEntry(text ?? '', entry);
  if (typeof after === 'string') return { file, before: text, after };
  throw wrongUsage(
    `${file} ${after.refused}, so it is left as it is. Put this there by hand:\n${entryText(entry)}`,
  );
}

/** The change that removes our entry, or null if there is none. Throws `usage` like `additionTo`. */
export async function removalOf(path: string, entry: NamedEntry): Promise<HostChange | null> {
  const { file, text } = await readHostFile(path);
  const after = text === null ? null : removeEntry(text, entry);
  if (after === null) return null;
  if (typeof after === 'string') return { file, before: text, after };
  throw wrongUsage(`${file} ${after.refused}; remove the server by hand.`);
}

/** Makes a change; returns the path of the copy of the old file, or null if there was none. */
export async function makeChange(
  { file, before, after }: HostChange,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  await refuseAgents(environment);
  if ((await textOf(file)) !== before) {
    throw wrongUsage(`${file} was changed meanwhile by another program; try again.`);
  }
  const copy = before === null ? null : await keepCopy(file, before, environment);
  await replaceKeepingMode(file, after);
  return copy;
}

async function replaceKeepingMode(file: string, text: string): Promise<void> {
  const old = await nullIfAbsent(stat(file));
  await guardWrite(file, () => makeFolder(dirname(file), { mode: 0o700 }));
  await writeAtomic(file, text);
  if (old !== null) await guardWrite(file, () => chmod(file, old.mode & 0o7777));
}

async function keepCopy(
  file: string,
  text: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const name = `${sha256Of(file).slice(0, 8)}-${basename(file)}`;
  const copy = join(hostsFolder(environment), 'before', name);
  await guardWrite(copy, () => makeFolder(dirname(copy), { mode: 0o700 }));
  await writeAtomic(copy, text);
  return copy;
}

async function readHostFile(path: string) {
  const real = await nullIfAbsent(realpath(path));
  if (real === null && (await nullIfAbsent(lstat(path))) !== null) {
    throw wrongUsage(`${path} is a link that leads nowhere, so it is left as it is.`);
  }
  const file = real ?? path;
  return { file, text: await textOf(file) };
}

/**
 * Null if the file does not exist. Throws `usage` for a pipe or a device, which could block without end, and
 * for bytes that are not UTF-8, which could not be restored.
 */
export async function textOf(file: string): Promise<string | null> {
  const found = await nullIfAbsent(stat(file));
  if (found?.isFile() === false)
    throw wrongUsage(`${file} is not a regular file, so it is left as it is; move it away first.`);
  const bytes = found === null ? null : await nullIfAbsent(readFile(file));
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw wrongUsage(`${file} is not in UTF-8, so it is left as it is.`);
}

/** The lines that a change removes and adds, as in a diff. */
export function diffLines({ before, after }: HostChange): readonly string[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < Math.min(old.length, next.length) && old[head] === next[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, next.length) - head;
  while (tail < most && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const minus = old.slice(head, old.length - tail).map((line) => `- ${line}`);
  return [...minus, ...next.slice(head, next.length - tail).map((line) => `+ ${line}`)];
}

function linesOf(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
