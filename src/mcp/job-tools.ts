// Starts jobs for tools, and answers with what is known of one after a while.
import {
  type CallToolResult,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { budgetToday, refuseBeyond } from './day-budget.ts';
import type { JobRequest } from './job-request.ts';
import {
  cancelJob,
  jobFolder,
  type JobReport,
  readJob,
  readRequest,
  startJob,
  waitForJob,
} from './job-store.ts';
import { textPart, toolResult } from './results.ts';
import type { ToolHost } from './tool-host.ts';

/** Starts a job and waits for it for a while. */
export async function runAsJob(
  request: JobRequest,
  host: ToolHost,
  { ctx, seconds }: { readonly ctx: ServerContext; readonly seconds: number },
): Promise<CallToolResult> {
  const { environment } = host;
  refuseBeyond(await budgetToday(request.folder, environment));
  const id = await startJob(request, environment);
  const result = await tellJob(id, host, { ctx, seconds, part: 1 });
  if (isTakenBack(ctx.mcpReq.signal)) await cancelJob(environment, id);
  return result;
}

/** True where the host took its call back, so that nobody knows of the job; not where the host is gone. */
function isTakenBack({ aborted, reason }: AbortSignal): boolean {
  const isGone = reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
  return aborted && !isGone;
}

/** Stops a job, and tells how it ended. */
export async function endJob(
  id: string,
  host: ToolHost,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { environment } = host;
  await readJob(environment, id);
  await cancelJob(environment, id);
  return await tellJob(id, host, { ctx, seconds: 20, part: 1 });
}

/** Waits for a job for a while, tells the host how far it is, and shapes what is known then. */
export async function tellJob(
  id: string,
  { environment, mostText }: ToolHost,
  {
    ctx,
    seconds,
    part,
  }: { readonly ctx: ServerContext; readonly seconds: number; readonly part: number },
): Promise<CallToolResult> {
  const { signal, _meta: meta } = ctx.mcpReq;
  const since = Date.now();
  const onWait = async ({ doing }: JobReport) => {
    const progressToken = meta?.progressToken;
    if (progressToken === undefined) return;
    const progress = Math.round((Date.now() - since) / 1000);
    const params = { progressToken, progress, total: seconds, message: doing || 'it starts' };
    await ctx.mcpReq.notify({ method: 'notifications/progress', params });
  };
  const job = await waitForJob(environment, id, { seconds, signal, onWait });
  const { folder } = await readRequest(jobFolder(environment, id));
  const told = jobResult(job, { part, most: mostText(ctx) });
  const facts = { ...told, ...(await budgetToday(folder, environment)) };
  // In parts it would have to be put together by the host.
  const output = told['of'] === 1 ? job.result?.['output'] : undefined;
  return { ...toolResult(facts, output), isError: job.state === 'failed' };
}

/** The facts of a job for a host; a long text comes in parts. */
function jobResult(
  job: JobReport,
  { part, most }: { readonly part: number; readonly most: number },
): Record<string, unknown> {
  const { state, kind, session, doing, waits_for, message, result } = job;
  const text =
    typeof result?.['text'] === 'string'
      ? textPart(result['text'], { part, most, call: `job_status with job "${job.job}"` })
      : null;
  return {
    job: job.job,
    kind,
    state,
    session,
    ...(state === 'running' || state === 'starting' ? { doing } : {}),
    ...(waits_for === null ? {} : { waits_for }),
    ...(message === null ? {} : { message }),
    ...(text === null ? {} : text),
    ...factsOf(result ?? {}),
    next: nextStep(job),
  };
}

const told = [
  'agent',
  'model',
  'files_changed',
  'diff_stat',
  'context_source',
  'raw_output',
  'verdict',
  'file',
  'notes',
] as const;

function factsOf(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = told.map((name) => [name, result[name]] as const);
  return Object.fromEntries(known.filter(([, value]) => !isNothing(value)));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** True for the sentence of a failure for want of a login. */
function lacksLogin(message: string): boolean {
  const lacksKey = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+ is (?:not set|empty)\b/.test(message);
  return lacksKey || /\blog(?:ged)? in\b/i.test(message);
}

const loginWay =
  'log the agent in by its own program, or give its key to this server: set it in the shell that ' +
  'starts the host, run "conclave mcp install HOST" there again, and restart the host';

function nextStep({
  job,
  state,
  kind,
  session,
  started_at,
  message,
  waits_for: question,
}: JobReport): string {
  if (state === 'running' || state === 'starting') {
    // One host takes five calls with the same arguments for a loop.
    const seconds = Math.round((Date.now() - Date.parse(started_at)) / 1000);
    return `call job_status with job "${job}" and after ${seconds}`;
  }
  if (state === 'waiting' && question === 'decision') {
    return `call plan_options with session "${session ?? ''}", then plan_decide`;
  }
  if (state === 'waiting' && question === 'approval of the plan') {
    return `call plan_get with session "${session ?? ''}", then plan_review`;
  }
  if (state === 'waiting') return `call plan_decide with session "${session ?? ''}" and answers`;
  if (state === 'failed' && lacksLogin(message ?? '')) return loginWay;
  const isTalk = kind === 'work' || kind === 'consult';
  if (state === 'failed' && session === null) return 'mend what the message says, and call again';
  if (state === 'failed' && isTalk) {
    return `mend what the message says, and call again with session_id "${session}"`;
  }
  if (state === 'failed' && session !== null) {
    return `fix what the message says, then: conclave resume ${session}`;
  }
  if (kind === 'discuss' && state === 'done') {
    return `plan_options with session "${session ?? ''}" shows more, and plan_decide makes a plan of it`;
  }
  if (state === 'cancelled') {
    return session === null ? 'start it again' : `conclave resume ${session} goes on with it`;
  }
  return isTalk
    ? `to go on, call work_with or consult_with with session_id "${session ?? ''}"`
    : `call describe_session with session "${session ?? ''}"`;
}
