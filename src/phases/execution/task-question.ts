// Calls a task's agent, holds the session that the next call goes on with, and shows the diff so far.
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent, AgentRequest } from '../../agents/agent.ts';
import type { Worktrees } from '../../git/worktrees.ts';
import { executePrompt, fixPrompt } from '../../prompts/execute.ts';
import type { SeatAnswer } from '../asking/ask-seat.ts';
import { conventionsFor } from '../shown-code.ts';
import { type Tools, promptBasics } from '../tools.ts';
import { commandsOf } from './checks.ts';
import type { AgentSession, TaskJob } from './execution.ts';
import { permissionFor } from './execution.ts';
import { type Kept, type TaskPlace, askToWork } from './work-question.ts';
import { steps } from '../../model/steps.ts';

interface Call {
  /** Counts from 1; 0 is the work itself. */
  readonly fix: number;
  /** Where the work tree stands when it begins. */
  readonly commit: string;
  readonly problems: readonly string[];
  /** What its agent may go on with. */
  readonly session: AgentSession | null;
}

/** What an agent did, as a commit; or why nobody could do it. */
type Answer =
  | {
      readonly commit: string;
      readonly summary: string;
      readonly agent: string;
      readonly session: AgentSession | null;
    }
  | { readonly commit: null; readonly why: string };

/** One call of the executor, or of who stands in for it. */
export async function askTask(
  job: TaskJob & { readonly place: TaskPlace },
  call: Call,
): Promise<Answer> {
  const { answer, failed } = await showingChanges(job, askExecutors(job, call));
  const commit = answer?.value.commit ?? null;
  if (answer !== null && commit !== null) {
    await showChanges(job, { commit });
    const { summary } = answer.value;
    return { commit, summary, agent: answer.agent.name, session: sessionAfter(call, answer) };
  }
  const whys = failed.map(({ failure }) => `${failure.agent}: ${failure.detail}`);
  return { commit: null, why: `nobody could do it (${whys.join('; ')})` };
}

/** What the next call may go on with; its tokens count from the begin of the session. */
function sessionAfter(
  { session: before }: Call,
  { agent, receipt: { agent_session: id, tokens } }: SeatAnswer<Kept>,
): AgentSession | null {
  if (id === null) return null;
  const here = { agent: agent.name, id, isHere: true };
  if (before?.id !== id || tokens === null) return { ...here, tokens };
  const { input = 0, output = 0, cached = 0 } = before.tokens ?? {};
  const all = {
    input: input + tokens.input,
    output: output + tokens.output,
    cached: cached + tokens.cached,
  };
  return { ...here, tokens: all };
}

function askExecutors(job: TaskJob & { readonly place: TaskPlace }, call: Call) {
  const { trees, task, number, place, executors } = job;
  const { fix, commit, problems } = call;
  const own = steps.task(number, task.id);
  const asked = fix === 0 ? own.work : own.fix(fix);
  const trailer = `Conclave-Step: ${asked.path}`;
  return askToWork(job, executors, {
    call: asked,
    folder: `execution/${number}/${task.id}/${asked.name}`,
    meaning: { task: task.id, commit, problems },
    cwd: place.path,
    permission: permissionFor(task),
    promptFor: (agent) => promptFor(job, call, agent),
    resume: (agent) => resumed(job, call.session, agent),
    async begin({ wasKilled }) {
      const tip = wasKilled ? await trees.tip(task.id) : null;
      if (tip?.message.includes(trailer) === true) return { commit: tip.commit, summary: '' };
      await place.at(commit);
      return null;
    },
    commit: () => place.keep(commit, `${task.id}: ${asked.name}\n\n${trailer}`),
  });
}

/** Most find a session only from the folder that it was made in. */
function resumed(
  { place }: TaskJob & { readonly place: TaskPlace },
  session: AgentSession | null,
  agent: Agent,
): AgentRequest['resume'] {
  if (session?.agent !== agent.name) return null;
  const { resumes } = agent.traits;
  if (resumes === 'never' || (resumes === 'in-its-folder' && !session.isHere)) return null;
  const { id: agentSession, tokens } = session;
  return { agentSession, cwd: place.path, ...(tokens === null ? {} : { spent: tokens }) };
}

async function promptFor(job: TaskJob, call: Call, agent: Agent): Promise<string> {
  const { tools, trees, task, number, start, request, earlier } = job;
  const common = { ...promptBasics(tools, agent, number), commands: commandsOf([task]) };
  if (call.fix > 0) {
    const diff = await trees.diff(start, { commit: call.commit });
    return fixPrompt({ ...common, of: task.id, tasks: [task], problems: call.problems, diff });
  }
  const conventions = conventionsFor(agent, job.package);
  return executePrompt({
    ...common,
    work: task,
    request,
    package: job.package,
    earlier,
    conventions,
  });
}

/** The task whose changes are shown. */
interface Shown extends Pick<TaskJob, 'start' | 'signal'> {
  readonly tools: Pick<Tools, 'emit'>;
  readonly trees: Pick<Worktrees, 'diff'>;
  readonly task: Pick<TaskJob['task'], 'id'>;
}

/** Between two looks, in ms. */
const pause = 2_000;
/** Characters of a diff that are shown. */
const most = 200_000;

/** Shows what a task has changed so far, now and then while its agent is at work. */
export async function showingChanges<T>(job: Shown, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const looking = lookAgainAndAgain(job, AbortSignal.any([job.signal, over.signal]));
  try {
    return await work;
  } finally {
    over.abort();
    await looking;
  }
}

/** Shows what a task has changed up to a commit, or in its work tree, unless it was shown last. */
export async function showChanges(
  { tools, trees, task, start }: Shown,
  to: Parameters<Worktrees['diff']>[1],
  last: string | null = null,
): Promise<string | null> {
  // The work tree may not be there yet, and a commit of long ago not any more.
  const diff = await trees.diff(start, to).catch(() => null);
  if (diff === null || diff === last) return last;
  const shown = diff.length > most ? `${diff.slice(0, most)}\n… cut here` : diff;
  tools.emit({ type: 'task.changed', task: task.id, diff: shown });
  return diff;
}

async function lookAgainAndAgain(job: Shown, over: AbortSignal): Promise<void> {
  let last: string | null = null;
  for (;;) {
    // Rejects when the work is over, which is what it waits for.
    await wait(pause, null, { signal: over }).catch(() => null);
    if (over.aborted) return;
    last = await showChanges(job, { name: job.task.id }, last);
  }
}
