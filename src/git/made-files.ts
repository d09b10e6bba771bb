// Lists the files of a work tree that no commit holds, and digests those of a commit.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { neverAborted } from '../model/signal.ts';
import { sha256Of } from '../store/digest.ts';
import { lookAt } from './disk.ts';
import { git, recordsOf } from './git.ts';
import { openWorkTree } from './linked-tree.ts';
import { nameOfPath } from './paths.ts';
import type { SessionGit } from './session-git.ts';
import type { UntrackedFiles } from './worktrees.ts';
import { gitLists, gitSays } from './writing-git.ts';

/** See `Worktrees.untracked`; limited to the session’s folder. */
export async function untrackedFiles(session: SessionGit, name: string): Promise<UntrackedFiles> {
  const tree = await openWorkTree(session, name);
  const list = async (...more: string[]) => {
    const args = ['ls-files', '-z', '--others', '--directory', '--no-empty-directory', ...more];
    const found = await gitLists(tree, args);
    return found.flatMap((path) =>
      path.startsWith(session.prefix) ? path.slice(session.prefix.length) : [],
    );
  };
  return { all: await list(), unignored: await list('--exclude-standard') };
}

/** The files and folders of a user’s folder that no commit holds, each relative to it; a folder ends with a slash. */
export async function listUncommitted(
  root: string,
  signal: AbortSignal = neverAborted,
): Promise<{ readonly ignored: readonly string[]; readonly others: readonly string[] }> {
  const list = async (...more: string[]) => {
    const args = ['ls-files', '-z', '--others', '--directory', '--no-empty-directory', ...more];
    const answer = await git({ root, signal }, args);
    const paths = answer.ok ? [...recordsOf(answer.stdout)].map(String) : [];
    return paths.filter((path) => !path.startsWith('.workflow/'));
  };
  const ignored = await list('--ignored', '--exclude-standard');
  return { ignored, others: await list('--exclude-standard') };
}

/** See `Worktrees.fingerprint`. */
export async function fingerprintOf(
  { store, prefix }: SessionGit,
  commit: string,
  names: readonly string[] | null,
): Promise<string> {
  if (names === null) return await gitSays(store, ['rev-parse', `${commit}^{tree}`]);
  const entries = await gitLists(store, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const wanted = entries.filter((entry) => {
    const path = entry.slice(entry.indexOf('\t') + 1);
    return path.startsWith(prefix) && names.includes(nameOfPath(path));
  });
  return sha256Of(wanted.join('\0'));
}

/** The files and links at a path, or below it if it is a folder; relative to the unresolved `root`. */
export async function filesBelow(root: string, path: string): Promise<readonly string[]> {
  const plain = path.replace(/\/$/, '');
  if ((await lookAt(root, plain)).kind !== 'other') return [plain];
  const entries = await readdir(join(root, plain), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isFile() || entry.isSymbolicLink()
      ? relative(root, join(entry.parentPath, entry.name))
      : [],
  );
}
