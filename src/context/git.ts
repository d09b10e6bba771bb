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
}

/**
 * Runs one reading git command. Nothing in `.git` is written, and variables that a surrounding git
 * hook has set do not lead to another repository. Rejects with the signal’s reason when it is
 * aborted.
 */
export async function git(place: GitPlace, args: readonly string[]): Promise<GitAnswer> {
  const { root, signal } = place;
  signal.throwIfAborted();
  const { execa } = await import('execa');
  const result = await execa('git', [...quiet, '-C', root, ...args], {
    env: environment,
    ...(place.input === undefined ? { stdin: 'ignore' as const } : { input: place.input }),
    encoding: 'buffer',
    maxBuffer: mostOutput,
    reject: false,
    cancelSignal: signal,
  });
  signal.throwIfAborted();
  if (!result.failed) return { ok: true, stdout: asBuffer(result.stdout) };
  const said = asBuffer(result.stderr).toString('utf8').split('\n', 1)[0] ?? '';
  return { ok: false, reason: said || (result.shortMessage ?? 'git failed') };
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
  GIT_LITERAL_PATHSPECS: undefined,
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_NAMESPACE: undefined,
  GIT_PREFIX: undefined,
};

function asBuffer(bytes: Uint8Array | undefined): Buffer {
  return bytes === undefined
    ? Buffer.alloc(0)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
