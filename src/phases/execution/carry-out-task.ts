import { z } from 'zod';
import { CheckRun, type TaskOutcome } from '../../model/execution.ts';
import { checkEvent, runChecks } from './checks.ts';
import type { TaskJob } from './execution.ts';
import {
  type Done,
  endedBefore,
  finished,
  nothingDone,
  outcomeOf,
  written,
} from './finish-task.ts';
import { type Judgement, judge } from './judge.ts';
import { NotSetUp, type TaskPlace, taskPlace } from './task-place.ts';
import { askTask } from './task-question.ts';

/** How often an agent may put right what the checks found. */
const mostFixes = 2;

/**
 * Carries one task out: its checks before the work, the work, its checks after it, and up to two
 * rounds of fixes. Each is a step, so that a resume goes on where it stopped; what an agent did is
 * committed within the step of its call.
 */
export async function carryOutTask(job: TaskJob): Promise<TaskOutcome> {
  const { tools, trees, task, signal, start } = job;
  const known = endedBefore(tools.execution.records, job);
  if (known !== null) return await written(job, async () => known);
  const buildFacts = job.package.build_facts ?? [];
  const place = taskPlace({ name: task.id, tools, trees, buildFacts, signal });
  try {
    const before = await checked(job, place, { name: 'before', commit: start });
    const done = await work({ ...job, place, before });
    return await finished(job, place, done);
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    return await written(job, async () => outcomeOf(job, { ...nothingDone, why: error.message }));
  }
}

async function work(
  job: TaskJob & { readonly place: TaskPlace; readonly before: readonly CheckRun[] },
): Promise<Done> {
  const { place, before, start } = job;
  const call = { name: 'work', commit: start, problems: [], session: job.session } as const;
  const first = await askTask(job, call);
  if (first.kept === null) return { ...nothingDone, before, why: first.why };
  let { kept, session } = first;
  let after = await checked(job, place, { name: 'after-1', commit: kept.commit });
  let fixes = 0;
  for (;;) {
    const { status, why } = await judged(job, { before, after, commit: kept.commit });
    if (status !== 'failed' || fixes === mostFixes) break;
    fixes += 1;
    const problems = problemsOf(after, why);
    const { commit } = kept;
    const again = await askTask(job, { name: `fix-${fixes}`, commit, problems, session });
    if (again.kept === null) break;
    ({ kept, session } = again);
    after = await checked(job, place, { name: `after-${fixes + 1}`, commit: kept.commit });
  }
  const { agent: executor, commit, summary } = kept;
  return { why: '', executor, commit, before, after, fixes, summary, session };
}

async function judged(
  { task, trees, start }: TaskJob,
  { before, after, commit }: Pick<Done, 'before' | 'after'> & { readonly commit: string },
): Promise<Judgement> {
  const files = await trees.changed(start, commit);
  return judge({ task, before, after, files });
}

function problemsOf(after: readonly CheckRun[], why: string): readonly string[] {
  const failed = after.filter(({ passed }) => passed === false);
  if (failed.length === 0) return [why];
  return failed.map(({ check, note, output }) =>
    [`${check}: ${note}`, output.trim()].filter((text) => text !== '').join('\n'),
  );
}

/** The checks of the task at a commit, as a step. */
async function checked(
  { tools, task, number, signal }: TaskJob,
  place: TaskPlace,
  { name, commit }: { readonly name: string; readonly commit: string },
): Promise<readonly CheckRun[]> {
  const group = `execution-${number}/${task.id}`;
  const when = name === 'before' ? 'before' : 'after';
  const tell = (run: CheckRun, fromRecord?: boolean) =>
    tools.emit(checkEvent(task.id, when, run), fromRecord);
  const key = `${group}/${name}`;
  const step = { key, group, kind: 'calculation', input: { commit }, signal } as const;
  const { value, replayed } = await tools.steps.run(
    { ...step, shape: z.array(CheckRun) },
    async () => {
      await place.at(commit);
      return await runChecks(task, place.checks, (run) => tell(run));
    },
  );
  if (replayed) for (const run of value) tell(run, true);
  return value;
}
