// Changes the file of a host on disk: shows the change, keeps a copy, and remembers what it added.
import { chmod, lstat, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { Text, TextOrNull } from '../../model/plain-shapes.ts';
import { wrongUsage } from '../../model/failure.ts';
import { isObject } from '../../model/json.ts';
import { writeAtomic } from '../../store/atomic.ts';
import { sha256Of } from '../../store/digest.ts';
import { readUserJson, writeUserJson } from '../../store/small-file.ts';
import { guardWrite, nullIfAbsent } from '../../store/system-error.ts';
import { hostsFolder } from '../folders.ts';
import { refuseAgents } from '../inside-agent.ts';
import { entryText, insertEntry, type NamedEntry, type Refusal, removeEntry } from './host-text.ts';
import { makeFolder } from '../../store/make-folder.ts';

const Known = z.record(
  Text,
  z.object({
    /** The text without the entry; null if the file did not exist. */
    before: TextOrNull,
    /** The text with the entry, as it was written. */
    after: Text,
    value: z.record(Text, z.unknown()),
  }),
);
type Known = z.infer<typeof Known>;

/** A change of a host’s file that has not been made yet. */
export interface HostChange {
  /** The path with all links resolved. */
  readonly file: string;
  /** The old text; null if the file does not exist. */
  readonly before: string | null;
  /** The new text; null to remove the file. */
  readonly after: string | null;
  /** False if the host has rewritten its file since, so that only the entry itself is removed. */
  readonly isExact: boolean;
  /** The record that a later removal needs; null to delete it. */
  readonly memory: Known[string] | null;
}

/**
 * The change that adds an entry to a file, or null if the file already contains it. Throws `usage`, with the
 * text to paste, for a file that it cannot change safely.
 */
export async function additionTo(
  path: string,
  entry: NamedEntry,
  environment: NodeJS.ProcessEnv,
): Promise<HostChange | null> {
  const { file, text, known } = await readHostFile(path, environment);
  const old = known === undefined ? null : removalFrom(text ?? '', entry, known);
  if (isRefusal(old)) throw refusalOf(file, old, entry);
  const base = old?.text ?? text ?? '';
  const after = insertEntry(base, entry);
  if (isRefusal(after)) throw refusalOf(file, after, entry);
  if (after === text) return null;
  const isNew = text === null || (old?.isExact === true && known?.before === null);
  const memory = { before: isNew ? null : base, after, value: { ...entry.value } };
  return { file, before: text, after, isExact: true, memory };
}

/** The change that removes our entry, or null if there is none. Throws `usage` like `additionTo`. */
export async function removalOf(
  path: string,
  entry: NamedEntry,
  environment: NodeJS.ProcessEnv,
): Promise<HostChange | null> {
  const { file, text, known } = await readHostFile(path, environment);
  if (text === null || known === undefined) {
    if (text !== null && isRefusal(insertEntry(text, entry))) {
      throw wrongUsage(
        `${file} has nothing that this command put there; remove the server by hand.`,
      );
    }
    return null;
  }
  const removal = removalFrom(text, entry, known);
  if (removal === null) return null;
  if (isRefusal(removal)) {
    throw wrongUsage(`${file} ${removal.refused}; remove the server by hand.`);
  }
  const isGone = known.before === null && removal.text.trim() === '';
  const after = isGone ? null : removal.text;
  return { file, before: text, after, isExact: removal.isExact, memory: null };
}

/** The text without the entry: as it was before, unless something else changed since; null if it has none. */
function removalFrom(text: string, entry: NamedEntry, { before, after, value }: Known[string]) {
  if (text === after) return { text: before ?? '', isExact: true };
  const rest = removeEntry(text, { ...entry, value });
  return typeof rest === 'string' ? { text: rest, isExact: false } : rest;
}

function isRefusal(value: unknown): value is Refusal {
  return isObject(value) && 'refused' in value;
}

function refusalOf(file: string, { refused }: Refusal, entry: NamedEntry) {
  return wrongUsage(
    `${file} ${refused}, so it is left as it is. Put this there by hand:\n${entryText(entry)}`,
  );
}

/** Makes a change; returns the path of the copy of the old file, or null if there was none. */
export async function makeChange(
  { file, before, after, memory }: HostChange,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  await refuseAgents(environment);
  if ((await textOf(file)) !== before) {
    throw wrongUsage(`${file} was changed meanwhile by another program; try again.`);
  }
  const copy = before === null ? null : await keepCopy(file, before, environment);
  // Recorded first: a record of a missing entry does no harm, but an unrecorded entry would stay for ever.
  if (memory !== null) await remember(file, memory, environment);
  if (after === null) await guardWrite(file, () => rm(file, { force: true }));
  else await replaceKeepingMode(file, after);
  if (memory === null) await remember(file, null, environment);
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

async function readHostFile(path: string, environment: NodeJS.ProcessEnv) {
  const real = await nullIfAbsent(realpath(path));
  if (real === null && (await nullIfAbsent(lstat(path))) !== null) {
    throw wrongUsage(`${path} is a link that leads nowhere, so it is left as it is.`);
  }
  const file = real ?? path;
  const known = (await knownIn(environment))[file];
  return { file, text: await textOf(file), known };
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

const memoryFile = (environment: NodeJS.ProcessEnv): string =>
  join(hostsFolder(environment), 'entries.json');

async function knownIn(environment: NodeJS.ProcessEnv): Promise<Known> {
  return (await readUserJson(memoryFile(environment), Known)) ?? {};
}

async function remember(
  file: string,
  memory: Known[string] | null,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { [file]: _, ...others } = await knownIn(environment);
  const all = memory === null ? others : { ...others, [file]: memory };
  await writeUserJson(memoryFile(environment), all);
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
