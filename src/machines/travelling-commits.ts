// Turns a folder into a commit that can travel, and lays the commit that came back over it.
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { redactFile } from '../model/secrets.ts';
import { sha256Of } from '../store/digest.ts';
import { makeFolder } from '../store/make-folder.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { isText } from '../git/disk.ts';
import { git, type GitTarget } from '../git/git.ts';
import { gitFolders } from '../git/git-folders.ts';
import { inTurn } from '../git/session-git.ts';
import { commitIndex } from '../git/start-commit.ts';
import { gitLists, gitSays, prepareWriting } from '../git/writing-git.ts';
import { pieceBytes } from './protocol.ts';
import { refusal, Undone } from './run-facts.ts';

/** A folder as a commit, in a repository of ours that borrows the objects of the user’s. */
export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

const largestRead = 1024 * 1024;
const fromInput = '--pathspec-from-file=- --pathspec-file-nul'.split(' ');
const withNuls = (paths: readonly string[]) => paths.map((path) => `${path}\0`).join('');

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
      const words = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
      const said = await git({ root: top, signal }, words);
      const head = said.ok ? said.stdout.toString().trim() : null;
      const copied = await nullIfAbsent(copyFile(join(own, 'index'), index));
      const base = head ?? (await gitSays(store, ['hash-object', '-t', 'tree', '/dev/null']));
      if (copied === null) await gitSays(store, ['read-tree', base]);
      await gitSays(store, ['add', '--all', '--', ':/', ':(exclude,glob)**/.workflow/**']);
      await refuseWhatStays(store);
      const leftOut = await leaveSecrets(store, base);
      // Where git lacks the beginning of its history, only the files travel.
      const isShallow = existsSync(join(common, 'shallow'));
      const commit = await commitOn(store, isShallow ? null : head);
      await gitSays(store, ['update-ref', `refs/sent/${commit}`, commit]);
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
  const exclude = await nullIfAbsent(readFile(join(common, 'info/exclude')));
  await writeFile(join(root, 'info/exclude'), exclude ?? '');
}

/** Refuses files that no bundle brings along. */
async function refuseWhatStays(store: GitTarget): Promise<void> {
  const modules = await gitSays(store, ['ls-files', '--stage', '--', ':/']);
  const at = /^160000 \S+ \d\t(.*)$/m.exec(modules)?.[1];
  if (at !== undefined) throw refusal(`${at} is a submodule, which does not travel`);
  const [large] = await gitLists(store, ['ls-files', '-z', '--', ':(top,attr:filter=lfs)']);
  if (large !== undefined) throw refusal(`${large} is kept by Git LFS, which does not travel`);
}

/** Takes the files with secrets that are not in a tree out of the index again, and names them. */
async function leaveSecrets(store: GitTarget, base: string): Promise<readonly string[]> {
  const asked = 'diff-index --cached --name-only --no-renames --diff-filter=AM -z'.split(' ');
  const secret: string[] = [];
  for (const path of await gitLists(store, [...asked, base])) {
    const stats = await nullIfAbsent(lstat(join(store.root, path)));
    if (stats?.isFile() !== true || stats.size > largestRead) continue;
    const content = await readFile(join(store.root, path));
    const text = content.toString();
    if (isText(content) && redactFile(path, text) !== text) secret.push(path);
  }
  if (secret.length > 0)
    await gitSays(store, ['reset', '--quiet', ...fromInput, base], withNuls(secret));
  return secret;
}

/** Commits the index on top of a commit; that one itself where nothing else is there. */
export async function commitOn(target: GitTarget, base: string | null): Promise<string> {
  const differs = ['diff-index', '--cached', '--quiet'];
  if (base !== null && (await git(target, [...differs, base])).ok) return base;
  const parents = base === null ? [] : [base];
  return await commitIndex(target, { parents, message: 'Files as they are' });
}

