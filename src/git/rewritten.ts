// Makes the commits that come home: a merge, one commit, or one commit per task.
import { joinedSubject, mergeSubject } from '../model/commit-style.ts';
import { join, resolve } from 'node:path';
import { textAt } from './git-folders.ts';
import { git, type GitTarget } from './git.ts';
import { makeWorkTree, openWorkTree, removeWorkTrees } from './linked-tree.ts';
import { removeBranches } from './session-branches.ts';
import { headAtHome, branchName, type SessionGit } from './session-git.ts';
import type { ApplyHow } from './worktrees.ts';
import { gitSays } from './writing-git.ts';

/** The last of the commits that come home, or why they were not made. */
type MadeCommits =
  | { readonly ok: true; readonly commit: string }
  | { readonly ok: false; readonly why: string };

interface Work {
  readonly commit: string;
  /** The commit merged into what is checked out. */
  readonly joined: string;
  readonly how: ApplyHow;
}

/**
 * The commits that come home, unchanged or in the form that the user wants, in a clean work tree of what is checked
 * out: with the user’s hooks and signature if the session runs them. A hook that refuses leaves everything unchanged.
 */
export async function commitsToApply(session: SessionGit, work: Work): Promise<MadeCommits> {
  const { commit, joined, how } = work;
  const { runsHooks = false } = session;
  const head = await headAtHome(session);
  const isReady = joined === head || (how === 'merge' && !runsHooks);
  if (isReady) return { ok: true, commit: joined };
  const range = ['--reverse', '--topo-order', '--no-merges', commit, `^${head}`];
  const listed = how === 'merge' ? '' : await gitSays(session.store, ['rev-list', ...range]);
  const own = listed.split('\n').filter((one) => one !== '');
  if (how !== 'merge' && own.length === 0) return { ok: true, commit: joined };
  try {
    await makeWorkTree(session, applying, { commits: [head] });
    const plain = await openWorkTree(session, applying);
    const tree = runsHooks ? await withHooks(session, plain) : plain;
    const why = await makeThem(session, { ...work, tree, own });
    if (why === null) return { ok: true, commit: await gitSays(tree, ['rev-parse', 'HEAD']) };
    return { ok: false, why: `your hooks or your signature refuse a commit: ${why}` };
  } finally {
    await dropApplying(session);
  }
}

/** Lifts the guard that keeps hooks and signatures away from all our other commits. */
async function withHooks({ home }: SessionGit, tree: GitTarget): Promise<GitTarget> {
  const { root, signal } = home;
  const hooks = await git({ root, signal }, ['rev-parse', '--git-path', 'hooks']);
  const signs = await git({ root, signal }, ['config', '--get', '--bool', 'commit.gpgsign']);
  const path = hooks.ok ? resolve(root, hooks.stdout.toString().trim()) : '/dev/null';
  const isSigned = signs.ok && signs.stdout.toString().trim() === 'true';
  const given = tree.variables?.['GIT_CONFIG_PARAMETERS'] ?? '';
  const quoted = path.replaceAll("'", String.raw`'\''`);
  const parameters = `${given} 'core.hooksPath'='${quoted}' 'commit.gpgsign'='${isSigned}'`;
  return { ...tree, variables: { ...tree.variables, GIT_CONFIG_PARAMETERS: parameters.trim() } };
}

/**
 * Makes a merge, or the commits of the tasks in their order; what does not apply on its own, because its merge was
 * resolved by hand, comes in one last commit. Returns why git or a hook refused one, or null.
 */
async function makeThem(
  session: SessionGit,
  { tree, own, commit, joined, how }: Work & { tree: GitTarget; own: readonly string[] },
): Promise<string | null> {
  const refused = async (args: readonly string[], input: string | null = null) => {
    const answer = await git(tree, args, input);
    return answer.ok ? null : answer.reason;
  };
  if (how === 'merge')
    return await refused([
      'merge',
      '--no-ff',
      '--quiet',
      '-m',
      await mergeMessage(session),
      commit,
    ]);
  const left = [...own];
  for (const one of how === 'linear' ? own : []) {
    if ((await refused(['cherry-pick', '--no-commit', one])) !== null) {
      await gitSays(tree, ['reset', '--hard', '--quiet']);
      break;
    }
    const why = await refused(['commit', '--quiet', '--allow-empty', '-C', one]);
    if (why !== null) return why;
    left.shift();
  }
  const trees = await gitSays(tree, ['rev-parse', 'HEAD^{tree}', `${joined}^{tree}`]);
  if (new Set(trees.split('\n')).size === 1) return null;
  await gitSays(tree, ['read-tree', '-u', '--reset', joined]);
  return await refused(['commit', '--quiet', '-F', '-'], await messageOf(session, left));
}

/** Writes the message of one commit that combines several, with the first line of each. */
async function messageOf(session: SessionGit, left: readonly string[]): Promise<string> {
  const { store } = session;
  const format = '--format=%s%x00%(trailers:key=Conclave-Task)%x00';
  const log = ['log', '--no-walk=unsorted', format, ...left];
  const fields = left.length === 0 ? [] : (await gitSays(store, log)).split(/\0\n?/);
  const subjects = fields.filter((_, at) => at % 2 === 0 && at + 1 < fields.length).join('\n');
  const trailers = fields.filter((_, at) => at % 2 === 1).join('\n');
  const about =
    left.length === 1 ? subjects : joinedSubject(titleIn(session), subjects.split('\n'));
  const parts = [
    about,
    left.length === 1 ? '' : bulletsOf(subjects),
    trailers.replaceAll(/\n+/g, '\n').trim(),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function titleIn({ title = 'Carry out an approved plan' }: SessionGit): string {
  return title;
}

/** Writes the message of the commit that merges the work into what is checked out. */
export async function mergeMessage(session: SessionGit): Promise<string> {
  return mergeSubject(titleIn(session), (await branchAtHome(session)) ?? 'what is checked out');
}

/** The branch that is checked out; null if there is none. */
export async function branchAtHome({ own, home }: SessionGit): Promise<string | null> {
  const [, branch] = /^ref: refs\/heads\/(.+)$/.exec(await textAt(join(own, 'HEAD'))) ?? [];
  // This is how HEAD reads if branches are kept in tables.
  if (branch !== '.invalid') return branch ?? null;
  const head = await git(home, ['symbolic-ref', '--short', '--quiet', 'HEAD']);
  return head.ok ? head.stdout.toString().trim() : null;
}

function bulletsOf(lines: string): string {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
}

/** A name that cannot collide, because no task id begins like this. */
export const applying = '_apply';

/** Removes the work tree and the branch of an `apply`, including one that was killed. */
export async function dropApplying(session: SessionGit): Promise<void> {
  await removeWorkTrees(session, [applying]);
  await removeBranches(session, [branchName(session, applying)]);
}
