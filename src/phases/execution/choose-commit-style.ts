// Finds the form of commit messages that a project uses.
import { latestSubjects } from '../../git/past-commits.ts';
import { type CommitStyle, countConventional, type StyleCount } from '../../model/commit-style.ts';
import type { ExecutionSettings } from '../../model/settings.ts';

const mostLooked = 20;

/** Conventional commits of the history, to be offered where the settings say nothing. */
export async function offerCommitStyle(
  root: string,
  { commitStyle }: Pick<ExecutionSettings, 'commitStyle'>,
  signal: AbortSignal,
): Promise<StyleCount | null> {
  return commitStyle === null ? await findCommitStyle(root, signal) : null;
}

/** The style that commits get; the setting counts where nobody has taken another one. */
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

/** Of the latest commits so many are conventional; null where the project does not use them. */
async function findCommitStyle(root: string, signal: AbortSignal): Promise<StyleCount | null> {
  return countConventional((await latestSubjects({ root, signal }, mostLooked)) ?? []);
}
