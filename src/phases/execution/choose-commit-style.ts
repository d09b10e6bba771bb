// Finds the form of commit messages that a project uses.
import { latestSubjects } from '../../git/past-commits.ts';
import { type CommitStyle, countConventional, type StyleCount } from '../../model/commit-style.ts';
import type { ExecutionSettings } from '../../model/settings.ts';

const mostLooked = 20;

/** Counts conventional commits in the history to offer that style, unless the settings name one. */
export async function offerCommitStyle(
  root: string,
  { commitStyle }: Pick<ExecutionSettings, 'commitStyle'>,
  signal: AbortSignal,
): Promise<StyleCount | null> {
  return commitStyle === null ? await findCommitStyle(root, signal) : null;
}

/** The style of commit messages; the setting counts unless the user has chosen another one. */
export async function chooseCommitStyle(
  root: string,
  {
    wanted,
    signal,
  }: { readonly wanted: ExecutionSettings['commitStyle']; readonly signal: AbortSignal },
): Promise<CommitStyle> {
  if (wanted !== 'project') return wanted ?? 'plain';
  return (await findCommitStyle(root, signal)) === null ? 'plain' : 'conventional';
}

/** Counts the conventional messages among the latest commits; null if the project does not use them. */
async function findCommitStyle(root: string, signal: AbortSignal): Promise<StyleCount | null> {
  return countConventional((await latestSubjects({ root, signal }, mostLooked)) ?? []);
}
