// Turns a folder into a commit that can travel, and lays the commit that came back over it.
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, copyFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { redactFile } from '../model/secrets.ts';
import { sha256Of } from '../store/digest.ts';
import { makeFolder } from '../store/make-folder.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { readPlainFile, textOf } from '../git/disk.ts';
import { git, type GitTarget } from '../git/git.ts';
import { gitFolders } from '../git/git-folders.ts';
import { inTurn } from '../git/session-git.ts';
import { commitIndex } from '../git/start-commit.ts';
import { gitLists, gitSays, prepareWriting } from '../git/writing-git.ts';
import { pieceBytes } from './protocol.ts';
import { oneLine } from '../model/wording.ts';
import { refusal, Undone } from './run-facts.ts';

/** A folder as a commit, in a repository of ours that borrows the objects of the user’s. */
export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

const fromInput = 'reset --quiet --pathspec-from-file=- --pathspec-file-nul'.split(' ');

/** Opens a bare repository of ours, which is made where there is none. */
export async function openBare(
  root: string,
  { signal, ...more }: Pick<GitTarget, 'signal' | 'variables'>,
): Promise<GitTarget> {
  if (!existsSync(join(root, 'HEAD'))) {
    await makeFolder(root);
    await gitSays({ root, signal }, ['init', '--quiet', '--bare', '--template=', root]);
  }
  const variables: NodeJS.ProcessEnv = { GIT_DIR: root, ...more.variables };
  return await prepareWriting({ root: variables['GIT_WORK_TREE'] ?? root, signal, variables });
}

/**
 * Takes a folder as a commit: what is committed, and each uncommitted file that git does not ignore and that
 * holds no secret. Nothing is written outside of `places`, the absolute folder for the repositories of ours.
 * Throws `Undone` where it cannot travel.
 */
export async function takeSnapshot(folder: string, places: string, signal: AbortSignal) {
  const found = await gitFolders({ root: folder, signal });
  if (found === null) throw refusal(`${folder} is in no git repository`);
  const { own, common, prefix } = found;
  const top = resolve(folder, posix.relative(prefix, ''));
  const repository = sha256Of(`${hostname()}\0${common}`);
  return await inTurn(`${places}/${repository}`, async () => {
    const root = join(places, `${repository}.git`);
    const index = join(places, `${repository}.index`);
    const variables = { GIT_WORK_TREE: top, GIT_INDEX_FILE: index };
    const store = await openBare(root, { signal, variables });
    await borrow(root, common);
    try {
      await nullIfAbsent(copyFile(join(own, 'index'), index));
      const [said] = await Promise.all([
        git({ root: top, signal }, 'rev-parse --verify --quiet HEAD^{commit}'.split(' ')),
        gitSays(store, ['add', '--all', '--', ':/', ':(exclude,glob)**/.workflow/**']),
      ]);
      const head = said.ok ? said.stdout.toString().trim() : null;
      const base = head ?? (await gitSays(store, ['hash-object', '-t', 'tree', '/dev/null']));
      const [staged, [large], changed] = await Promise.all([
        gitSays(store, ['ls-files', '--stage', '--', ':/']),
        gitLists(store, ['ls-files', '-z', '--', ':(top,attr:filter=lfs)']),
        gitLists(store, [...'diff-index --cached --name-only --no-renames -z'.split(' '), base]),
      ]);
      const at = /^160000 \S+ \d\t(.*)$/m.exec(staged)?.[1];
      if (at !== undefined) throw refusal(`${at} is a submodule, which does not travel`);
      if (large !== undefined) throw refusal(`${large} is kept by Git LFS, which does not travel`);
      const leftOut = await secretsAmong(changed, top);
      if (leftOut.length > 0) await gitSays(store, [...fromInput, base], leftOut.join('\0'));
      // Where git lacks the beginning of its history, only the files travel.
      const parent = existsSync(join(common, 'shallow')) ? null : head;
      const isSame = changed.length === leftOut.length;
      const made = { parents: parent === null ? [] : [parent], message: 'Files as they are' };
      const commit = isSame && parent !== null ? parent : await commitIndex(store, made);
      const ref = `refs/sent/${commit}`;
      if (!existsSync(join(root, ref))) await gitSays(store, ['update-ref', ref, commit]);
      return {
        /** Names the repository on this machine. */
        repository,
        commit,
        /** The folder below the top of its work tree, with a slash at its end; empty for the top. */
        prefix,
        /** Uncommitted files that hold secrets and stay here, by their paths from the top. */
        leftOut,
        store,
      };
    } finally {
      for (const file of [index, `${index}.lock`]) await rm(file, { force: true });
    }
  });
}

/** Has a repository of ours borrow the objects of the user’s, and ignore what that ignores. */
async function borrow(root: string, common: string): Promise<void> {
  await makeFolder(join(root, 'info'));
  // Only once: a git that reads it while it is written again would miss the objects.
  const alternates = join(root, 'objects/info/alternates');
  if (!existsSync(alternates)) await writeFile(alternates, `${common}/objects\n`);
  await nullIfAbsent(copyFile(join(common, 'info/exclude'), join(root, 'info/exclude')));
}

