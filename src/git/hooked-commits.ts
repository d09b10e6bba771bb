// Makes the commits that come home by git itself, with the user’s hooks and signature.
import { resolve } from 'node:path';
import { git, type GitTarget } from './git.ts';
import { makeWorkTree, openWorkTree } from './linked-tree.ts';
import { applying, commitsOf, dropApplying, mergeMessage, messageOf } from './rewritten.ts';
import type { SessionGit } from './session-git.ts';
import type { ApplyHow } from './worktrees.ts';
import { gitSays } from './writing-git.ts';

/** The last of the commits that come home, or why they were not made. */
export type MadeCommits =
  | { readonly ok: true; readonly commit: string }
  | { readonly ok: false; readonly why: string };

interface Work {
  readonly commit: string;
  /** The commit merged into what is checked out. */
  readonly joined: string;
  readonly how: ApplyHow;
}

/**
 * Makes the commits in a clean work tree of what is checked out. A hook that refuses leaves
 * everything unchanged.
 */
export async function hookedCommits(session: SessionGit, work: Work): Promise<MadeCommits> {
  const head = await gitSays(session.home, ['rev-parse', 'HEAD']);
  if (work.joined === head) return { ok: true, commit: head };
  try {
    await makeWorkTree(session, applying, { commits: [head] });
    const tree = await openWorkTree(session, applying);
    const why = await makeThem(session, { ...work, tree: await withHooks(session, tree), head });
    if (why !== null) {
      return { ok: false, why: `your hooks or your signature refuse a commit: ${why}` };
    }
    return { ok: true, commit: await gitSays(tree, ['rev-parse', 'HEAD']) };
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

/** Makes the commits. Returns why that failed, in the words of git or of the hook, or null. */
async function makeThem(
  session: SessionGit,
  { tree, commit, joined, how, head }: Work & { readonly tree: GitTarget; readonly head: string },
): Promise<string | null> {
  if (how === 'merge') {
    const message = await mergeMessage(session);
    return await reasonOf(tree, ['merge', '--no-ff', '--quiet', '-m', message, commit]);
  }
  const own = await commitsOf(session, commit, head);
  const left = how === 'linear' ? await pickAll(tree, own) : { why: null, commits: own };
  if (left.why !== null || left.commits.length === 0) return left.why;
  await gitSays(tree, ['read-tree', '-u', '--reset', joined]);
  const message = await messageOf(session, left.commits);
  return await reasonOf(tree, ['commit', '--quiet', '-F', '-'], message);
}

/** The commits that do not apply on their own, or why one was refused. */
async function pickAll(
  tree: GitTarget,
  commits: readonly string[],
): Promise<{ readonly why: string | null; readonly commits: readonly string[] }> {
  for (const [at, one] of commits.entries()) {
    const picked = await git(tree, ['cherry-pick', '--no-commit', one]);
    if (!picked.ok) {
      await gitSays(tree, ['reset', '--hard', '--quiet']);
      return { why: null, commits: commits.slice(at) };
    }
    const why = await reasonOf(tree, ['commit', '--quiet', '--allow-empty', '-C', one]);
    if (why !== null) return { why, commits: [] };
  }
  return { why: null, commits: [] };
}

async function reasonOf(
  target: GitTarget,
  args: readonly string[],
  input: string | null = null,
): Promise<string | null> {
  const answer = await git(target, args, input);
  return answer.ok ? null : answer.reason;
}
