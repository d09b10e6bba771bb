// Runs one agent once: prompt, limits, events, answer, receipt.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { AgentEvent } from '../model/agent-event.ts';
import { withoutInvisible } from '../model/invisible.ts';
import { counted } from '../model/wording.ts';
import type { InterruptedRun } from '../store/steps-port.ts';
import type { AgentEnd, AgentRequest, RunFacts } from './agent.ts';
import {
  type AgentCall,
  answerOf,
  type Attempt,
  blameWriter,
  failureOf,
  rawOutputOf,
  readEnd,
  type RunningCall,
} from './attempt.ts';
import { withRelativePaths } from './tree-watch.ts';

/**
 * Calls an agent once, keeps its files and its receipt, and fails its turn if it wrote while it may only read.
 * Invisible characters are removed from the request. Rejects with the reason if the
 * signal or the budget ends the call before it is answered.
 */
export async function callAgent<T>(asked: AgentCall<T>, signal: AbortSignal): Promise<Attempt<T>> {
  const { text: prompt, removed } = withoutInvisible(asked.request.prompt);
  const call = { ...asked, request: { ...asked.request, prompt } };
  const { agent, workspace, files, watch, skip } = call;
  const { folder, path, suffix } = files;
  const left = await recallAnswer(call, signal);
  if (left !== null) return left;
  const [readiness, endWatch] = await Promise.all([
    agent.ready(signal),
    watch?.begin(signal),
    folder.write(`${path}/prompt${suffix}.md`, call.request.prompt),
  ]);
  const found = await workspace.prepare?.({ wasKilled: call.wasKilled ?? false });
  if (found !== undefined && found !== null) {
    const attempt = answerOf(call, found, null);
    attempt.receipt.notes.push('its work was complete when the program was killed, and is kept');
    return attempt;
  }
  // A retry may be skipped during its wait.
  const isPaid = agent.kind === 'model' && readiness.state === 'ready' && skip?.aborted !== true;
  const paid = isPaid ? await call.reserve?.() : undefined;
  call.report?.started?.();
  if (readiness.state !== 'ready') {
    await endWatch?.([]);
    const category = unready[readiness.state];
    const { why, remedy, retryAfterMs: retry_after_ms = null } = readiness;
    return failureOf(call, { category, detail: `${why}. ${remedy}`, retry_after_ms });
  }
  const end = await runToEnd(call, paid, signal).finally(() => paid?.end());
  const keeping = readEnd(call, end).then(async (one) => {
    // A complete answer is paid for and kept; if the budget ended the run, there is none.
    if (one.ended !== 'answered') paid?.over.throwIfAborted();
    else await folder.writeJson(`${path}/answer.json`, one.value);
    return one;
  });
  const [read, tree] = await Promise.all([keeping, endWatch?.(changedIn(call, end))]);
  signal.throwIfAborted();
  const attempt = blameWriter(call, read, tree);
  attempt.receipt.raw_output = isPaid ? rawOutputOf(call) : null;
  if (readiness.path !== null) attempt.receipt.path = readiness.path;
  if (removed > 0) {
    const many = counted(removed, 'invisible character');
    attempt.receipt.notes.push(`removed ${many} from its request`);
  }
  await folder.writeJson(`${path}/receipt${suffix}.json`, attempt.receipt);
  return attempt;
}

/**
 * Recovers the answer of a call that was killed between its last word and its record, because that answer is
 * already paid for. Null if there is none, so that the agent must be asked.
 */
async function recallAnswer<T>(
  call: AgentCall<T>,
  signal: AbortSignal,
): Promise<Attempt<T> | null> {
  const { agent, interrupted = null, form, files, watch } = call;
  if (interrupted === null) return null;
  const end = (await agent.recall?.(runRequestOf(call), new Date(interrupted.since))) ?? null;
  if (end === null || !end.ok) return null;
  const endWatch = await watch?.begin(signal);
  const read = form === null ? await keepLeft(call, end) : await readEnd(call, end);
  if (read === null || read.ended === 'failed') return null;
  reportUnreported(call, end.facts, interrupted);
  const tree = await endWatch?.(changedIn(call, end));
  const attempt = blameWriter(call, read, tree);
  attempt.receipt.raw_output = rawOutputOf(call);
  attempt.receipt.notes.push('its answer was complete when the program was killed, and is kept');
  const { folder, path, suffix } = files;
  if (read.ended === 'answered') await folder.writeJson(`${path}/answer.json`, read.value);
  await folder.writeJson(`${path}/receipt${suffix}.json`, attempt.receipt);
  return attempt;
}

/** The absolute paths of the files that the agent itself reported as changed. */
function changedIn<T>({ workspace }: AgentCall<T>, { facts }: AgentEnd): readonly string[] {
  return facts.filesChanged.map((file) => resolve(workspace.cwd, file));
}

async function keepLeft<T>(
  call: AgentCall<T>,
  { text, facts }: Extract<AgentEnd, { ok: true }>,
): Promise<Attempt<T> | null> {
  const value = (await call.workspace.keepLeft?.(text)) ?? null;
  return value === null ? null : answerOf(call, value, facts);
}

/** Reports the part of a call’s usage that the killed process had not recorded. */
function reportUnreported<T>(
  { agent, report }: AgentCall<T>,
  { tokens, costUsd }: RunFacts,
  { spent }: InterruptedRun,
): void {
  const spending = {
    agent: agent.name,
    input_tokens: Math.max(0, (tokens?.input ?? 0) - spent.input_tokens),
    output_tokens: Math.max(0, (tokens?.output ?? 0) - spent.output_tokens),
    cost_usd: Math.max(0, (costUsd ?? 0) - spent.cost_usd),
  };
  if (spending.input_tokens + spending.output_tokens + spending.cost_usd > 0)
    report?.spent?.(spending);
}

/** Makes the mark of a new call. */
export function markWith(prefix: string): string {
  return `${prefix}${randomBytes(6).toString('hex')}`;
}

const unready = {
  'not-installed': 'not-installed',
  'not-logged-in': 'not-logged-in',
  disabled: 'not-asked',
} as const;

function runRequestOf<T>(call: AgentCall<T>): AgentRequest {
  const { workspace, files, limits, mark } = call;
  const { cwd, extraDirs, hidden } = workspace;
  const rawOutput = files.folder.absolute(rawOutputOf(call));
  return { ...call.request, cwd, extraDirs, hidden, mark, rawOutput, limits };
}

/** Runs the agent to its end, and reports what it does and what it spends as it comes. */
async function runToEnd<T>(
  call: AgentCall<T>,
  paid: RunningCall | undefined,
  signal: AbortSignal,
): Promise<AgentEnd> {
  const { agent, workspace, skip, report } = call;
  const request = runRequestOf(call);
  const stops = [signal, paid?.over ?? [], agent.kind === 'model' ? (skip ?? []) : []].flat();
  const events = agent.run(request, AbortSignal.any(stops));
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
    const event: AgentEvent = next.value;
    if (event.type === 'usage') {
      const spending = {
        agent: agent.name,
        input_tokens: event.inputTokens,
        output_tokens: event.outputTokens,
        cost_usd: event.costUsd ?? 0,
        estimated: event.estimated,
        window: event.window,
      };
      report?.spent?.(spending);
      paid?.use(spending);
    }
    report?.acted?.(withRelativePaths(event, workspace.cwd));
  }
}
