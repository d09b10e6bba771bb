// Brings the result of an execution home: with what was accepted, and merged with what is checked out.
import { z } from 'zod';
import { mergeSubject } from '../../model/commit-style.ts';
import { ExecutionResult } from '../../model/execution.ts';
import { applyWords } from '../../model/execution-summary.ts';
import { Stopped } from '../../model/failure.ts';
import { steps } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { counted, listed, titleOf } from '../../model/wording.ts';
import { digestOf } from '../../store/digest.ts';
import { isRecorded, recordStep } from '../phase-tools.ts';
import { resolveConflict } from './ask-for-work.ts';
import type { Job } from './execution-team.ts';
import { checkJoined, resultTree } from './joined-checks.ts';
import { publishWork } from './result.ts';

const strings = z.array(z.string()).readonly();

/** The result after it was applied to the user’s work tree. */
export const AppliedResult = z.object({
  how: z.enum(['merged', 'files']),
  branch: z.string().nullable(),
  files: strings,
  backup: z.string().nullable(),
  uncommitted: strings.optional(),
  stays: z.string().optional().describe('Why its branch is not removed.'),
  resolved: z
    .object({ by: z.string(), files: strings })
    .optional()
    .describe('A conflict with what was checked out, and the agent that resolved it.'),
});
export type AppliedResult = z.infer<typeof AppliedResult>;

interface Applying extends Job {
  readonly result: ExecutionResult;
  readonly tasks: readonly Task[];
  /** The agent that the user chose to resolve a conflict; null for none. */
  readonly resolver: string | null;
  /** The agents that may fix what fails if the branch has moved, in order. */
  readonly executors: readonly string[];
}

/**
 * Applies the result, as a step; if the branch has moved, only after the checks have passed on the merge. The
 * result’s branch is removed afterwards. Throws `not-applied`, with nothing changed, if the result cannot be
 * applied.
 */
export async function applyResult(applying: Applying): Promise<AppliedResult> {
  const { tools, trees, number, result } = applying;
  const { done } = steps.apply(number);
  const { commit: own, start, carried } = result;
  const begun = { commit: start, carried };
  const home = isRecorded(tools, done) ? { commit: own } : await commitToApply(applying);
  const step = { ...applying, step: done, input: { commit: own }, shape: AppliedResult };
  const applied = await recordStep(step, async () => {
    const made = await trees.apply(home.commit, tools.execution.settings.apply, begun);
    if (!made.ok) throw notApplied(tools, `${made.why}${placesText(made.files)}`);
    return { ...made, resolved: home.resolved };
  });
  // Uncommitted files may be the only copy, unless they were uncommitted before.
  if (applied.how === 'files' && applied.uncommitted === undefined) return applied;
  const stays = await trees.settle(own, begun);
  return stays === null ? applied : { ...applied, stays };
}

type ToApply = { readonly commit: string } & Pick<AppliedResult, 'resolved'>;

/** A result merged into the checked-out commit, or the files in conflict; null if it was not merged. */
const MovedResult = z
  .object({
    commit: z.string(),
    isMoved: z.boolean(),
    conflicts: strings,
    head: z.object({ commit: z.string(), since: strings }).optional(),
  })
  .nullable();

/** The commit that is applied: merged with the checked-out commit, and checked again if that has moved. */
async function commitToApply(applying: Applying): Promise<ToApply> {
  const { tools, trees, number, result, resolver, executors } = applying;
  const { commit, start, carried } = result;
  const step = { ...applying, step: steps.apply(number).onto, input: { commit } };
  const onto = await recordStep({ ...step, shape: MovedResult }, () =>
    trees.onto(commit, { commit: start, carried }),
  );
  if (onto === null || !onto.isMoved) {
    await trees.reclaim([resultTree]);
    return { commit };
  }
  const resolved = onto.conflicts.length === 0 ? null : await resolveAtHome(applying, onto);
  const isCarried = carried.length > 0;
  const askable = resolver === null ? executors : [resolver];
  const checked = await checkJoined({
    ...applying,
    // The result contains uncommitted files, so work that builds on it could not be applied.
    executors: isCarried ? [] : askable,
    own: steps.joined(number, 'apply'),
    commit: resolved?.commit ?? onto.commit,
    outcomes: result.tasks,
    start,
    place: 'the merge with what is checked out now',
  });
  await trees.reclaim([resultTree]);
  if (checked.broken !== null) {
    const byHand = `git merge ${result.branch ?? commit}`;
    throw notApplied(tools, `${checked.broken}; to merge it by hand: ${byHand}`);
  }
  if (resolved !== null) return { ...resolved, commit: checked.commit };
  return { commit: isCarried ? commit : checked.commit };
}

/**
 * The merge by the agent that the user named, which is paid for once as long as neither side moves. Throws
 * `not-applied`, with the remaining options, if no agent is named or the conflict is not resolved.
 */
