// Runs one job in a process of its own: a turn, or a session up to its next question.
import { stat } from 'node:fs/promises';
import { setInterval } from 'node:timers';
import { answererOf } from '../app/conversation-agent.ts';
import { talk } from '../app/conversations.ts';
import { readCritique, examinePlan } from '../app/examine-plan.ts';
import { readOutputFormat } from '../app/output-format.ts';
import type { Reach } from '../app/reach-user.ts';
import { readRounds } from '../app/saved-session.ts';
import {
  type Door,
  executeSession,
  resumeSession,
  reviewSession,
  startSession,
} from '../app/sessions.ts';
import { settingLeaves } from '../app/settings/text-leaves.ts';
import { openWorkplace, type Workplace } from '../app/workplace.ts';
import { linesOf } from '../faces/event-lines.ts';
import { proposeReview } from '../faces/execution-forms.ts';
import { answersByForm, type AskForm, chooseForm } from '../faces/question-forms.ts';
import { activityOf } from '../faces/short-forms.ts';
import { Stopped } from '../model/failure.ts';
import type { PlanComment } from '../model/plan-edit.ts';
import { type Form, type FormQuestion, readForm } from '../model/form.ts';
import { jsonIn } from '../model/json.ts';
import { proofConsent } from '../model/proof.ts';
import { reviewNamed } from '../model/team.ts';
import { critiqueFile } from '../phases/critique/judge-plan.ts';
import { critiqueBlocks } from '../phases/documents/critique-document.ts';
import { markdownOf } from '../phases/documents/markdown.ts';
import { discussionBlocks } from '../phases/documents/options-document.ts';
import { readComment } from '../phases/planning/comments.ts';
import { sha256Of } from '../store/digest.ts';
import { lockSession } from '../store/lock.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import type { Answers, Questions } from '../workflow/view-port.ts';
import { letUnconfined } from '../app/check-execution.ts';
import { answersFrom, nothingGiven, reviewAnswers } from '../app/flag-answers.ts';
import { loadSession } from '../app/load-session.ts';
import type { Leaf } from '../app/settings/leaf.ts';
import type { SessionEnd } from '../workflow/recorded.ts';
import { retryQuestion } from '../workflow/retry-question.ts';
import { isTalk, type JobRequest, type JobState, type SessionRequest } from './job-request.ts';
import { type JobFolder, jobFolder, readRequest, startOf } from './job-store.ts';
import { withoutFlags } from './results.ts';

/** The time after which a job pauses if nobody asks about it, in ms. */
const longestUnasked = 30 * 60 * 1000;

/** A job that runs in this process. */
interface RunningJob {
  readonly id: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly stop: AbortController;
  /** The news for the user elsewhere, which no state of the job waits for. */
  news: Promise<void>;
  /** Reports the progress. A full disk does not end the job, because the next report repeats it. */
  readonly tell: (part: Partial<JobState>) => void;
}

/** Runs a job to its end. Its state is written into its folder. */
export async function runJob(id: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const folder = jobFolder(environment, id);
  const write = stateWriter(folder);
  const tell = (part: Partial<JobState>) => void write(part).catch(() => undefined);
  const end = async (part: Partial<JobState>) =>
    await write({ ...part, ended_at: new Date().toISOString() });
  const stop = new AbortController();
  const job: RunningJob = { id, environment, stop, news: Promise.resolve(), tell };
  const watch = watchRequests(folder, stop);
  let lock: Awaited<ReturnType<typeof lockSession>> | null = null;
  try {
    const request = await readRequest(folder);
    lock = await lockSession(folder, folder.place);
    tell({ state: 'running' });
    await end(isTalk(request) ? await runTurn(request, job) : await runSession(request, job));
  } catch (error) {
    if (!(error instanceof Stopped)) {
      await end({ state: 'failed', message: `This is a bug in Conclave: ${String(error)}` });
      throw error;
    }
    const state = error.failure.reason === 'cancelled' ? 'cancelled' : 'failed';
    await end({ state, message: withoutFlags(error.message) });
  } finally {
    clearInterval(watch);
    await lock?.release();
    await job.news;
  }
}

const stopped = () => new Stopped({ reason: 'cancelled', session: null });

