// Runs one job in a process of its own: a turn, or a session up to its next question.
import { stat } from 'node:fs/promises';
import { setInterval as every } from 'node:timers';
import { examinePlan, readCritique } from '../app/examine-plan.ts';
import { loadSession } from '../app/load-session.ts';
import { letUnconfined } from '../app/check-execution.ts';
import { executeSession, resumeSession, reviewSession, startSession } from '../app/sessions.ts';
import type { Door } from '../app/sessions.ts';
import type { Leaf } from '../app/settings/leaf.ts';
import { flagLeaves } from '../app/settings/text-leaves.ts';
import { openWorkplace } from '../app/workplace.ts';
import { critiqueTexts } from '../faces/critique-words.ts';
import { linesOf } from '../faces/event-lines.ts';
import { Stopped } from '../model/failure.ts';
import { critiqueFile } from '../phases/critique/judge-plan.ts';
import { lockSession } from '../store/lock.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import type { SessionEnd } from '../workflow/recorded.ts';
import { answersOf } from './job-answers.ts';
import type { JobState, SessionRequest, JobRequest } from './job-request.ts';
import { type JobFolder, jobFolder, readRequest, startOf } from './job-store.ts';
import { withoutFlags } from './results.ts';
import { type RunningJob, runTurn } from './run-turn.ts';
import { readRounds } from '../app/saved-session.ts';
import { missingText, opinionsOn, opinionText } from '../phases/opinions.ts';

/** In ms: a job that nobody asks about for so long pauses. */
const longestUnasked = 30 * 60 * 1000;

/** A session that stops where a question is asked that nobody has answered. */
class AtQuestion extends Error {
  readonly question: string;
  constructor(question: string) {
    super(`stopped at the question: ${question}`);
    this.question = question;
  }
}

/** Runs a job to its end. The state in its folder says how it stands. */
export async function runJob(id: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const folder = jobFolder(environment, id);
  const state = jobState(folder);
  const stop = new AbortController();
  const watch = watchRequests(folder, stop);
  let lock: Awaited<ReturnType<typeof lockSession>> | null = null;
  try {
    const request = await readRequest(folder);
    lock = await lockSession(folder, folder.place);
    await state.set({ state: 'running' });
    await state.end(await run(request, { environment, stop, state, id }));
  } catch (error) {
    if (!(error instanceof Stopped)) {
      await state.end({ state: 'failed', message: `This is a bug in Conclave: ${String(error)}` });
      throw error;
    }
    const isCancelled = error.failure.reason === 'cancelled';
    await state.end({
      state: isCancelled ? 'cancelled' : 'failed',
      message: withoutFlags(error.message),
    });
  } finally {
    clearInterval(watch);
    await lock?.release();
  }
}

/** Looks for a wish to cancel, and pauses a job that nobody asks about any more. */
function watchRequests(folder: JobFolder, stop: AbortController): NodeJS.Timeout {
  const look = async () => {
    const cancel = await folder.read('cancel');
    const asked = await nullIfAbsent(stat(folder.absolute('asked')));
    const isForgotten = asked !== null && Date.now() - asked.mtimeMs > longestUnasked;
    if (cancel !== null || isForgotten) {
      stop.abort(new Stopped({ reason: 'cancelled', session: null }));
    }
  };
  return every(() => void look().catch((error: unknown) => stop.abort(error)), 250);
}

interface JobStateFile {
  readonly set: RunningJob['state']['set'];
  end(part: Partial<JobState>): Promise<void>;
}

/** Writes one state after the other. */
function jobState(folder: JobFolder): JobStateFile {
  let state = startOf(new Date());
  let last = Promise.resolve();
  const write = (part: Partial<JobState>): Promise<void> => {
    state = { ...state, ...part };
    const text = state;
    return last.then(() => folder.writeJson('state.json', text));
  };
  return {
    set: (part) => (last = write(part).catch(() => undefined)),
    end: (part) => write({ ...part, ended_at: new Date().toISOString() }),
  };
}

async function run(request: JobRequest, running: RunningJob): Promise<Partial<JobState>> {
  return request.kind === 'work' || request.kind === 'consult'
    ? await runTurn(request, running)
    : await runSession(request, running);
}

