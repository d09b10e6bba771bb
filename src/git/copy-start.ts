// Lays out the commit that tasks begin from in a folder of its own, and lays files onto a commit.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';
import { removeFolder } from '../store/remove-folder.ts';
import { git } from './git.ts';
import { type SessionGit, topPath } from './session-git.ts';
import { startCommit, startRef } from './start-commit.ts';
import { commitOf, nobody, treeWith } from './without-carried.ts';
import type { CopiedStart } from './worktrees.ts';
import { gitSays, prepareWriting } from './writing-git.ts';

/** See `Worktrees.copyStart`. */
export async function copyStart(
  session: SessionGit,
  folder: string,
  isNamed: (path: string) => boolean,
): Promise<CopiedStart> {
  const { store, home, own, signal } = session;
  const [files, gitFolder] = [join(folder, 'files'), join(folder, 'git')];
  await removeFolder(folder);
  await makeFolder(files);
  // An execution without git begins with the folder as it is then.
  const isBegun = (await git(home, ['rev-parse', '--verify', '--quiet', startRef])).ok;
  const { commit } = await startCommit(session, isNamed);
  if (session.isPrivate && !isBegun) await gitSays(home, ['update-ref', '-d', startRef]);
  const places = { GIT_DIR: own, GIT_WORK_TREE: files, GIT_INDEX_FILE: join(folder, 'index') };
  const laying = { ...store, root: files, variables: { ...store.variables, ...places } };
  await gitSays(laying, ['read-tree', commit]);
  await gitSays(laying, ['checkout-index', '--all', '--force']);
  await gitSays({ root: files, signal }, ['init', '--quiet', '--template=']);
  await rename(join(files, '.git'), gitFolder);
  const variables = { GIT_DIR: gitFolder, GIT_WORK_TREE: files, ...nobody };
  const copy = await prepareWriting({ root: files, signal, variables });
  await gitSays(copy, ['add', '--all', '--force']);
  const words = ['commit', '--quiet', '--no-verify', '--allow-empty', '-m', 'The start'];
  await gitSays(copy, words);
  return {
    commit,
    files,
    git: gitFolder,
    top: home.root,
    async restore() {
      await gitSays(copy, ['reset', '--quiet', '--hard']);
      await gitSays(copy, ['clean', '--quiet', '-ffd']);
    },
  };
}

/** See `Worktrees.lay`. */
export async function layFiles(
  session: SessionGit,
  commit: string,
  files: ReadonlyMap<string, string>,
): Promise<string> {
  if (files.size === 0) return commit;
  const entries = new Map<string, string>();
  for (const [path, text] of files) {
    const id = await gitSays(session.store, ['hash-object', '-w', '--stdin'], text);
    entries.set(topPath(session, path), `100644 ${id}`);
  }
  const tree = await treeWith(session, { tree: commit, paths: [...entries.keys()], of: entries });
  return await commitOf(session, tree, commit);
}
