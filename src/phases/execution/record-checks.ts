// Runs checks on a commit as one recorded step, and appends a record of each run to `checks.jsonl`.
import { z } from 'zod';
import { CheckRecord, type CheckRun, type Moment } from '../../model/check-record.ts';
import { type Check, checkName } from '../../model/check.ts';
import type { EventOf } from '../../model/event.ts';
import type { Step } from '../../model/step.ts';
import { checkEvent, runChecks } from './checks.ts';
import type { Job } from './execution-team.ts';
import { failedSetUp, NotSetUp } from './prepare-tree.ts';
import type { TaskTree } from './task-tree.ts';

/** A check with the tasks that have it. */
export interface OwnedCheck {
  readonly check: Check;
  readonly tasks: readonly string[];
}

/** Checks to run, with the place and the moment. */
export interface ChecksToRun {
  readonly step: Step;
  /** What the recorded step depends on; by default the commit. */
  readonly input?: object;
  readonly tree: TaskTree;
  /** The commit to check out, or how to make it. */
  readonly commit: string | (() => Promise<string>);
  readonly checks: readonly OwnedCheck[];
  readonly moment: Moment;
  readonly round: number;
  readonly files: CheckRecord['tree'];
  /** How events name the moment; null for a run that is not told. */
  readonly when: EventOf<'check.ran'>['when'] | null;
}

/**
 * Runs checks on a commit one after the other; those that are green on the start count as they are in a tree
 * without what earlier checks left. A set-up that fails there counts as a failed check, but before
 * the work it is thrown: no agent could fix it.
 */
export async function recordChecks(
  job: Job,
  { step, tree, checks, moment, round, files, when, ...place }: ChecksToRun,
): Promise<readonly CheckRecord[]> {
  const { tools, number, signal } = job;
  const { input = { commit: place.commit } } = place;
  const tell = (run: CheckRecord, fromRecord?: boolean) =>
    when === null ? undefined : tools.emit(checkEvent(run.tasks[0] ?? '', when, run), fromRecord);
  const { value, replayed } = await tools.steps.run(
    { ...step, input, shape: z.array(CheckRecord), signal },
    async () => {
      const commit = typeof place.commit === 'string' ? place.commit : await place.commit();
      const records: CheckRecord[] = [];
      const keep = async (run: CheckRun, tasks: readonly string[]) => {
        const record = { ...run, tasks: [...tasks], moment, round, commit, tree: files };
        records.push(record);
        await tools.folder.append(
          `execution/${number}/checks.jsonl`,
          `${JSON.stringify(record)}\n`,
        );
        tell(record);
      };
      try {
        await tree.moveTo(commit);
      } catch (error) {
        if (!(error instanceof NotSetUp) || moment === 'before') throw error;
        await keep(failedSetUp(error), [...new Set(checks.flatMap(({ tasks }) => tasks))]);
        return records;
      }
      const runAll = async (some: readonly OwnedCheck[]) => {
        for (const { check, tasks } of some) {
          for (const run of await runInTurn(job, check, tree)) await keep(run, tasks);
        }
      };
      await runAll(checks);
      // A green on the start may come from what earlier checks left in the tree, such as a build.
      const green = moment === 'again' ? records.filter(({ passed }) => passed === true) : [];
      if (green.length === 0 || !(await tree.renew(commit))) return records;
      const once = records.length;
      const isGreen = (name: string) => green.some((run) => run.check === name);
      await runAll(checks.filter(({ check }) => isGreen(checkName(check))));
      return records.filter((run, at) => at >= once || !isGreen(run.check));
    },
  );
  if (replayed) for (const run of value) tell(run, true);
  return value;
}

/** Runs a check beside others; once more by itself if another one held the port that it needs. */
async function runInTurn(
  { turns }: Pick<Job, 'turns'>,
  check: Check,
  { checks: place }: TaskTree,
): Promise<readonly CheckRun[]> {
  const run = () => runChecks([check], place, () => undefined);
  if (turns === undefined) return await run();
  const first = await turns.beside(run);
  return first.some(({ collided }) => collided === true) ? await turns.alone(run) : first;
}
