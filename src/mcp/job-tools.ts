// Starts jobs for tools, reports on them after a while, and enforces the daily token budget.
import { readSession } from '../app/read-session.ts';
import { openWorkplace } from '../app/workplace.ts';
import { type CallToolResult, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { projectRoot } from '../app/folders.ts';
import { wrongUsage } from '../model/failure.ts';
import { isObject } from '../model/json.ts';
import { proofConsent } from '../model/proof.ts';
import { isTalk, type JobRequest, type JobState } from './job-request.ts';
import {
  cancelJob,
  jobFolder,
  type JobReport,
  listJobs,
  readJob,
  readRequest,
  startJob,
  waitForJob,
} from './job-store.ts';
import { textPart, toolResult } from './results.ts';
import { type Call } from './tool-host.ts';

/** Starts a job and waits for it for a while. */
export async function runAsJob(work: JobRequest, call: Call): Promise<CallToolResult> {
  const { environment, signal } = call;
  const budget = await budgetToday(work.folder, environment);
  if (budget !== null && budget.tokens_today >= budget.budget_tokens) {
    throw wrongUsage(
      `The jobs of this project have used ${budget.tokens_today} of ${budget.budget_tokens} tokens today, so no other one is started. A person can raise [mcp] budget_tokens in ~/.config/conclave/config.toml.`,
    );
  }
  const id = await startJob(work, environment);
  const result = await tellJob(id, call, { seconds: work.wait_s, part: 1 });
  const { aborted, reason } = signal;
  // If the host cancelled the call, nobody knows the job; a host that lost its connection may come back.
  const isGone = reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
  if (aborted && !isGone) await cancelJob(environment, id);
  return result;
}

/** The consent that a session waits for and that these answers would give, as a person has to read it; else null. */
export async function readConsent(
  session: string,
  answers: readonly string[],
  { environment }: Call,
): Promise<string | null> {
  const jobs = await listJobs(environment);
  const of = jobs.filter(({ state }) => state.session === session).map(({ state }) => state);
  const { waits_for: waits = null } =
    of.toSorted((a, b) => a.started_at.localeCompare(b.started_at)).at(-1) ?? {};
  const isYes = answers.some((one) => one.trim() === 'yes');
  return isYes && waits?.startsWith(proofConsent.asks) === true ? waits : null;
}

/** Stops a job, and reports how it ended. */
export async function endJob(id: string, call: Call): Promise<CallToolResult> {
  await readJob(call.environment, id);
  await cancelJob(call.environment, id);
  return await tellJob(id, call, { seconds: 20, part: 1 });
}

/** Waits for a job for a while, reports its progress to the host, and shapes what is known then. */
export async function tellJob(
  id: string,
  call: Call,
  { seconds, part }: { readonly seconds: number; readonly part: number },
): Promise<CallToolResult> {
  const { environment, signal, ctx } = call;
  const since = Date.now();
  const onWait = async ({ doing }: JobReport) => {
    const { _meta: meta } = ctx.mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken === undefined) return;
    const progress = Math.round((Date.now() - since) / 1000);
    const params = { progressToken, progress, total: seconds, message: doing || 'it starts' };
    await ctx.mcpReq.notify({ method: 'notifications/progress', params });
  };
  const job = await waitForJob(environment, id, { seconds, signal, onWait });
  const { folder } = await readRequest(jobFolder(environment, id));
  const { kind, state, session, doing, waits_for, message } = job;
  const { text, output, facts } = job.result ?? {};
  const shown =
    typeof text === 'string'
      ? textPart(text, { part, call, from: `job_status with job "${id}"` })
      : null;
  const told = {
    job: id,
    kind,
    state,
    session,
    ...(state === 'running' || state === 'starting' ? { doing } : {}),
    ...(waits_for !== null && { waits_for }),
    ...(message !== null && { message }),
    ...shown,
    ...(isObject(facts) ? facts : {}),
    next: nextStep(job),
    ...(await budgetToday(folder, environment)),
  };
  // The host would have to join an answer in parts by itself.
  const result = toolResult(told, shown?.of === 1 ? output : undefined);
  return { ...result, isError: state === 'failed' };
}

/** True for the message of a failure because of a missing login. */
function lacksLogin(message: string): boolean {
  const lacksKey = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+ is (?:not set|empty)\b/.test(message);
  return lacksKey || /\blog(?:ged)? in\b/i.test(message);
}

const loginWay =
  'log the agent in by its own program, or give its key to this server: set it in the shell that ' +
  'starts the host, run "conclave mcp install HOST" there again, and restart the host';

function nextStep(report: JobReport): string {
  const { job, state, kind, session, started_at, message, waits_for } = report;
  const named = `session "${session ?? ''}"`;
  const ofTalk = kind === 'work' || kind === 'consult';
  switch (state) {
    case 'running':
    case 'starting': {
      // One host treats five calls with the same arguments as a loop.
      const seconds = Math.round((Date.now() - Date.parse(started_at)) / 1000);
      return `call job_status with job "${job}" and after ${seconds}`;
    }
    case 'waiting':
      if (waits_for === 'decision') return `call plan_options with ${named}, then plan_decide`;
      if (waits_for === 'approval of the plan')
        return `call plan_get with ${named}, then plan_review`;
      return `call plan_decide with ${named} and answers`;
    case 'failed':
      if (lacksLogin(message ?? '')) return loginWay;
      if (session === null) return 'fix what the message says, and call again';
      return ofTalk
        ? `fix what the message says, and call again with session_id "${session}"`
        : `fix what the message says, then: conclave resume ${session}`;
    case 'cancelled':
      return session === null ? 'start it again' : `conclave resume ${session} goes on with it`;
    case 'done':
      if (ofTalk)
        return `to go on, call work_with or consult_with with session_id "${session ?? ''}"`;
      return kind === 'discuss'
        ? `plan_options with ${named} shows more, and plan_decide makes a plan of it`
        : `call describe_session with ${named}`;
  }
}

/**
 * Adds up the input and output tokens that the jobs of a project used today; null if the user has set no
 * budget. All tokens of a session count, including those of earlier days.
 */
async function budgetToday(folder: string, environment: NodeJS.ProcessEnv) {
  const { root, settings } = await openWorkplace({ cwd: folder, environment, flags: [] });
  const { budgetTokens } = settings.mcp;
  if (budgetTokens === undefined) return null;
  const sessions = new Set<string>();
  let tokens = 0;
  for (const { request, state } of await listJobs(environment)) {
    const isOfToday = new Date(state.started_at).toDateString() === new Date().toDateString();
    if (!isOfToday || (await projectRoot(request.folder)) !== root) continue;
    if (isTalk(request)) tokens += tokensOfTurn(state);
    else if (state.session !== null) sessions.add(state.session);
  }
  for (const session of sessions) {
    const { input_tokens: input = 0, output_tokens: output = 0 } =
      (await readSession(root, session)).state?.spent ?? {};
    tokens += input + output;
  }
  return { tokens_today: tokens, budget_tokens: budgetTokens };
}

function tokensOfTurn({ result }: JobState): number {
  const { input, output } = isObject(result?.['tokens']) ? result['tokens'] : {};
  return Number(input ?? 0) + Number(output ?? 0);
}
