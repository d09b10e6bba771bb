// Asks the executor of a task, or a stand-in, for its work.
import { type AgentSession, sessionAfter } from '../../agents/agent-session.ts';
import type { Agent } from '../../agents/agent.ts';
import { commitSubject } from '../../model/commit-style.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { checksAfter, recordsAt } from '../../model/execution-summary.ts';
import { steps } from '../../model/steps.ts';
import { executePrompt, fixPrompt } from '../../prompts/execute-prompt.ts';
import { askSeat } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { wordsFor } from '../shown-code.ts';
import { promptBasics } from '../phase-tools.ts';
import { commandsOf } from './checks.ts';
import { permissionFor, type TaskJob } from './execution-team.ts';
import { proofTrailers } from './laid-proofs.ts';
import { retriesOf } from './retries.ts';
import { showChanges, showChangesDuring } from './show-changes.ts';
import type { TaskTree } from './task-tree.ts';
import { type FinishedWork, whyLeft, workQuestion } from './work-question.ts';

/** A task with the work tree in which it is done. */
export interface TreeJob extends TaskJob {
  readonly tree: TaskTree;
}

interface TaskCall {
  /** The number of the fix, from 1; 0 is the work itself. */
  readonly fix: number;
  /** The commit of the work tree at the start of the call. */
  readonly commit: string;
  readonly problems: readonly string[];
  /** The session that its agent may resume. */
  readonly session: AgentSession | null;
}

/** An agent’s work as a commit, or the reason why no agent could do it. */
export type TaskAnswer =
  | {
      readonly commit: string;
      readonly summary: string;
      readonly agent: string;
      readonly session: AgentSession | null;
      readonly machine?: string | undefined;
      /** The reason why the work cannot be brought home as it is; null if it can. */
      readonly left: string | null;
    }
  | {
      readonly commit: null;
      readonly why: string;
      /** True if only agents that rest could do it, so that nobody was asked. */
      readonly isResting?: boolean;
    };

/** Calls the executor, or an agent that stands in for it, once. */
export async function askTask(job: TreeJob, call: TaskCall): Promise<TaskAnswer> {
  const { tools, executors: names, tree, signal } = job;
  const question = taskQuestion(job, call);
  const asking = askSeat({ tools, question, names, signal });
  const { answer, failed } = await showChangesDuring(job, asking);
  const commit = answer?.value.commit ?? null;
  if (answer !== null && commit !== null) {
    await showChanges(job, { commit });
    const { agent, receipt, value } = answer;
    const session = sessionAfter(receipt, { cwd: tree.path, before: call.session });
    const { summary } = value;
    const { machine } = receipt;
    return { commit, summary, agent: agent.name, session, machine, left: whyLeft(answer) };
  }
  const whys = failed.map(({ failure }) => `${failure.agent}: ${failure.detail}`);
  // Only an agent that rests has a time after which it is asked again although nobody asked it now.
  const isResting = failed.every(
    ({ failure }) => failure.category === 'not-asked' && failure.retry_after_ms !== null,
  );
  const why = `(${whys.join('; ')})`;
  return isResting
    ? { commit: null, why: `not begun, as who could do it rests ${why}`, isResting }
    : { commit: null, why: `nobody could do it ${why}` };
}

function taskQuestion(job: TreeJob, call: TaskCall): Question<FinishedWork> {
  const { task, number, tree } = job;
  const notes = notesFor(job);
  const { fix, commit: parent, problems, session } = call;
  const own = steps.task(number, task.id);
  const asked = fix === 0 ? own.work : own.fix(fix);
  const trailer = fix === 0 ? trailerOf(job) : `Conclave-Step: ${asked.path}`;
  // Work that needs no fix is the commit of its task, as it is.
  const message = fix === 0 ? messageOf(job, []) : `${task.id}: ${asked.name}\n\n${trailer}`;
  const folder = `execution/${number}/${task.id}`;
  return workQuestion(job, {
    call: asked,
    folder: `${folder}/${asked.name}`,
    meaning: { task: task.id, commit: parent, problems, ...(notes.length > 0 && { notes }) },
    permission: permissionFor(task),
    session,
    promptFor: (agent) => promptFor(job, call, agent),
    workspace: tree.workspace({ folder, parent, message, trailer, isFix: fix > 0 }),
  });
}

const trailerOf = ({ tools, task }: TaskJob) => `Conclave-Task: ${tools.folder.id}/${task.id}`;

/** The message of the commit of a task, which changes some files. */
export function messageOf(job: TaskJob, files: readonly string[]): string {
  const subject = commitSubject(job.task.title, { style: job.commitStyle, files });
  return `${subject}\n\n${trailerOf(job)}${proofTrailers(job.laid)}`;
}

/** The user’s notes on work that is done again. */
function notesFor({ tools, task }: TaskJob): readonly string[] {
  return retriesOf(tools.execution.records, task.id).filter((note) => note !== '');
}

async function promptFor(job: TaskJob, call: TaskCall, agent: Agent): Promise<string> {
  const { tools, trees, task, number, start, request, earlier, laid, proofs } = job;
  const common = { ...promptBasics(tools, agent, number), commands: commandsOf([task]) };
  if (call.fix > 0) {
    const diff = await trees.diff(start, { commit: call.commit });
    return fixPrompt({ ...common, of: task.id, tasks: [task], problems: call.problems, diff });
  }
  return executePrompt({
    ...common,
    work: task,
    request: { ...request, feedback: [...request.feedback, ...notesFor(job)] },
    package: job.package,
    earlier,
    elsewhere: proofs.filter(
      (proof) => !laid.some(({ id }) => id === proof.id) && task.proves?.includes(proof.id),
    ),
    ...wordsFor(agent, job.package),
  });
}

/** Says what is wrong with the work, for who fixes it: what its checks printed, or else why it does not count. */
export function problemsOf(records: readonly CheckRecord[], why: string): readonly string[] {
  const all = recordsAt(records, 'after', 'all');
  const { round } = checksAfter(records)[0] ?? {};
  const last = all.some((run) => run.round === round) ? all : checksAfter(records);
  const failed = last.filter(({ passed }) => passed === false);
  if (failed.length === 0) return [why];
  return failed.map(({ check, note, output }) =>
    [`${check}: ${note}`, output.trim()].filter((text) => text !== '').join('\n'),
  );
}
