// Has an agent of the user's choice resolve a conflict with the checked-out commit, or names the options.
import { z } from 'zod';
import type { ExecutionResult } from '../../model/execution.ts';
import { mergeSubject } from '../../model/commit-style.ts';
import { applyWords } from '../../model/execution-summary.ts';
import { Stopped } from '../../model/failure.ts';
import { steps } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { titleOf } from '../../model/wording.ts';
import { conflictPrompt } from '../../prompts/execute-prompt.ts';
import { digestOf } from '../../store/digest.ts';
import { promptBasics, recordStep } from '../phase-tools.ts';
import type { Job } from './execution-team.ts';
import { resultTree } from './join-work.ts';
import { resolveConflict } from './resolve-conflict.ts';

/** A result that is about to be applied. */
export interface ApplyJob extends Job {
  readonly result: ExecutionResult;
  readonly tasks: readonly Task[];
  /** The agent that the user chose to resolve a conflict; null for none. */
  readonly resolver: string | null;
}

/** A result merged into the checked-out commit, or the files in conflict; null if it was not merged. */
export const MovedResult = z
  .object({
    commit: z.string(),
    isMoved: z.boolean(),
    conflicts: z.array(z.string()),
    head: z.object({ commit: z.string(), since: z.array(z.string()) }).optional(),
  })
  .nullable();
type MovedResult = NonNullable<z.infer<typeof MovedResult>>;

/** A conflict that an agent resolved. */
export const ResolvedAtHome = z.object({ by: z.string(), files: z.array(z.string()) });
export type ResolvedAtHome = z.infer<typeof ResolvedAtHome>;

/**
 * The merge by the agent that the user named, which is paid for once as long as neither side moves. Throws
 * `not-applied`, with the remaining options, if no agent is named or the conflict is not resolved.
 */
export async function resolveAtHome(
  job: ApplyJob,
  { head, conflicts: files }: MovedResult,
): Promise<{ readonly commit: string; readonly told: ResolvedAtHome }> {
  const { tools, number, resolver, result, signal } = job;
  const where = `these files conflict with what is checked out${placesText(files)}`;
  if (resolver === null || head === undefined) throw await inConflict(job, where);
  if (result.carried.length > 0) {
    throw await inConflict(
      job,
      `${where}; no agent resolves it, as the work began with uncommitted files`,
    );
  }
  const meaning = { into: head.commit, commit: result.commit, agent: resolver };
  const { resolved } = steps.apply(number);
  const known = await resolvedBefore(job, digestOf(meaning));
  const commit = known ?? (await ask(job, { head, files, resolver }));
  if (commit === null)
    throw await inConflict(job, `${resolver} did not resolve the conflict in ${files.join(', ')}`);
  const step = { tools, signal, step: resolved, input: meaning, shape: z.string() };
  await recordStep(step, async () => commit);
  return { commit, told: { by: resolver, files } };
}

/** The commit that this agent made of exactly this merge earlier, when it could not be applied. */
async function resolvedBefore(
  { tools, trees, number }: ApplyJob,
  input: string,
): Promise<string | null> {
  const { key } = steps.apply(number).resolved;
  const record = tools.execution.records.findLast(
    (one) => one.type === 'finished' && one.key === key && one.input === input,
  );
  const { data = null } = z.string().safeParse(record?.type === 'finished' ? record.result : null);
  // Git may have deleted the commit since.
  const isThere = data !== null && (await trees.has(data));
  return isThere ? data : null;
}

interface Asked {
  readonly head: NonNullable<MovedResult['head']>;
  readonly files: readonly string[];
  readonly resolver: string;
}

function ask(job: ApplyJob, { head, files, resolver }: Asked): Promise<string | null> {
  const { tools, number, result, tasks } = job;
  const { conflict: call } = steps.apply(number);
  const { commit } = result;
  return resolveConflict({
    ...job,
    call,
    name: resultTree,
    parents: [head.commit, commit],
    files,
    message: mergeSubject(titleOf(job.request.task), 'what is checked out'),
    folder: `execution/${number}/apply-conflict`,
    meaning: { into: head.commit, commit },
    executors: [resolver],
    promptFor: async (agent) =>
      conflictPrompt({
        ...promptBasics(tools, agent, number),
        of: 'apply',
        files,
        works: tasks,
        before: head.since,
      }),
  });
}

async function inConflict({ tools, trees, result }: ApplyJob, why: string): Promise<Stopped> {
  await trees.reclaim([resultTree]);
  const { apply: form } = tools.execution.settings;
  const agent =
    result.carried.length > 0
      ? ''
      : `have an agent resolve it: ${applyWords(tools.folder.id, form)} --resolve-with NAME; or `;
  const ways = `Leave it on its branch, or ${agent}merge it by hand: git merge ${result.branch ?? result.commit}`;
  return new Stopped({ reason: 'not-applied', why, ways });
}

export function placesText(files: readonly string[]): string {
  return files.length === 0 ? '' : `: ${files.slice(0, 8).join(', ')}`;
}

export function notApplied({ folder, execution }: Job['tools'], why: string): Stopped {
  const ways = `To try again: ${applyWords(folder.id, execution.settings.apply)}`;
  return new Stopped({ reason: 'not-applied', why, ways });
}
