import { type ChildProcess, spawn } from 'node:child_process';
import { hasCode } from '../store/system-error.ts';

/** How a git command ended: well, or one clause on why it failed. */
type GitEnd = { readonly ok: true } | { readonly ok: false; readonly reason: string };
/** The same with what it printed. */
type GitAnswer = Exclude<GitEnd, { ok: true }> | { readonly ok: true; readonly stdout: Buffer };

/** The reason where there is no program of that name. */
export const gitMissing = 'git is not installed';

const mostOutput = 512 * 1024 * 1024;

/** The folder that git runs in, and what ends it. */
export interface GitPlace {
  readonly root: string;
  readonly signal: AbortSignal;
  /** What git reads from its standard input. */
  readonly input?: string;
}

/**
 * Runs one reading git command. Nothing in `.git` is written, and variables that a surrounding git
 * hook has set do not lead to another repository. Rejects with the signal’s reason when it is
 * aborted, once the command has ended.
 */
export async function git(place: GitPlace, args: readonly string[]): Promise<GitAnswer> {
  const stdout = collected();
  const end = await gitInParts(place, args, stdout.take);
  return end.ok ? { ok: true, stdout: stdout.whole() } : end;
}

/**
 * The same for an answer that is used while it comes. A part that is not taken ends the command, as
 * does an error of `take`, which is thrown.
 */
export async function gitInParts(
  place: GitPlace,
  args: readonly string[],
  take: (part: Buffer) => boolean,
): Promise<GitEnd> {
  const { signal } = place;
  signal.throwIfAborted();
  const end = await endOf(place, args, take);
  signal.throwIfAborted();
  return end;
}

/** Without execa, which takes longer to load than these few commands need. */
function endOf(
  { root, signal, input }: GitPlace,
  args: readonly string[],
  take: (part: Buffer) => boolean,
): Promise<GitEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<GitEnd>();
  const child: ChildProcess = spawn('git', [...quiet, '-C', root, ...args], {
    env: { ...process.env, ...environment },
    stdio: 'pipe',
  });
  const end = (): void => void child.kill();
  signal.addEventListener('abort', end, { once: true });
  const stderr = collected();
  let thrown: { readonly error: unknown } | null = null;
  child.stdout?.on('data', (part: Buffer) => {
    try {
      if (thrown !== null || !take(part)) end();
    } catch (error) {
      thrown = { error };
      end();
    }
  });
  child.stderr?.on('data', stderr.take);
  // Git may end before it has read everything; what it then says is its answer.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  // A program that did not start may never be told to have ended, and has no streams.
  child.on('error', (error) => {
    signal.removeEventListener('abort', end);
    resolve({ ok: false, reason: whyNotStarted(error) });
  });
  child.on('close', (code, killedBy) => {
    signal.removeEventListener('abort', end);
    if (thrown !== null) return reject(thrown.error);
    if (code === 0) return resolve({ ok: true });
    const said = mainLine(stderr.whole().toString('utf8'));
    const otherwise = killedBy === null ? `git ended with ${code}` : `git was ended by ${killedBy}`;
    resolve({ ok: false, reason: said || otherwise });
  });
  return promise;
}

function whyNotStarted(error: Error): string {
  if (hasCode(error, ['ENOENT'])) return gitMissing;
  return `git cannot be started: ${error.message}`;
}

/** What git gave up for, which warnings may stand before. */
function mainLine(stderr: string): string {
  const lines = stderr.split('\n');
  return lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '';
}

interface Collected {
  readonly take: (part: Buffer) => boolean;
  readonly whole: () => Buffer;
}

/** Keeps what a stream brings, until that is too much. */
function collected(): Collected {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    take(part) {
      bytes += part.length;
      const fits = bytes <= mostOutput;
      if (fits) parts.push(part);
      return fits;
    },
    whole: () => Buffer.concat(parts),
  };
}

/** Paths as they are, and no file system monitor: that setting is a command line. */
const quiet = ['core.quotepath=off', 'core.fsmonitor=false', 'log.showSignature=false'].flatMap(
  (setting) => ['-c', setting],
);

const environment = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // A list comes in whole blocks, not commit by commit: each piece would wake this process.
  GIT_FLUSH: '0',
  GIT_LITERAL_PATHSPECS: undefined,
  GIT_DIR: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_WORK_TREE: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_NAMESPACE: undefined,
  GIT_PREFIX: undefined,
};