async function resolveAtHome(
  job: Applying,
  { head, conflicts: files }: NonNullable<z.infer<typeof MovedResult>>,
): Promise<ToApply> {
  const { tools, trees, number, resolver, result, tasks } = job;
  const { id } = tools.folder;
  const isCarried = result.carried.length > 0;
  const where = `these files conflict with what is checked out${placesText(files)}`;
  const refuse = async (why: string) => {
    await trees.reclaim([resultTree]);
    const command = `${applyWords(id, tools.execution.settings.apply)} --resolve-with NAME`;
    const agent = isCarried ? '' : `have an agent resolve it: ${command}; or `;
    const ways = `Leave it on its branch, or ${agent}merge it by hand: git merge ${result.branch ?? result.commit}`;
    return new Stopped({ reason: 'not-applied', why, ways });
  };
  if (resolver === null || head === undefined) throw await refuse(where);
  if (isCarried)
    throw await refuse(`${where}; no agent resolves it, as the work began with uncommitted files`);
  const { conflict: call, resolved: step } = steps.apply(number);
  const input = { into: head.commit, commit: result.commit, agent: resolver };
  // This agent may have made exactly this merge when it could not be applied; git may have deleted it since.
  const record = tools.execution.records.findLast(
    (one) => one.type === 'finished' && one.key === step.key && one.input === digestOf(input),
  );
  const { data: known } = z.string().safeParse(record?.type === 'finished' && record.result);
  const isThere = known !== undefined && (await trees.has(known));
  const commit = isThere
    ? known
    : await resolveConflict(job, {
        call,
        names: [resolver],
        name: resultTree,
        parents: [head.commit, result.commit],
        files,
        message: mergeSubject(titleOf(job.request.task), 'what is checked out'),
        folder: `execution/${number}/apply-conflict`,
        of: 'apply',
        works: tasks,
        before: head.since,
      });
  if (commit === null)
    throw await refuse(`${resolver} did not resolve the conflict in ${files.join(', ')}`);
  await recordStep({ ...job, step, input, shape: z.string() }, async () => commit);
  return { commit, resolved: { by: resolver, files } };
}

/**
 * The result with the changes that its accepted tasks left out. Each is a step, so that a resume makes the same
 * commit. Throws `not-applied` if they conflict with the work of other tasks.
 */
export async function takeAccepted(
  job: Job & { readonly tasks: readonly Task[] },
  result: ExecutionResult,
): Promise<ExecutionResult> {
  const { tools, trees, number } = job;
  const left = result.tasks.flatMap(({ task, apart }) =>
    apart !== undefined && result.accepted?.[task] !== undefined ? { task, ...apart } : [],
  );
  if (left.length === 0) return result;
  const ids = left.map(({ task }) => task);
  const what = `what ${listed(ids)} left out`;
  const { accept, accepted } = steps.apply(number);
  const step = { ...job, input: { commit: result.commit, tasks: ids } };
  const commit = await recordStep({ ...step, step: accept, shape: z.string() }, async () => {
    const commits = [result.commit, ...left.map((one) => one.commit)];
    const message = `Take in ${what}, as accepted`;
    const { head, conflicts } = await trees.make(resultTree, commits, message);
    if (conflicts.length === 0) return head;
    await trees.reclaim([resultTree]);
    throw notApplied(tools, `${what} conflicts with the result in ${conflicts.join(', ')}`);
  });
  const { broken } = await checkJoined({
    ...job,
    executors: [],
    own: steps.joined(number, 'accepted'),
    commit,
    outcomes: result.tasks,
    accepted: ids,
    start: result.start,
    place: 'the result with what was accepted',
  });
  return await recordStep({ ...step, step: accepted, shape: ExecutionResult }, async () => {
    await trees.reclaim([resultTree]);
    return { ...result, ...(await publishWork(job, result, commit)), broken: broken ?? undefined };
  });
}

function placesText(files: readonly string[]): string {
  return files.length === 0 ? '' : `: ${files.slice(0, 8).join(', ')}`;
}

function notApplied({ folder, execution }: Job['tools'], why: string): Stopped {
  const ways = `To try again: ${applyWords(folder.id, execution.settings.apply)}`;
  return new Stopped({ reason: 'not-applied', why, ways });
}

/** Describes in one clause how the result was applied. */
export function describeAppliedResult(applied: AppliedResult): string {
  const { how, branch, files, backup, uncommitted = [], stays, resolved } = applied;
  const isFiles = how === 'files';
  const where = isFiles
    ? 'written to your work tree, not committed'
    : `merged into ${branch ?? 'what is checked out'}`;
  const more = [
    resolved && `${resolved.by} resolved the conflict in ${listed(resolved.files)}`,
    !isFiles &&
      uncommitted.length > 0 &&
      `what tasks changed in your uncommitted files is written to them, not committed: ${listed(uncommitted)}`,
    backup !== null && `what the files held before is in ${backup}`,
    stays,
  ];
  return [`${counted(files.length, 'file')} ${where}`, ...more.filter(Boolean)].join('; ');
}
