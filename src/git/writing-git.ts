// Runs git commands that write, and throws a failure if one fails.
import { Stopped, wrongUsage } from '../model/failure.ts';
import { listed } from '../model/wording.ts';
import { git, gitMissing, type GitTarget } from './git.ts';
import { authorSettings, type GitSetting, guardVariables } from './guard.ts';

/**
 * Adds what a writing command needs: besides the guard of `guardGit`, no signature, no background
 * maintenance, and an author’s name if the user has told git none.
 */
export async function prepareWriting(target: GitTarget): Promise<GitTarget> {
  const missing = await missingNames(target);
  const guard = await guardVariables(target, [...writing, ...missing]);
  return { ...target, variables: { ...target.variables, ...guard } };
}

/** The author settings that git lacks there, with the values used instead. */
async function missingNames(target: GitTarget): Promise<readonly GitSetting[]> {
  const named = await authorSettings(target);
  return author.filter(([key]) => !named.has(key));
}

/** Says in a sentence that commits made there are not in the user’s name; empty if they are. */
export async function strangerTexts(target: GitTarget): Promise<readonly string[]> {
  const missing = await missingNames(target);
  if (missing.length === 0) return [];
  const names = listed(missing.map(([key]) => key));
  const others = listed(missing.map(([, value]) => value));
  return [
    `Git has no ${names} set here, so the commits carry ${others}; set yours by "git config ${missing[0]?.[0]} …" before you start.`,
  ];
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
  // It would refuse a file whose line ends the user’s settings convert.
  ['core.safecrlf', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['worktree.useRelativePaths', 'false'],
];

/** Thrown if git refuses a command because of what it found in the work tree or repository. */
export class GitRefused extends Stopped {
  constructor(message: string) {
    super({ reason: 'usage', message });
  }
}

/** Returns the output of a command without the last line break. Throws `GitRefused` with git’s message. */
export async function gitSays(
  target: GitTarget,
  args: readonly string[],
  input: string | Buffer | null = null,
): Promise<string> {
  const answer = await git(target, args, input);
  if (answer.ok) return answer.stdout.toString('utf8').replace(/\n$/, '');
  if (answer.reason === gitMissing) throw wrongUsage('Execution needs git; install it.');
  throw new GitRefused(`"git ${args[0]}" failed in ${target.root}: ${answer.reason}`);
}

/** Returns the items of a command that ends each with a NUL. */
export async function gitLists(
  target: GitTarget,
  args: readonly string[],
): Promise<readonly string[]> {
  return (await gitSays(target, args)).split('\0').slice(0, -1);
}