/** Watches for a request to cancel, and pauses a job that nobody asks about any more. */
function watchRequests(folder: JobFolder, stop: AbortController): NodeJS.Timeout {
  const look = async () => {
    const cancel = await folder.read('cancel');
    const asked = await nullIfAbsent(stat(folder.absolute('asked')));
    const isForgotten = asked !== null && Date.now() - asked.mtimeMs > longestUnasked;
    if (cancel !== null || isForgotten) stop.abort(stopped());
  };
  return setInterval(() => void look().catch((error: unknown) => stop.abort(error)), 250);
}

/** Makes a function that writes one state after the other. */
function stateWriter(folder: JobFolder): (part: Partial<JobState>) => Promise<void> {
  let state = startOf(new Date());
  let last = Promise.resolve();
  return (part) => {
    state = { ...state, ...part };
    const now = state;
    const written = last.then(() => folder.writeJson('state.json', now));
    last = written.catch(() => undefined);
    return written;
  };
}

type TurnRequest = Exclude<JobRequest, SessionRequest>;

/** Takes a turn to its end; returns the final state of the job. */
async function runTurn(request: TurnRequest, job: RunningJob): Promise<Partial<JobState>> {
  const { environment, stop, tell, id } = job;
  const { kind, folder: cwd, session_id: session, role, context, outside } = request;
  const isWork = kind === 'work';
  const [name, question] = isWork
    ? [request.agent, request.task]
    : [request.model, request.question];
  const format = isWork ? 'text' : request.output_format;
  const workplace = await openWorkplace({ cwd, environment, flags: [] });
  // In `work`, the agent is named; an agent that only answers may also be chosen by its model.
  const { agent, model, settings, way, program } = isWork
    ? { ...workplace, agent: name, model: null, way: null, program: null }
    : answererOf(name, workplace);
  tell({ doing: `${agent} is asked` });
  const end = await talk({
    ...workplace,
    settings,
    cwd,
    tool: kind,
    agent,
    model,
    question,
    session,
    role,
    context,
    outside,
    permission: 'edit-and-shell',
    ...(isWork && { cliFlags: request.cli_flags }),
    form: await readOutputFormat(format, { cwd, name: 'output_format' }),
    signal: stop.signal,
    markPrefix: `${id}.`,
    onEvent(event) {
      const activity = activityOf(event);
      if (activity !== null) tell({ doing: `${agent}: ${activity}` });
    },
    onWait: () => tell({ doing: 'waiting for another turn of this conversation' }),
  });
  const { facts, text } = end;
  const notes = [
    ...(way === null ? [] : [`${way}; the name ${program} asks its program`]),
    ...facts.notes,
  ];
  const told = tellable.map((fact) => [fact, fact === 'notes' ? notes : facts[fact]] as const);
  const isAnswered = end.state === 'answered';
  const why = facts.failure ?? { category: 'unknown', reason: 'unknown' };
  const failed = why.category === 'not-logged-in' ? 'is not logged in' : 'failed';
  return {
    state: isAnswered ? 'done' : 'failed',
    session: end.session,
    message: isAnswered ? null : `${name} ${failed}: ${why.reason}`,
    result: {
      text,
      ...(isAnswered && format !== 'text' && { output: jsonIn(text) }),
      tokens: facts.tokens,
      facts: Object.fromEntries(told.filter(([, value]) => value !== null && value.length > 0)),
    },
  };
}

/** The facts about a turn that a host is told, as far as there are any. */
const tellable = [
  'agent',
  'model',
  'files_changed',
  'diff_stat',
  'context_source',
  'raw_output',
  'notes',
] as const;

