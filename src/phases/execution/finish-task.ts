import { CheckRun, TaskOutcome } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { digestOf } from '../../store/digest.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { withoutRuntime } from '../planning/approval.ts';
import type { AgentSession, TaskJob } from './execution.ts';
import { type Judgement, judge, outOfScope } from './judge.ts';
import type { TaskPlace } from './task-place.ts';

/** What came of the work on a task, before it is written down. */
export interface Done {
  readonly why: string;
  readonly executor: string | null;
  readonly commit: string | null;
  readonly before: readonly CheckRun[];
  readonly after: readonly CheckRun[];
  readonly fixes: number;
  readonly summary: string;
  readonly session: AgentSession | null;
}

export const nothingDone: Done = {
  why: '',
  executor: null,
  commit: null,
  before: [],
  after: [],
  fixes: 0,
  summary: '',
  session: null,
};

/** Writes down how the task ended: as one commit, and in its file. */
export function finished(job: TaskJob, place: TaskPlace, done: Done): Promise<TaskOutcome> {
  const { tools, trees, task, number, start } = job;
  return written(job, async () => {
    if (done.commit === null) return outcomeOf(job, done);
    const files = await trees.changed(start, done.commit);
    const outcome = outcomeOf(job, done, files);
    if (outcome.status === 'failed') {
      const diff = await trees.diff(start, { commit: done.commit });
      await tools.folder.write(`execution/${number}/${task.id}/changes.diff`, diff);
      return outcome;
    }
    await place.at(done.commit);
    return { ...outcome, commit: await place.keep(start, commitMessage(job)) };
  });
}

export async function written(job: TaskJob, end: () => Promise<TaskOutcome>): Promise<TaskOutcome> {
  const { tools, task, number, start, signal } = job;
  const group = `execution-${number}/${task.id}`;
  const key = `${group}/finish`;
  const input = finishInput(task, start);
  const step = { key, group, kind: 'calculation', input, shape: TaskOutcome, signal } as const;
  return (await tools.steps.run(step, end)).value;
}

/** What the end of a task hangs on: its own content, and the commit that it began from. */
function finishInput(task: Task, start: string): unknown {
  return { task: withoutRuntime(task), start };
}

/** How the same task ended in an earlier execution, if its work counts. */
export function endedBefore(
  records: readonly JournalRecord[],
  { task, start, number }: { readonly task: Task; readonly start: string; readonly number: number },
): TaskOutcome | null {
  const input = digestOf(finishInput(task, start));
  const keys = new Set(
    Array.from({ length: number - 1 }, (_, before) => `execution-${before + 1}/${task.id}/finish`),
  );
  const found = records.findLast(
    (record) => record.type === 'finished' && keys.has(record.key) && record.input === input,
  );
  const outcome = found?.type === 'finished' ? TaskOutcome.safeParse(found.result).data : undefined;
  return outcome === undefined || outcome.commit === null ? null : outcome;
}

function commitMessage({ task, tools }: TaskJob): string {
  return `${task.title}\n\nConclave-Task: ${tools.folder.id}/${task.id}`;
}

export function outcomeOf(
  { task, start }: TaskJob,
  { why, executor, before, after, fixes, summary, commit, session }: Done,
  files: readonly string[] = [],
): TaskOutcome {
  const known: Judgement =
    commit === null
      ? { status: 'failed', why, criteria: task.convergence.criteria.map(() => false) }
      : judge({ task, before, after, files });
  return {
    task: task.id,
    title: task.title,
    status: known.status,
    why: known.why,
    executor,
    start,
    commit: null,
    files_modified: [...files],
    out_of_scope: outOfScope(task, files),
    before: [...before],
    after: [...after],
    fix_rounds: fixes,
    criteria: [...known.criteria],
    summary,
    ...(session === null ? {} : { agent_session: { id: session.id, tokens: session.tokens } }),
  };
}
