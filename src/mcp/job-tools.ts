// Starts jobs for tools, and reports on them after a while.
import { type CallToolResult, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { isObject } from '../model/json.ts';
import { proofConsent } from '../model/proof.ts';
import type { JobRequest } from './job-request.ts';
import { cancelJob, type JobReport, listJobs, readJob, startJob, waitForJob } from './job-store.ts';
import { textPart, toolResult } from './results.ts';
import { type Call } from './tool-host.ts';

/** Starts a job and waits for it for a while. */
export async function runAsJob(work: JobRequest, call: Call): Promise<CallToolResult> {
  const { environment, signal } = call;
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
