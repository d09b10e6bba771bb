// Removes what the execution of a session left outside of the session's folder, or says what is kept.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { openRepository } from '../git/open-repository.ts';
import { neverAborted } from '../model/signal.ts';
import { quoteForShell } from '../model/wording.ts';
import { readResult } from '../phases/execution/read-result.ts';
import { readJournal } from '../store/journal.ts';
import { foldFinishedSteps } from '../store/recorded-steps.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { findBase } from '../workflow/recorded.ts';
import { worktreesFolder } from './folders.ts';
import { sessionWorktrees, snapshotsIn } from './session-places.ts';
import type { Workplace } from './workplace.ts';

/**
 * Removes work trees, branches and refs. A result that was not applied stays on its branch, so that work that
 * may be wanted is reported rather than lost. Returns a sentence for each thing that stays.
 */
export async function removeLeftWork(
  { root, environment }: Pick<Workplace, 'root' | 'environment'>,
  folder: SessionFolder,
): Promise<readonly string[]> {
  const place = worktreesFolder(environment, folder.path);
  if (!existsSync(place)) return [];
  const base = findBase(foldFinishedSteps((await readJournal(folder)).records));
  const signal = neverAborted;
  const snapshots = snapshotsIn(folder);
  const repository = await openRepository({ root, base, snapshots, signal });
  const trees = await sessionWorktrees({ folder, environment, repository, signal });
  const result = await readResult({ folder });
  const backup = `${place}/backup`;
  const keeps = existsSync(backup) ? [`What files held before is kept in ${backup}.`] : [];
  if (result === null || result.branch === null || result.applied !== null) {
    await trees.discard();
    return keeps;
  }
  await trees.reclaim();
  const isApart = existsSync(`${place}/git`);
  const { branch, carried, tasks } = result;
  const where = isApart ? `in ${place}` : `on the branch ${branch}`;
  const hidden = [
    ...(carried.length === 0 ? [] : [`work/${folder.id}`]),
    ...tasks.flatMap(({ task, apart }) => (apart === undefined ? [] : `held/${folder.id}/${task}`)),
  ].map((ref) => ` && git update-ref -d refs/conclave/${ref}`);
  const remove = isApart
    ? `rm -r ${quoteForShell(place)}`
    : `git branch -D ${branch}${hidden.join('')}`;
  if (!isApart && keeps.length === 0) await rm(place, { recursive: true, force: true });
  return [
    `Its result was not applied, and stays ${where}; to remove that, too: ${remove}`,
    ...keeps,
  ];
}