/**
 * The bundle that brings a snapshot to somebody who has those commits; nothing if its commit is among their
 * ancestors. Throws `Undone` where it holds more than `mostBytes`.
 */
export async function* bundlePieces(
  { commit, store }: Snapshot,
  { tips, mostBytes }: { readonly tips: readonly string[]; readonly mostBytes: number },
): AsyncGenerator<Buffer> {
  const looked = await gitSays(store, ['cat-file', '--batch-check'], tips.join('\n'));
  const known = [...looked.matchAll(/^(\w+) commit /gm)].map(([, tip]) => `^${tip}`);
  const sized = ['rev-list', '--objects', '--disk-usage', commit, ...known];
  const bytes = Number(await gitSays(store, sized));
  if (bytes === 0) return;
  const [large = 0, most = 0] = [bytes, mostBytes].map((one) => Math.ceil(one / 1_000_000));
  if (large > most) throw refusal(`it has ${large} MB to send, and most_mb allows ${most}`);
  const file = `${store.variables?.['GIT_DIR']}/${process.pid}-${commit}.bundle`;
  try {
    const words = ['bundle', 'create', '--quiet', file, `refs/sent/${commit}`];
    await gitSays(store, [...words, ...known]);
    yield* piecesIn(file);
  } finally {
    await rm(file, { force: true });
  }
}

/** The content of a bundle, as it travels. */
export function piecesIn(file: string): AsyncIterable<Buffer> {
  return createReadStream(file, { highWaterMark: pieceBytes });
}

/** The bundle or repository from which git fetches a ref. */
export interface CommitSource {
  readonly from: string;
  readonly ref: string;
}

/** The settings with which git reaches a bundle or the user’s remote, and never asks for a password. */
export const remoteVariables = {
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'force',
};

const wrong = (message: string) => new Undone(message, 'wrong-answer');

/** Fetches what must be one commit under a ref, and nothing else. Throws `Undone`. */
export async function fetchCommit(
  target: GitTarget,
  { from, ref, commit, into }: CommitSource & { readonly commit: string; readonly into: string },
): Promise<void> {
  const store = { ...target, variables: { ...target.variables, ...remoteVariables } };
  const read = async (words: string, what: string) => {
    const said = await git(store, [...words.split(' '), from, what]);
    if (said.ok) return said.stdout.toString().trim();
    throw wrong(`its bundle cannot be read: ${said.reason}`);
  };
  if ((await read('ls-remote', ref)) !== `${commit}\t${ref}`)
    throw wrong('its bundle holds other refs than asked for');
  const fetching = '-c fetch.fsckObjects=true fetch --quiet --no-tags --no-write-fetch-head';
  await read(fetching, `+${ref}:${into}`);
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
  await fetchCommit(store, { ...work, into: quarantine });
  const index = `${store.variables?.['GIT_DIR']}/${attempt}.index`;
  const laying = { ...store, variables: { ...store.variables, GIT_INDEX_FILE: index } };
  try {
    const line = await gitSays(store, ['rev-list', '--parents', '--max-count=1', commit]);
    if (line !== `${commit} ${base}`)
      throw wrong('its commit does not stand on the one that was sent');
    const raw = ['diff', '--raw', '--no-renames', '--no-abbrev', '-z', base, commit];
    const parts = await gitLists(store, raw);
    if (parts.some((part) => /^:\d+ 160000 /.test(part))) throw wrong('it brings a submodule');
    await gitSays(laying, ['read-tree', base]);
    const restore = ['restore', '--worktree', '--no-overlay', `--source=${commit}`, ...fromInput];
    const laid = await git(laying, restore, withNuls(parts.filter((_, at) => at % 2 === 1)));
    if (!laid.ok) throw wrong(`its files cannot be written: ${laid.reason}`);
  } finally {
    await gitSays(store, ['update-ref', '-d', quarantine]);
    await rm(index, { force: true });
  }
}
