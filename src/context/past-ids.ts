import { git, type GitPlace } from './git.ts';

const mostCommits = 4000;

/** The commits up to this one, the newest first, without merges; empty where git cannot tell. */
export async function pastIds(place: GitPlace, head: string): Promise<readonly string[]> {
  const listed = await git(place, ['rev-list', '--no-merges', `--max-count=${mostCommits}`, head]);
  if (!listed.ok) return [];
  return listed.stdout.toString('latin1').trim().split('\n').filter(Boolean);
}
