import { type ChildProcess, spawn } from 'node:child_process';
import { hasCode } from '../store/system-error.ts';

/** What a git command printed, or one clause on why it failed. */
type GitAnswer =
  | { readonly ok: true; readonly stdout: Buffer }
  | { readonly ok: false; readonly reason: string };

/** The reason where there is no program of that name. */
export const gitMissing = 'git is not installed';

/** In bytes. */
const mostOutput = 512 * 1024 * 1024;

/** The folder that git runs in, and what ends it. */
export interface GitPlace {
  readonly root: string;
  readonly signal: AbortSignal;
}

/**
 * Runs one reading git command. Nothing in `.git` is written, and variables that a surrounding git
 * hook has set do not lead to another repository. What compares the work tree goes through
 * `guardedGit`. Rejects with the signal’s reason when it is
 * aborted, once the command has ended.
 */
export async function git(
  place: GitPlace,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<GitAnswer> {
  const { signal } = place;
  signal.throwIfAborted();
  const answer = await answerOf(place, args, variables);
  signal.throwIfAborted();
  return answer;
}

/** Without execa, which takes longer to load than these few commands need. */
function answerOf(
  { root, signal }: GitPlace,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): Promise<GitAnswer> {
  const { promise, resolve } = Promise.withResolvers<GitAnswer>();
  const child: ChildProcess = spawn('git', [...quiet, '-C', root, ...args], {
    env: { ...process.env, ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => void child.kill();
  signal.addEventListener('abort', end, { once: true });
  const stdout = collected(end);
  const stderr = collected(end);
  child.stdout?.on('data', stdout.take);
  child.stderr?.on('data', stderr.take);
  // A program that did not start may never be told to have ended, and has no streams.
  child.on('error', (error) => {
    signal.removeEventListener('abort', end);
    resolve({ ok: false, reason: whyNotStarted(error) });
  });
  child.on('close', (code, killedBy) => {
    signal.removeEventListener('abort', end);
    if (code === 0) return resolve({ ok: true, stdout: stdout.whole() });
    const said = mainLine(stderr.whole().toString('utf8'));
    const otherwise = killedBy === null ? `git ended with ${code}` : `git was ended by ${killedBy}`;
    resolve({ ok: false, reason: said || otherwise });
  });
  return promise;
}

/** Keeps what a stream brings; where that is too much, `end` is called. */
function collected(end: () => void): {
  readonly take: (part: Buffer) => void;
  readonly whole: () => Buffer;
} {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    take: (part) => {
      bytes += part.length;
      if (bytes > mostOutput) end();
      else parts.push(part);
    },
    whole: () => Buffer.concat(parts),
  };
}

function whyNotStarted(error: Error): string {
  if (hasCode(error, ['ENOENT'])) return gitMissing;
  return `git cannot be started: ${error.message}`;
}

/** Why git gave up; warnings may come before it. */
function mainLine(stderr: string): string {
  const lines = stderr.split('\n');
  return lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '';
}

/**
 * Paths as they are, no file system monitor (that setting is a command line), and no diff that
 * writes the index anew.
 */
const quiet = [
  'core.quotepath=off',
  'core.fsmonitor=false',
  'log.showSignature=false',
  'diff.autoRefreshIndex=false',
].flatMap((setting) => ['-c', setting]);

const environment = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Before git 2.45 a missing object is fetched all the same, by what the repository names.
  GIT_ALLOW_PROTOCOL: 'none',
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