async function runSession(request: SessionRequest, job: RunningJob): Promise<Partial<JobState>> {
  const { environment, stop, tell } = job;
  let question: string | null = null;
  let folder: SessionFolder | null = null;
  let reach: Reach | null = null;
  /** Stops at a question: whoever answers it goes on with the session in another process. */
  const ask: AskForm = async (asked) => {
    question = questionText(asked);
    if (request.kind !== 'discuss' && reach !== null) job.news = reach.notify(asked.form);
    stop.abort(stopped());
    throw stop.signal.reason;
  };
  const open: Answers = {
    ...answersByForm(ask, () => ({ session: folder?.id ?? '' })),
    execute: async () => ({ kind: 'later' }),
    apply: async () => false,
  };
  const { flags = {}, answers, run } = sessionWork(request, open);
  const leaves = settingLeaves(flags);
  const workplace = await openWorkplace({ cwd: request.folder, environment, flags: leaves });
  const door: Door = {
    signal: stop.signal,
    now: () => new Date(),
    tell: (doing) => tell({ doing }),
    view(opened, way) {
      [folder, reach] = [opened, way];
      tell({ session: opened.id });
      return {
        ...open,
        ...answers?.(opened.id),
        takesConsent: request.kind === 'decide' && request.agreed !== undefined,
        show(event) {
          const [line] = linesOf(event);
          if (line !== undefined && !event.replayed) tell({ doing: line.join(' ') });
        },
      };
    },
  };
  const end = await run({ ...workplace, ...door, flags: leaves }).catch((error: unknown) => {
    if (question === null) throw error;
    return null;
  });
  if (question !== null && request.kind === 'discuss' && folder !== null) {
    return { state: 'done', result: { text: await discussionIn(folder) } };
  }
  if (question !== null) return { state: 'waiting', waits_for: question };
  const message = end?.message ?? null;
  job.news = end?.notify?.() ?? job.news;
  // A verdict against a plan is a result, too.
  const result = request.kind === 'critique' ? await critiqueIn(folder) : null;
  if (result !== null || !end || end.exitCode === 0) return { state: 'done', message, result };
  return { state: end.exitCode === 130 ? 'cancelled' : 'failed', message };
}

/** A question with everything that a host needs to answer it; a word for those that it is shown otherwise. */
function questionText({ form: { kind, asks, lines, fields } }: FormQuestion<unknown>): string {
  const word = waits[kind];
  if (word !== undefined) return word;
  const [choice, text] = fields;
  const ways = (choice?.choices ?? []).map(
    ({ value, means }) =>
      `"${text?.goesWith?.includes(value) ? `${value} TEXT` : value}": ${means}`,
  );
  return [asks, ...lines, ...ways].join('\n');
}

const waits: Partial<Record<Form['kind'], string>> = {
  clarify: 'questions of the agents',
  decide: 'decision',
  approve: 'approval of the plan',
};

/** The answer that a host gave in a word, with a text behind it where there is one; null if it fits none. */
function wordFor(asked: Questions['choose']['asks'], said: string): string | null {
  const [choice = '', ...rest] = said.split(' ');
  const text = rest.length === 0 ? {} : { text: rest.join(' ') };
  const reading = readForm(chooseForm(asked), { choice, ...text });
  return 'answer' in reading ? reading.answer : null;
}

/** The verdict on a plan; null if there is none. */
async function critiqueIn(folder: SessionFolder | null): Promise<JobState['result']> {
  const critique = folder === null ? null : await readCritique(folder);
  if (folder === null || critique === null) return null;
  const revised = critique.revised === null ? null : folder.absolute(critique.revised);
  const facts = { verdict: critique.verdict, file: folder.absolute(critiqueFile) };
  return { text: markdownOf(critiqueBlocks({ ...critique, revised })), facts };
}

/** The latest round, starting with the agents that did not answer and those that replaced others. */
async function discussionIn(folder: SessionFolder): Promise<string> {
  const synthesis = (await readRounds(folder)).at(-1);
  return synthesis === undefined ? '' : markdownOf(discussionBlocks(synthesis));
}

/** Work of one kind: the equivalent terminal flags, its run, and its answers to questions. */
interface SessionWork {
  readonly flags?: object;
  readonly answers?: (session: string) => Partial<Answers>;
  readonly run: (place: Place) => Promise<SessionEnd>;
}

type Place = Workplace & Door & { readonly flags: readonly Leaf[] };

