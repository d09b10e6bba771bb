// Opens the repository of an execution: the user's, or one in the data folder if there is no git.
import { readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { guardWrite, nullIfAbsent } from '../store/system-error.ts';
import type { Snapshots } from './base.ts';
import { commitInFiles, gitFolders } from './git-folders.ts';
import type { GitTarget } from './git.ts';
import { builtFolders } from './walk.ts';
import type { Repository } from './repository.ts';
import { gitSays, prepareWriting } from './writing-git.ts';
import { makeFolder } from '../store/make-folder.ts';

export interface SessionReference {
  readonly session: string;
  /** The change in words, for the messages of commits that come home. */
  readonly title?: string;
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  /** The folder of this session's execution, in the user's data folder. Absolute. */
  readonly folder: string;
  /** The prefix of branches if the session has none yet; `conclave` by default. */
  readonly branchPrefix?: string;
  /** Whether commits that come home are made with the user’s hooks and signature. */
  readonly runsHooks?: boolean;
  /** Where its branches are kept once they were listed, for whoever opens it again in this process. */
  readonly listing?: BranchListing;
  readonly signal: AbortSignal;
}

/** The branches of one session; null before they were listed. */
export interface BranchListing {
  names: Set<string> | null;
}

/** The git data that a session's execution works with. */
export interface SessionGit extends SessionReference {
  /** The repository that holds commits and branches. */
  readonly store: GitTarget;
  /** The top of the user's work tree. */
  readonly home: GitTarget;
  /** The git folder of the user's work tree; absolute. */
  readonly own: string;
  /** The folder of branches and of the list of work trees; absolute. */
  readonly common: string;
  /** The root's path below the top: empty or ending in `/`. */
  readonly prefix: string;
  readonly branchPrefix: string;
  /** Its branches: those that were there, and those that this process has made since. */
  readonly branches: Set<string>;
  /** True if there is no base in git: a repository in the data folder takes its place. */
  readonly isPrivate: boolean;
  /** Commits that are known to have no submodules. */
  readonly withoutLinks: Set<string>;
}

type Place = Omit<SessionGit, 'withoutLinks'>;

export async function sessionGit(given: SessionReference): Promise<SessionGit> {
  await guardWrite(given.folder, () => makeFolder(given.folder));
  const executed = { ...given, folder: await realpath(given.folder) };
  const { git, base } = given.repository;
  const hasBase = git && (base.commit !== null || Object.keys(base.dirty).length > 0);
  const found = hasBase ? await placeInRepository(executed) : await placeInFolder(executed);
  await removeStaleLocks(found);
  return { ...found, withoutLinks: new Set() };
}

async function placeInRepository(executed: SessionReference): Promise<Place> {
  const { folder, repository, signal } = executed;
  const folders = await gitFolders({ root: repository.root, signal });
  if (folders === null) throw wrongUsage(`${repository.root} is no longer in a git repository.`);
  const top = resolve(repository.root, posix.relative(folders.prefix, ''));
  if (`${folder}/`.startsWith(`${top}/`)) {
    throw wrongUsage(
      `Tasks cannot be carried out in ${folder}, as that is inside the repository; set XDG_DATA_HOME to another folder.`,
    );
  }
  const [home, branches] = await Promise.all([
    prepareWriting({ root: top, signal }),
    branchesOf({ root: top, signal }, executed),
  ]);
  const { branchPrefix: wanted = usualPrefix } = executed;
  const [first] = branches;
  // The prefix of the session’s existing branches wins over the setting.
  const branchPrefix = first === undefined ? wanted : posix.dirname(first);
  return { ...executed, ...folders, branchPrefix, branches, store: home, home, isPrivate: false };
}

async function placeInFolder(executed: SessionReference): Promise<Place> {
  const { folder, repository, signal } = executed;
  const own = join(folder, 'git');
  const inside = { root: folder, signal };
  await gitSays(inside, ['init', '--quiet', '--bare', '--template=', own]);
  const left = ['.workflow', ...builtFolders].map((name) => `${name}/\n`);
  await makeFolder(join(own, 'info'));
  await writeFile(join(own, 'info', 'exclude'), left.join(''));
  const store = await prepareWriting({ root: own, signal, variables: { GIT_DIR: own } });
  const { root } = repository;
  const home = { ...store, root, variables: { ...store.variables, GIT_WORK_TREE: root } };
  const branchPrefix = usualPrefix;
  const branches = await branchesOf(store, executed);
  const place = { store, home, own, common: own, prefix: '' };
  return { ...executed, ...place, branchPrefix, branches, isPrivate: true };
}

async function branchesOf(
  store: GitTarget,
  { session, listing = { names: null } }: SessionReference,
): Promise<Set<string>> {
  if (listing.names !== null) return listing.names;
  const own = [`refs/heads/**/${session}`, `refs/heads/**/${session}.*`];
  const listed = await gitSays(store, ['for-each-ref', '--format=%(refname:lstrip=2)', ...own]);
  listing.names = new Set(listed.split('\n').filter((branch) => branch !== ''));
  return listing.names;
}

const usualPrefix = 'conclave';

/** Removes the locks that a killed git leaves behind; nobody else writes these branches. */
async function removeStaleLocks({ common, session, branchPrefix }: Place): Promise<void> {
  const folder = join(common, 'refs', 'heads', branchPrefix);
  for (const name of (await nullIfAbsent(readdir(folder))) ?? []) {
    const isOurs = name === `${session}.lock` || name.startsWith(`${session}.`);
    if (isOurs && name.endsWith('.lock')) await rm(join(folder, name), { force: true });
  }
}

export function branchName(
  { session, branchPrefix }: Pick<SessionGit, 'session' | 'branchPrefix'>,
  name: string | null,
): string {
  const own = `${branchPrefix}/${session}`;
  return name === null ? own : `${own}.${name}`;
}

/** Converts a path below the top of the work tree to one relative to the root. */
export function belowRoot({ prefix }: SessionGit, path: string): string {
  return prefix === '' ? path : posix.relative(prefix, path);
}

/** The inverse of `belowRoot`. */
export function topPath({ prefix }: SessionGit, path: string): string {
  return posix.normalize(`${prefix}${path}`);
}

/** The commit that is checked out in the user’s work tree. */
export async function headAtHome(session: SessionGit): Promise<string> {
  return (await commitInFiles(session)) ?? (await gitSays(session.home, ['rev-parse', 'HEAD']));
}

/** The last piece of work in each place. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs the work in one place, such as a work tree, one piece after the other: concurrent writes would meet
 * git’s locks. Work in a tree may wait for that on refs, never the other way round.
 */
export function inTurn<T>(place: string, work: () => Promise<T>): Promise<T> {
  const done = (last.get(place) ?? Promise.resolve()).then(work, work);
  last.set(place, done);
  const forget = () => {
    if (last.get(place) === done) last.delete(place);
  };
  done.then(forget, forget);
  return done;
}
