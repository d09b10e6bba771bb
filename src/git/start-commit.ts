// Makes the commit that tasks begin from, with uncommitted files carried in.
import { copyFile, chmod, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import type { Base } from '../model/context.ts';
import { linkStamp, uncommittedContent } from './base.ts';
import { hasPlainFolder, lookAt, statStamp } from './disk.ts';
import { eachLimited } from '../store/each-limited.ts';
import { git, type GitTarget } from './git.ts';
import { repositoriesIn } from './linked-tree.ts';
import { folderOf } from './paths.ts';
import type { SessionGit } from './session-git.ts';
import type { StartCommit } from './worktrees.ts';
import { checkCarrying, nobody } from './without-carried.ts';
import { gitLists, gitSays } from './writing-git.ts';

/** See `Worktrees.start`. */
export async function startCommit(
  opened: SessionGit,
  isNamed: (path: string) => boolean = () => true,
  base: Base = opened.repository.base,
): Promise<StartCommit> {
  const session = { ...opened, repository: { ...opened.repository, base } };
  if (session.isPrivate) return { commit: await folderCommit(session), carried: [] };
  const { root } = session.repository;
  const tracked = await trackedPaths(session);
  const carried = Object.keys(base.dirty).filter(
    (path) =>
      (tracked === null || tracked.has(path) || isNamed(path)) && !isInSubmodule(root, path),
  );
  if (base.commit !== null && carried.length === 0) return { commit: base.commit, carried };
  if (base.commit !== null) await checkCarrying(session.store, carried);
  return { commit: await carriedCommit(session, carried), carried };
}

/** The files of the commit at the base, below the session’s folder; null without a commit. */
async function trackedPaths({
  repository: { base },
  store,
  prefix,
}: SessionGit): Promise<ReadonlySet<string> | null> {
  if (base.commit === null || Object.keys(base.dirty).length === 0) return null;
  const names = ['ls-tree', '-r', '-z', '--name-only', base.commit];
  const said = await gitLists(store, names);
  return new Set(
    said.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length)),
  );
}

/** True inside a submodule, whose changes are not carried in: its files belong to another repository. */
function isInSubmodule(root: string, path: string): boolean {
  const folder = folderOf(path);
  return folder !== '' && (existsSync(join(root, folder, '.git')) || isInSubmodule(root, folder));
}

/** Commits the carried files. They are laid out in a separate folder, from which git adds them. */
async function carriedCommit(session: SessionGit, carried: readonly string[]): Promise<string> {
  const { base } = session.repository;
  const root = join(session.folder, 'carried');
  const index = `${root}.index`;
  const variables = {
    ...session.store.variables,
    GIT_DIR: session.own,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: index,
  };
  try {
    await rm(root, { recursive: true, force: true });
    await rm(`${index}.lock`, { force: true });
    await mkdir(root);
    await eachLimited(carried, (path) => layOut(session, { root, path }));
    const target = { ...session.store, root, variables };
    await gitSays(target, ['read-tree', base.commit ?? '--empty']);
    await takeFromDisk(
      target,
      carried.map((path) => `${session.prefix}${path}`),
    );
    return await commitIndex(target, {
      parents: base.commit === null ? [] : [base.commit],
      message: `Conclave: uncommitted files at the start of ${session.session}`,
    });
  } finally {
    await rm(root, { recursive: true, force: true });
    await rm(index, { force: true });
  }
}

/** Takes files into an index as they are on the disk; those that are not there go. */
export async function takeFromDisk(target: GitTarget, paths: readonly string[]): Promise<void> {
  const isThere = await eachLimited(paths, (path) => hasPlainFolder(target.root, path));
  // Git refuses a path behind a link, unless it is told that the file is gone.
  for (const how of ['--force-remove', '--remove']) {
    const some = paths.filter((_, at) => isThere[at] === (how === '--remove'));
    const args = ['update-index', '--add', how, '--replace', '-z', '--stdin'];
    const names = some.map((path) => `${path}\0`).join('');
    if (names !== '') await gitSays(target, args, names);
  }
}

async function layOut(
  session: SessionGit,
  { root, path }: { readonly root: string; readonly path: string },
): Promise<void> {
  const { repository, prefix } = session;
  const stamp = repository.base.dirty[path] ?? 'deleted';
  if (stamp === 'deleted') return;
  const target = join(root, prefix, path);
  await mkdir(dirname(target), { recursive: true });
  const found = await lookAt(repository.root, path);
  if (found.kind === 'link' && linkStamp(found.target) === stamp) {
    await symlink(found.target, target);
    return;
  }
  const source = join(repository.root, path);
  if (statStamp(source) === stamp) await copyFile(source, target);
  else {
    const { root: from } = repository;
    const content = await uncommittedContent({ ...session, root: from }, { path, stamp });
    if (content === null) throw lostFile(path);
    await writeFile(target, content);
  }
  await chmod(target, (await isProgram(session, path)) ? 0o755 : 0o644);
}

function lostFile(path: string): Error {
  return wrongUsage(
    `${path} had uncommitted changes when the session began, and no copy of them was kept: restore the file, or plan again.`,
  );
}

/** True for an executable file, by the disk or, if it is gone there, by the commit. */
async function isProgram(
  { repository, store, prefix }: SessionGit,
  path: string,
): Promise<boolean> {
  const stats = await nullIfAbsent(lstat(join(repository.root, path)));
  if (stats !== null) return (stats.mode & 0o100) !== 0;
  const { commit } = repository.base;
  if (commit === null) return false;
  const listed = await git(store, ['ls-tree', commit, '--', `${prefix}${path}`]);
  return listed.ok && listed.stdout.toString('latin1').startsWith('100755');
}

/** The folder as it is at the first call, as a commit. */
async function folderCommit({ home, session }: SessionGit): Promise<string> {
  const recorded = await git(home, ['rev-parse', '--verify', '--quiet', startRef]);
  if (recorded.ok) return recorded.stdout.toString().trim();
  const { unknown } = await repositoriesIn(home);
  if (unknown.length > 0) {
    throw wrongUsage(
      `${home.root} is not a git repository, but contains some: ${unknown.join(', ')}. Run conclave in one of them.`,
    );
  }
  await gitSays(home, ['add', '--all']);
  const message = `Conclave: the folder at the start of ${session}`;
  const commit = await commitIndex(home, { parents: [], message });
  await gitSays(home, ['update-ref', startRef, commit]);
  return commit;
}

export const startRef = 'refs/conclave/start';

/** Commits without a real author or time, so that the same files give the same commit. */
export async function commitIndex(
  target: GitTarget,
  { parents, message }: { readonly parents: readonly string[]; readonly message: string },
): Promise<string> {
  const tree = await gitSays(target, ['write-tree']);
  const variables = { ...target.variables, ...nobody };
  const ofParents = parents.flatMap((parent) => ['-p', parent]);
  return gitSays({ ...target, variables }, ['commit-tree', ...ofParents, '-m', message, tree]);
}
