// Asks the executor of a task, or a stand-in, for its work, and for its fixes.
import { type AgentSession, sessionAfter } from '../../agents/agent-session.ts';
import { commitSubject } from '../../model/commit-style.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { checksAfter, recordsAt } from '../../model/execution-summary.ts';
import { steps } from '../../model/steps.ts';
import { executePrompt } from '../../prompts/execute-prompt.ts';
import { wordsFor } from '../shown-code.ts';
import { promptBasics } from '../phase-tools.ts';
import { askForWork, askToFix } from './ask-for-work.ts';
import { commandsOf } from './checks.ts';
import { permissionFor, type TaskJob } from './execution-team.ts';
import { proofTrailers } from './laid-proofs.ts';
import { retriesOf } from './retries.ts';
import { showChanges, showChangesDuring } from './show-changes.ts';
import type { TaskTree } from './task-tree.ts';

/** A task with the work tree in which it is done. */
export interface TreeJob extends TaskJob {
  readonly tree: TaskTree;
}

/** Work on a task, as a commit. */
export interface TaskWork {
  readonly commit: string;
  readonly summary: string;
  readonly agent: string;
  readonly session: AgentSession | null;
  readonly machine?: string | undefined;
  /** The reason why the work cannot be brought home as it is; null if it can. */
  readonly left: string | null;
}

/** The reason why there is no work. */
export interface NoWork {
  readonly why: string;
  /** True if only agents that rest could do it, so that nobody was asked. */
  readonly isResting?: boolean;
}

/** Has the executor of a task do it, or an agent that stands in. */
export function askTask(job: TreeJob): Promise<TaskWork | NoWork> {
  const { tools, task, number, tree, start, request, laid, proofs } = job;
  const call = steps.task(number, task.id).work;
  const folder = `execution/${number}/${task.id}/${call.name}`;
  const notes = retriesOf(tools.execution.records, task.id).filter((note) => note !== '');
  // Work that needs no fix is the commit of its task, as it is.
  const message = messageOf(job, []);
  const asking = askForWork(job, {
    call,
    names: job.executors,
    folder,
    meaning: { task: task.id, commit: start, notes },
    permission: permissionFor(task),
    workspace: tree.workspace({ folder, parent: start, message, isFix: false }),
    promptFor: async (agent) =>
      executePrompt({
        ...promptBasics(tools, agent, number),
        commands: commandsOf([task]),
        work: task,
        request: { ...request, feedback: [...request.feedback, ...notes] },
        package: job.package,
        earlier: job.earlier,
        elsewhere: proofs.filter(
          ({ id }) => !laid.some((one) => one.id === id) && task.proves?.includes(id),
        ),
        ...wordsFor(agent, job.package),
      }),
  });
  return workOf(job, asking, null);
}

/** Has what is wrong with the work on a task fixed, best by who did it. */
export function askForFix(
  job: TreeJob,
  { commit, session }: TaskWork,
  { index, problems }: { readonly index: number; readonly problems: readonly string[] },
): Promise<TaskWork | NoWork> {
  const { task, number, tree, start } = job;
  const call = steps.task(number, task.id).fix(index);
  const asking = askToFix(job, {
    call,
    names: job.executors,
    folder: `execution/${number}/${task.id}/${call.name}`,
    permission: permissionFor(task),
    session,
    tree,
    of: task.id,
    tasks: [task],
    problems,
    start,
    commit,
    message: `${task.id}: ${call.name}\n\nConclave-Step: ${call.path}`,
  });
  return workOf(job, asking, session);
}

/** Shows what a task changes while its agent works, and returns the work, or the reason why nobody could do it. */
async function workOf(
  job: TreeJob,
  asking: ReturnType<typeof askForWork>,
  before: AgentSession | null,
): Promise<TaskWork | NoWork> {
  const { work, failed } = await showChangesDuring(job, asking);
  if (work !== null && work.commit !== null) {
    const { commit, summary, agent, receipt, left } = work;
    await showChanges(job, { commit });
    const session = sessionAfter(receipt, { cwd: job.tree.path, before });
    return { commit, summary, agent, session, machine: receipt.machine, left };
  }
  const whys = failed.map(({ failure }) => `${failure.agent}: ${failure.detail}`).join('; ');
  // Only an agent that rests has a time after which it is asked again although nobody asked it now.
  const isResting = failed.every(
    ({ failure }) => failure.category === 'not-asked' && failure.retry_after_ms !== null,
  );
  return isResting
    ? { why: `not begun, as who could do it rests (${whys})`, isResting }
    : { why: `nobody could do it (${whys})` };
}

/** The message of the commit of a task, which changes some files. */
export function messageOf(
  { tools, task, laid, commitStyle: style }: TaskJob,
  files: readonly string[],
): string {
  const subject = commitSubject(task.title, { style, files });
  return `${subject}\n\nConclave-Task: ${tools.folder.id}/${task.id}${proofTrailers(laid)}`;
}

/** Says what is wrong with the work, for who fixes it: what its checks printed, or else why it does not count. */
export function problemsOf(records: readonly CheckRecord[], why: string): readonly string[] {
  const work = checksAfter(records);
  const all = recordsAt(records, 'after', 'all');
  const last = all.some(({ round }) => round === work[0]?.round) ? all : work;
  const failed = last.filter(({ passed }) => passed === false);
  if (failed.length === 0) return [why];
  return failed.map(({ check, note, output }) =>
    [`${check}: ${note}`, output.trim()].filter((text) => text !== '').join('\n'),
  );
}
