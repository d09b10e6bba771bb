// Applies the result of an execution to the user’s work tree.
import { z } from 'zod';
import { steps } from '../../model/steps.ts';
import { counted, listed } from '../../model/wording.ts';
import { isRecorded, recordStep } from '../phase-tools.ts';
import { resultTree } from './join-work.ts';
import { checkJoined } from './joined-checks.ts';
import {
  type ApplyJob,
  MovedResult,
  notApplied,
  placesText,
  ResolvedAtHome,
  resolveAtHome,
} from './resolve-at-home.ts';

/** The result after it was applied to the user’s work tree. */
export const AppliedResult = z.object({
  how: z.enum(['merged', 'files']),
  branch: z.string().nullable(),
  files: z.array(z.string()),
  backup: z.string().nullable(),
  uncommitted: z.array(z.string()).optional(),
  stays: z.string().optional().describe('Why its branch is not removed.'),
  resolved: ResolvedAtHome.optional().describe('A conflict with what was checked out.'),
});
export type AppliedResult = z.infer<typeof AppliedResult>;

interface Applying extends ApplyJob {
  /** The agents that may fix what fails if the branch has moved, in order. */
  readonly executors: readonly string[];
}

/**
 * Applies the result, as a step; if the branch has moved, only after the checks have passed on the merge. The
 * result’s branch is removed afterwards. Throws `not-applied`, with nothing changed, if the result cannot be
 * applied.
 */
export async function applyResult(applying: Applying): Promise<AppliedResult> {
  const applied = await bringHome(applying);
  const { trees, result } = applying;
  // Uncommitted files may be the only copy, unless they were uncommitted before.
  if (applied.how === 'files' && applied.uncommitted === undefined) return applied;
  const begun = { commit: result.start, carried: result.carried };
  const stays = await trees.settle(result.commit, begun);
  return stays === null ? applied : { ...applied, stays };
}

async function bringHome(applying: Applying): Promise<AppliedResult> {
  const { tools, trees, number, result, signal } = applying;
  const { done } = steps.apply(number);
  const step = { tools, signal, step: done, shape: AppliedResult };
  const input = { commit: result.commit };
  if (isRecorded(tools, done)) return recordStep({ ...step, input }, () => never());
  const { commit, resolved } = await commitToApply(applying);
  return recordStep({ ...step, input }, async () => {
    const begun = { commit: result.start, carried: result.carried };
    const applied = await trees.apply(commit, tools.execution.settings.apply, begun);
    if (applied.ok) {
      const { uncommitted, ...others } = applied;
      const own = uncommitted === undefined ? {} : { uncommitted: [...uncommitted] };
      return { ...others, files: [...applied.files], ...own, ...(resolved && { resolved }) };
    }
    const { why, files } = applied;
    throw notApplied(tools, `${why}${placesText(files)}`);
  });
}

const never = () => Promise.reject(new Error('what is recorded is not done again'));

/** The commit that is applied: merged with the checked-out commit, and checked again if that has moved. */
async function commitToApply(
  applying: Applying,
): Promise<{ readonly commit: string; readonly resolved?: ResolvedAtHome }> {
  const { tools, trees, number, result, signal } = applying;
  const { commit } = result;
  const own = steps.apply(number);
  const step = { tools, signal, step: own.onto, input: { commit }, shape: MovedResult };
  const onto = await recordStep(step, async () => {
    const moved = await trees.onto(commit, { commit: result.start, carried: result.carried });
    if (moved === null) return null;
    const { head, conflicts, ...others } = moved;
    const at = head === undefined ? {} : { head: { ...head, since: [...head.since] } };
    return { ...others, ...at, conflicts: [...conflicts] };
  });
  if (onto === null || !onto.isMoved) {
    await trees.reclaim([resultTree]);
    return { commit };
  }
  const resolved = onto.conflicts.length === 0 ? null : await resolveAtHome(applying, onto);
  const isCarried = result.carried.length > 0;
  const { resolver, executors } = applying;
  const askable = resolver === null ? executors : [resolver];
  const checked = await checkJoined({
    ...applying,
    // The result contains uncommitted files, so work that builds on it could not be applied.
    executors: isCarried ? [] : askable,
    own: steps.joined(number, 'apply'),
    name: resultTree,
    commit: resolved?.commit ?? onto.commit,
    outcomes: result.tasks,
    start: result.start,
    place: 'the merge with what is checked out now',
  });
  await trees.reclaim([resultTree]);
  if (checked.broken !== null) {
    const byHand = `git merge ${result.branch ?? commit}`;
    throw notApplied(tools, `${checked.broken}; to merge it by hand: ${byHand}`);
  }
  if (resolved !== null) return { commit: checked.commit, resolved: resolved.told };
  return { commit: isCarried ? commit : checked.commit };
}

/** Describes in one clause how the result was applied. */
export function describeAppliedResult(applied: AppliedResult): string {
  const { how, branch, files, backup, uncommitted = [], stays, resolved } = applied;
  const where =
    how === 'files'
      ? 'written to your work tree, not committed'
      : `merged into ${branch ?? 'what is checked out'}`;
  const own =
    how === 'files' || uncommitted.length === 0
      ? ''
      : `; what tasks changed in your uncommitted files is written to them, not committed: ${listed(uncommitted)}`;
  const kept = backup === null ? '' : `; what the files held before is in ${backup}`;
  const left = stays === undefined ? '' : `; ${stays}`;
  const merged =
    resolved === undefined
      ? ''
      : `; ${resolved.by} resolved the conflict in ${listed(resolved.files)}`;
  return `${counted(files.length, 'file')} ${where}${merged}${own}${kept}${left}`;
}
