import { git, type GitPlace } from './git.ts';

const mostCommits = 4000;

/** What git is asked for to get those up to a commit. */
export const upTo = ['--no-merges', `--max-count=${mostCommits}`];

/** The commits up to this one, the newest first, without merges; empty where git cannot tell. */
export async function pastIds(place: GitPlace, head: string): Promise<readonly string[]> {
  const listed = await git(place, ['rev-list', ...upTo, head]);
  if (!listed.ok) return [];
  return listed.stdout.toString('latin1').trim().split('\n').filter(Boolean);
}
