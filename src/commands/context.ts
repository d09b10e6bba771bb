import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { hasIndex } from '../context/local/index-place.ts';
import { type Committed, openRepository } from '../git/open-repository.ts';
import type { Sparing } from '../git/quick-status.ts';
import { Stopped } from '../model/failure.ts';
import { longestTask } from '../model/text-size.ts';
import { isSystemError } from '../store/system-error.ts';
import type { CommonOptions } from './program/options.ts';
import { projectRoot } from './working-folder.ts';
import { indexFolder } from './settings/data-folder.ts';
import { taskBytes } from './task-text.ts';
import { interruptible } from './wiring/interruptions.ts';

type Differing = Sparing['differing'];

/** What of the result is printed: all of it, the paths alone, or a text for a prompt. */
interface Printed {
  readonly paths: boolean;
  /** As typed; null where it was not given. */
  readonly budget: string | null;
}

interface Run {
  readonly task: string;
  readonly root: string;
  readonly signal: AbortSignal;
  readonly markPrefix: string;
}

const budgetRange = { least: 100, most: 1_000_000 };

/** `conclave context`: the search of phase 1, without a session. */
export async function contextCommand(
  words: readonly string[],
  { cwd, json, paths, budget }: CommonOptions & Printed,
): Promise<number> {
  if (paths && json) throw excluding('--paths', '--json');
  if (paths && budget !== null) throw excluding('--paths', '--budget');
  const tokens = budget === null ? null : tokensOf(budget);
  const task = await taskText(words);
  const root = await readableRoot(cwd);
  await interruptible((program) =>
    searchAtOnce({ task, root, ...program }, { json, paths, tokens }),
  );
  return 0;
}

async function searchAtOnce(
  { task, root, signal, markPrefix }: Run,
  printed: { readonly json: boolean; readonly paths: boolean; readonly tokens: number | null },
): Promise<void> {
  const { promise: committed, resolve: onCommit } = Promise.withResolvers<Committed>();
  const { promise: differing, resolve: onDiffering } = Promise.withResolvers<Differing>();
  const sparing: Sparing = {
    scratch: indexFolder(process.env),
    differing: async (files) => (await differing)(files),
  };
  const ended = new AbortController();
  const opening = openRepository({
    root,
    base: null,
    snapshots: null,
    isPassing: true,
    signal: AbortSignal.any([signal, ended.signal]),
    onCommit,
    sparing,
    isKnown: (found) => hasIndex(indexFolder(process.env), found),
  });
  // Wrong settings are told before a repository that cannot be opened.
  const opened = opening.catch(() => undefined);
  try {
    await Promise.race([committed, opened]);
    // Git works while the rest of the program is loaded.
    const { searchAndPrint } = await import('./context-search.ts');
    const found = { root, opening, committed, onDiffering, signal, markPrefix };
    await searchAndPrint(task, found, printed);
  } finally {
    // Where it failed, git may still be at work, with files that are deleted after it.
    ended.abort();
    onDiffering(async () => null);
    await opened;
  }
}

function excluding(one: string, other: string): Stopped {
  const message = `${one} and ${other} exclude each other; give one of them.`;
  return new Stopped({ reason: 'usage', message });
}

function tokensOf(budget: string): number {
  const tokens = /^\d{1,7}$/.test(budget) ? Number(budget) : Number.NaN;
  const { least, most } = budgetRange;
  if (tokens >= least && tokens <= most) return tokens;
  const message = `--budget takes a number of tokens from ${least} to ${most}, not ${JSON.stringify(budget)}.`;
  throw new Stopped({ reason: 'usage', message });
}

async function taskText(words: readonly string[]): Promise<string> {
  const given = words.join(' ').trim();
  const task = given === '-' ? (await taskBytes(process.stdin)).toString('utf8').trim() : given;
  const bytes = Buffer.byteLength(task);
  if (bytes > longestTask) {
    const message = `The task text has ${bytes} bytes and at most ${longestTask} are taken; shorten it.`;
    throw new Stopped({ reason: 'usage', message });
  }
  if (task !== '') return task;
  const where = given === '-' ? ' on standard input' : '';
  const message = `The task text${where} is empty; say what it is about, e.g. conclave context "Add a --json flag".`;
  throw new Stopped({ reason: 'usage', message });
}

async function readableRoot(cwd: string): Promise<string> {
  try {
    await access(cwd, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `The folder ${cwd} cannot be read (${error.code}); name another one with -C.`;
    throw new Stopped({ reason: 'usage', message });
  }
  return await projectRoot(cwd);
}
