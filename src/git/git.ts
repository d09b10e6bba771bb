// Runs one git command.
import { runProgram } from '../store/run-program.ts';
import { hasCode } from '../store/system-error.ts';

/** The output of a git command, or one clause on why it failed. */
type GitAnswer =
  | { readonly ok: true; readonly stdout: Buffer }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly exitCode?: number | null;
      readonly stdout?: Buffer;
    };

/** The reason given if there is no program of that name. */
export const gitMissing = 'git is not installed';

/** The most output of a command, in bytes. */
const mostOutput = 512 * 1024 * 1024;

/** The folder that git runs in, the signal that ends it, and its extra environment. */
export interface GitTarget {
  readonly root: string;
  readonly signal: AbortSignal;
  readonly variables?: NodeJS.ProcessEnv;
}

/**
 * Runs one git command. A reading command writes nothing in `.git`, and variables that a
 * surrounding git hook has set do not lead to another repository. Commands that compare the work
 * tree go through `guardGit`, those that write through `prepareWriting`. Rejects with the signal’s
 * reason when that is aborted.
 */
export async function git(
  { root, signal, variables }: GitTarget,
  args: readonly string[],
  input: string | Buffer | null = null,
): Promise<GitAnswer> {
  const { exitCode, fault, stdout, stderr } = await runProgram({
    command: 'git',
    args: [...quiet, '-C', root, ...args],
    env: { ...process.env, ...environment, ...variables },
    maxOutput: mostOutput,
    signal,
    input,
  });
  if (exitCode === 0 && fault === null) return { ok: true, stdout };
  if (hasCode(fault, ['ENOENT'])) return { ok: false, reason: gitMissing };
  const why = fault?.message ?? `git ${args.join(' ')} ended with exit code ${exitCode}`;
  const reason = mainLine(stderr.toString()) || `git failed: ${why}`;
  return { ok: false, exitCode, reason, stdout };
}

/** The line that says why git failed; warnings may come before it. */
function mainLine(stderr: string): string {
  const lines = stderr.split('\n');
  return lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '';
}

/**
 * Keeps paths unquoted, starts no file system monitor (that setting is a command line), and keeps
 * diffs from rewriting the index.
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
  // Before git 2.45, a missing object is fetched nevertheless, from where the repository says.
  GIT_ALLOW_PROTOCOL: 'none',
  // Git writes a list in whole blocks instead of commit by commit: each piece would wake this process.
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

/** The pieces of a list that ends each item with a NUL. */
export function* recordsOf(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}