async function runSession(
  request: SessionRequest,
  running: RunningJob,
): Promise<Partial<JobState>> {
  const { environment, stop, state } = running;
  let question: string | null = null;
  let folder: SessionFolder | null = null;
  const ask = (name: string) => async () => {
    question = name;
    stop.abort(new Stopped({ reason: 'cancelled', session: null }));
    throw new AtQuestion(name);
  };
  const door: Door = {
    signal: stop.signal,
    now: () => new Date(),
    view(opened) {
      folder = opened;
      void state.set({ session: opened.id });
      return {
        ...answersOf(request, opened.id, ask),
        show(event) {
          const [line] = linesOf(event);
          if (line !== undefined && !event.replayed) void state.set({ doing: line.join(' ') });
        },
      };
    },
  };
  const end = await openAndRun(request, { environment, door }).catch((error: unknown) => {
    if (question === null) throw error;
    return null;
  });
  if (question !== null && request.kind === 'discuss' && folder !== null) {
    return { state: 'done', result: { text: await discussionText(folder) } };
  }
  if (question !== null) return { state: 'waiting', waits_for: question };
  const critique = request.kind === 'critique' ? await critiqueIn(folder) : null;
  return critique === null
    ? endOf(end)
    : { state: 'done', message: end?.message ?? null, ...critique };
}

/** The verdict on a plan: one that something stands against is a result, too. */
async function critiqueIn(folder: SessionFolder | null): Promise<Partial<JobState> | null> {
  const critique = folder === null ? null : await readCritique(folder);
  if (folder === null || critique === null) return null;
  const { verdict } = critique;
  const revised = critique.revised === null ? null : folder.absolute(critique.revised);
  const lines = critiqueTexts({ ...critique, revised });
  const file = folder.absolute(critiqueFile);
  return { result: { verdict, text: lines.map((line) => `- ${line}`).join('\n'), file } };
}

function endOf(end: SessionEnd | null): Partial<JobState> {
  if (end === null || end.exitCode === 0) return { state: 'done', message: end?.message ?? null };
  return { state: end.exitCode === 130 ? 'cancelled' : 'failed', message: end.message };
}

async function openAndRun(
  request: SessionRequest,
  { environment, door }: { readonly environment: NodeJS.ProcessEnv; readonly door: Door },
): Promise<SessionEnd> {
  const { folder: cwd } = request;
  const flags = flagsOf(request);
  const workplace = await openWorkplace({ cwd, environment, flags });
  if (request.kind === 'plan' || request.kind === 'discuss') {
    return await startSession({ ...workplace, ...door, task: request.task });
  }
  if (request.kind === 'critique') {
    const { task, given } = request;
    return await examinePlan({ ...workplace, ...door, task, given });
  }
  const session = { ...(await loadSession(request.session, workplace, flags)), ...door };
  if (request.kind === 'decide') return await resumeSession({ ...session, stalePlan: 'refuse' });
  if (request.kind === 'review') return await reviewSession(session);
  const { unconfined } = request;
  const wish =
    unconfined.length > 0
      ? await letUnconfined(session, unconfined)
      : ({ how: 'again', retry: null } as const);
  return await executeSession({ ...session, ...wish, force: false });
}

function flagsOf(request: SessionRequest): readonly Leaf[] {
  if (!('tools' in request)) return [];
  const { kind, tools } = request;
  const constraints = kind === 'plan' ? request.constraints : [];
  const rounds = kind === 'discuss' ? request.rounds : null;
  return flagLeaves({
    ...(tools.length === 0 ? {} : { tools: tools.join(',') }),
    ...(constraints.length === 0 ? {} : { constraint: constraints }),
    ...(rounds === null ? {} : { maxRounds: String(rounds) }),
  });
}

/** The latest round as Markdown; it begins with who did not answer, and who replaced whom. */
async function discussionText(folder: SessionFolder): Promise<string> {
  const synthesis = (await readRounds(folder)).at(-1);
  if (synthesis === undefined) return '';
  const { agreements, disagreements, resolution } = synthesis.cross_verification;
  const positions = synthesis.solutions.map((solution) =>
    [
      `### ${solution.name} (${solution.source_cli.join(', ')})`,
      solution.summary,
      ...opinionsOn(solution, synthesis).map((opinion) => `- ${opinionText(opinion)}`),
    ].join('\n'),
  );
  const others = synthesis.convergence.reasons.filter((text) => !resolution.includes(text));
  const parts = [
    ['Positions', positions],
    ['Agreements', agreements.map((text) => `- ${text}`)],
    ['Disagreements', disagreements.map((text) => `- ${text}`)],
    ['Summary', [resolution, ...others].filter((text) => text !== '')],
  ] as const;
  const missing = missingText(synthesis, 'the user');
  const sections = parts
    .map(([title, texts]) =>
      [`## ${title}`, ...(texts.length === 0 ? ['None.'] : texts)].join('\n'),
    )
    .join('\n\n');
  return missing === null ? sections : `${missing}.\n\n${sections}`;
}
