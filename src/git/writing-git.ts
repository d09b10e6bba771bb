// Runs git commands that write, and stops with a failure where one fails.
import { wrongUsage } from '../model/failure.ts';
import { git, gitMissing, type GitPlace } from './git.ts';
import { type GitSetting, guardVariables } from './guard.ts';

/**
 * The place with what a writing command needs: besides the guard of `guardedGit`, no signature, no
 * tidying up in the background, and a name for the author where the user has told git none.
 */
export async function writingPlace(place: GitPlace): Promise<GitPlace> {
  const named = await git(place, ['config', '--get-regexp', String.raw`^user\.(name|email)$`]);
  const lines = named.ok ? named.stdout.toString() : '';
  const missing = author.filter(([key]) => !lines.includes(`${key} `));
  const guard = await guardVariables(place, [...writing, ...missing]);
  return { ...place, variables: { ...place.variables, ...guard } };
}

const author: readonly GitSetting[] = [
  ['user.name', 'Conclave'],
  ['user.email', 'conclave@localhost'],
];

const writing: readonly GitSetting[] = [
  ['commit.gpgsign', 'false'],
  ['merge.verifySignatures', 'false'],
  ['merge.autoStash', 'false'],
  ['rerere.enabled', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['worktree.useRelativePaths', 'false'],
];

/** The output of a command, without the last line break. Throws `Stopped` with what git says. */
export async function gitSays(
  place: GitPlace,
  args: readonly string[],
  input: string | Buffer | null = null,
): Promise<string> {
  const answer = await git(place, args, input);
  if (answer.ok) return answer.stdout.toString('utf8').replace(/\n$/, '');
  throw wrongUsage(
    answer.reason === gitMissing
      ? 'Execution needs git; install it.'
      : `"git ${args[0]}" failed in ${place.root}: ${answer.reason}`,
  );
}

/** The items of a command that ends each with a NUL. */
export async function gitLists(
  place: GitPlace,
  args: readonly string[],
): Promise<readonly string[]> {
  return (await gitSays(place, args)).split('\0').slice(0, -1);
}