/** Names the files with secrets among these. */
async function secretsAmong(paths: readonly string[], top: string): Promise<readonly string[]> {
  const secret: string[] = [];
  for (const path of paths) {
    const content = await readPlainFile(top, path);
    const text = content === null ? null : textOf(content);
    if (text !== null && redactFile(path, text) !== text) secret.push(path);
  }
  return secret;
}

/**
 * The bundle that brings a snapshot to somebody who has those commits; nothing if its commit is among their
 * ancestors. Throws `Undone` where it holds more than `mostMb` megabytes.
 */
export async function* bundlePieces(
  { commit, store }: Snapshot,
  { tips, mostMb }: { readonly tips: readonly string[]; readonly mostMb: number },
): AsyncGenerator<Buffer> {
  // They may have commits that are no longer here.
  const known = ['--ignore-missing', ...tips.map((tip) => `^${tip}`)];
  const bytes = await gitSays(store, ['rev-list', '--objects', '--disk-usage', ...known, commit]);
  const large = Math.ceil(Number(bytes) / 1_000_000);
  if (large === 0) return;
  if (large > mostMb) throw refusal(`it has ${large} MB to send, and most_mb allows ${mostMb}`);
  const file = `${store.variables?.['GIT_DIR']}/${process.pid}-${commit}.bundle`;
  try {
    await gitSays(store, ['bundle', 'create', '--quiet', file, ...known, `refs/sent/${commit}`]);
    yield* piecesIn(file);
  } finally {
    await rm(file, { force: true });
  }
}

/** The content of a bundle, as it travels. */
export function piecesIn(file: string): AsyncIterable<Buffer> {
  return createReadStream(file, { highWaterMark: pieceBytes });
}

/** Adds a piece to a bundle’s file, as it came in a line or in a row. */
export async function addPiece(file: string, piece: string | Buffer): Promise<void> {
  await inTurn(file, () => appendFile(file, piece, { encoding: 'base64', mode: 0o600 }));
}

/** The bundle or repository from which git fetches a ref. */
export interface CommitSource {
  readonly from: string;
  readonly ref: string;
}

/** The settings with which git reaches a bundle or the user’s remote, and never asks for a password. */
const remoteVariables = {
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'force',
};

/** Pushes to the user’s remote. Throws `Undone`, with a sentence that never holds its address. */
export async function push(
  { variables, signal }: GitTarget,
  remote: string,
  changes: readonly string[],
): Promise<void> {
  // The folder of a task may be gone by then.
  const root = variables?.['GIT_DIR'] ?? '/';
  const target = {
    root,
    signal,
    variables: { ...variables, ...remoteVariables, GIT_WORK_TREE: undefined },
  };
  const said = await git(target, ['push', '--quiet', '--force', remote, ...changes]);
  if (said.ok) return;
  const why = oneLine(said.reason)
    .replaceAll(remote, '…')
    .replaceAll(/\/\/[^/@\s]*@/g, '//…@');
  throw new Undone(`the git remote of the queue cannot be used: ${why}`);
}

const wrong = (message: string) =>
  new Undone(`sent work that cannot be used: ${message}`, 'wrong-answer');

const fetching = '-c fetch.fsckObjects=true fetch --quiet --no-tags --no-write-fetch-head';

/** Fetches a ref, and nothing else. Throws `Undone` where it is not there. */
export async function fetchRef(
  target: GitTarget,
  { from, ref, into }: CommitSource & { readonly into: string },
): Promise<void> {
  const variables = { ...target.variables, ...remoteVariables };
  const words = [...fetching.split(' '), from, `+${ref}:${into}`];
  const said = await git({ ...target, variables }, words);
  if (!said.ok) throw wrong(`its bundle does not hold what was asked for: ${said.reason}`);
}

/**
 * Lays the work that came back over the folder: its changes since the snapshot, nothing else. Throws `Undone`
 * where the bundle holds anything but one commit on top of the snapshot.
 */
export async function layResult(
  { commit: base, store }: Snapshot,
  work: CommitSource & { readonly commit: string; readonly attempt: string },
): Promise<void> {
  const { commit, attempt } = work;
  const quarantine = `refs/quarantine/${attempt}`;
  await fetchRef(store, { ...work, into: quarantine });
  const index = `${store.variables?.['GIT_DIR']}/${attempt}.index`;
  const laying = { ...store, variables: { ...store.variables, GIT_INDEX_FILE: index } };
  try {
    const line = await gitSays(store, ['rev-list', '--parents', '--max-count=1', quarantine]);
    if (line !== `${commit} ${base}`)
      throw wrong('its commit does not stand on the one that was sent');
    await gitSays(laying, ['read-tree', base]);
    // Only what differs between the two is written or removed.
    const laid = await git(laying, ['read-tree', '--reset', '-u', base, commit]);
    if (!laid.ok) throw wrong(`its files cannot be written: ${laid.reason}`);
  } finally {
    await gitSays(store, ['update-ref', '-d', quarantine]);
    await rm(index, { force: true });
  }
}
