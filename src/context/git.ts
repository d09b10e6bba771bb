import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** What one git command printed, or one clause on why it failed. */
type GitAnswer =
  | { readonly ok: true; readonly stdout: Buffer }
  | { readonly ok: false; readonly reason: string };

const mostOutput = 512 * 1024 * 1024;

/** The folder that git runs in, and what ends it. */
export interface GitPlace {
  readonly root: string;
  readonly signal: AbortSignal;
  /** What git reads from its standard input. */
  readonly input?: string;
  /** Absolute: what git takes for its index. */
  readonly indexFile?: string;
}

/**
 * Runs one reading git command. Nothing in `.git` is written, and variables that a surrounding git
 * hook has set do not lead to another repository. Rejects with the signal’s reason when it is
 * aborted, once the command has ended.
 */
export async function git(place: GitPlace, args: readonly string[]): Promise<GitAnswer> {
  const { signal } = place;
  signal.throwIfAborted();
  const answer = await answerOf(place, args);
  signal.throwIfAborted();
  return answer;
}

/** Without execa, which takes longer to load than these few commands need. */
function answerOf(
  { root, signal, input, indexFile }: GitPlace,
  args: readonly string[],
): Promise<GitAnswer> {
  const { promise, resolve } = Promise.withResolvers<GitAnswer>();
  const child = spawn('git', [...quiet, '-C', root, ...args], {
    env: { ...process.env, ...environment, GIT_INDEX_FILE: indexFile },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const end = (): void => void child.kill();
  signal.addEventListener('abort', end, { once: true });
  const stdout = collected(child.stdout, end);
  const stderr = collected(child.stderr, end);
  // Git may end before it has read everything; what it then says is its answer.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let failure: string | null = null;
  child.on('error', ({ message }) => (failure = message));
  child.on('close', (code, killedBy) => {
    signal.removeEventListener('abort', end);
    if (code === 0 && failure === null) return resolve({ ok: true, stdout: stdout() });
    const said = stderr().toString('utf8').split('\n', 1)[0] ?? '';
    const otherwise = killedBy === null ? `git ended with ${code}` : `git was ended by ${killedBy}`;
    resolve({ ok: false, reason: failure ?? (said || otherwise) });
  });
  return promise;
}

/** What a stream has brought so far; `end` is called when that is too much. */
function collected(stream: Readable, end: () => void): () => Buffer {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostOutput) end();
    else parts.push(part);
  });
  return () => Buffer.concat(parts);
}

/** Paths as they are, and no file system monitor: that setting is a command line. */
const quiet = 'core.quotepath=off core.fsmonitor=false log.showSignature=false'
  .split(' ')
  .flatMap((setting) => ['-c', setting]);

const environment = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // A list comes in whole blocks, not commit by commit: each piece would wake this process.
  GIT_FLUSH: '0',
  GIT_LITERAL_PATHSPECS: undefined,
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_NAMESPACE: undefined,
  GIT_PREFIX: undefined,
};