/** The work that a request describes; `open` answers the questions that the request does not. */
export function sessionWork(request: SessionRequest, open: Answers): SessionWork {
  switch (request.kind) {
    case 'plan': {
      const { task, agents, constraints: constraint } = request;
      const flags = { tools: agents.join(',') || [], constraint };
      return { flags, run: (place) => startSession({ ...place, task }) };
    }
    case 'discuss': {
      const { topic, context, models, rounds } = request;
      const task = [topic, ...context.map((path) => `- ${path}`)].join('\n');
      return {
        flags: { tools: models.join(','), maxRounds: rounds },
        answers: () => ({
          clarify: async () => ({ answers: [], feedback: '', skipped: true, by: 'flags' }),
        }),
        run: (place) => startSession({ ...place, task }),
      };
    }
    case 'critique': {
      const { task, agents, plan: text, host_vendor, parts, revise } = request;
      const given = { text, host_vendor, parts, revise, plan: false };
      const flags = { tools: agents.join(',') || [] };
      return { flags, run: (place) => examinePlan({ ...place, task, given }) };
    }
    case 'decide':
      return {
        answers: (session) => decisionOf(request, session, open),
        run: async (place) =>
          await resumeSession({ ...(await load(request, place)), stalePlan: 'refuse' }),
      };
    case 'review': {
      const { approve, shown, despite_findings: despite } = request;
      const given = { version: Infinity, edits: [], approve, despite, reject: null };
      const seen = approve ? { shown } : {};
      return {
        answers: (session) => {
          const answers = (comments: readonly PlanComment[]) =>
            reviewAnswers({ session, ...given, ...seen, comments });
          let nobody: Answers | null = null;
          return {
            approve(question, signal) {
              const { document, tasks } = question.seen;
              const told = { document, ids: tasks.map(({ id }) => id) };
              nobody ??= answers(request.comments.map((text) => readComment(text, told)));
              return nobody.approve(question, signal);
            },
          };
        },
        run: async (place) => await reviewSession(await load(request, place)),
      };
    }
    case 'execute': {
      const answers = [...request.answers];
      const choose: Answers['choose'] = async (question, signal) => {
        const answer = wordFor(question, answers.shift() ?? '');
        return answer ?? (await open.choose(question, signal));
      };
      return {
        answers: (session) => ({ ...executionBy(request, session), choose }),
        async run(place) {
          const session = await load(request, place);
          const { unconfined } = request;
          const again = { how: 'again', retry: null } as const;
          const wish = unconfined.length === 0 ? again : await letUnconfined(session, unconfined);
          return await executeSession({ ...session, ...wish, force: false });
        },
      };
    }
  }
}

/** Loads the session that a request names. */
async function load({ session }: { readonly session: string }, place: Place) {
  return { ...place, ...(await loadSession(session, place, place.flags)) };
}

/** Starts the execution; its reviewer is the one that was named, else another vendor that is ready. */
function executionBy(
  { review }: Extract<SessionRequest, { kind: 'execute' }>,
  session: string,
): Partial<Answers> {
  const { execute, apply } = answersFrom({ ...nothingGiven, execute: true }, session);
  return {
    apply,
    async execute(question, signal) {
      const answer = await execute(question, signal);
      if (answer.kind !== 'now') return answer;
      const asked = { ...question, ...(await question.lookUp()) };
      const proposed = proposeReview(asked, answer.execution_method);
      return { ...answer, code_review_tool: review === null ? proposed : reviewNamed(review) };
    },
  };
}

function decisionOf(
  { solution, feedback, answers, agreed }: Extract<SessionRequest, { kind: 'decide' }>,
  session: string,
  open: Answers,
): Partial<Answers> {
  const given = answersFrom({ ...nothingGiven, solution, feedback }, session);
  let isOpen = solution !== null || feedback !== null;
  const answerTo = (at: number) => answers[at] ?? answers.at(-1) ?? '';
  return {
    async clarify(asked, signal) {
      if (answers.length === 0) return await open.clarify(asked, signal);
      const all = asked.questions.map((question, at) => ({ question, answer: answerTo(at) }));
      return { answers: all, feedback: '', skipped: false, by: 'flags' };
    },
    async choose(question, signal) {
      const answer = answers.map((one) => wordFor(question, one)).find((one) => one !== null);
      const isUnasked =
        question.name === proofConsent.name &&
        answer !== question.usual.word &&
        agreed !== sha256Of(questionText(chooseForm(question)));
      // Who may decide may not have tasks carried out.
      const isOpenOnly = question.name === retryQuestion || answer === undefined || isUnasked;
      return isOpenOnly ? await open.choose(question, signal) : answer;
    },
    async decide(question, signal) {
      const decide = isOpen ? given.decide : open.decide;
      isOpen = false;
      return await decide(question, signal);
    },
  };
}
