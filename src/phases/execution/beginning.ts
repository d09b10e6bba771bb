// Says before an execution where its work begins, and what else about its conditions is unusual.
import { headSince } from '../../git/head-since.ts';
import { strangerTexts } from '../../git/writing-git.ts';
import type { Repository } from '../../git/repository.ts';
import type { ExecutionSettings } from '../../model/settings.ts';
import { counted } from '../../model/wording.ts';

/** Says that the work begins at another commit than planned, in one sentence; empty if both are the same. */
export async function beginningTexts(
  { root, base }: Pick<Repository, 'root' | 'base'>,
  { at }: Pick<ExecutionSettings, 'at'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const since = await headSince({ root, signal }, base);
  if (since === null) return [];
  const { head, more, missing } = since;
  const planned = `the commit that the plan was made for (${(base.commit ?? '').slice(0, 9)})`;
  const distance = [
    ...(more === 0 ? [] : [`has ${counted(more, 'commit')} more than`]),
    ...(missing === 0 ? [] : [`lacks ${counted(missing, 'commit')} of`]),
  ].join(' and ');
  return at === 'head'
    ? [`The work begins at what is checked out now (${head}), which ${distance} ${planned}.`]
    : [`The work begins at ${planned}; what is checked out now (${head}) ${distance} it.`];
}

/** Sentences about anything else that a person should know before the start; empty if everything is as usual. */
export async function conditionTexts(
  { root, git }: Pick<Repository, 'root' | 'git'>,
  { isDestructive }: Pick<ExecutionSettings, 'isDestructive'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return [
    ...(isDestructive ? ['One task at a time, as is_destructive is set for this phase.'] : []),
    ...(git ? await strangerTexts({ root, signal }) : []),
  ];
}
