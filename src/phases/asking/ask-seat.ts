// Asks a seat's agent, then the next agents of the chain.
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Agent } from '../../agents/agent.ts';
import { resumeIn, sessionAfter } from '../../agents/agent-session.ts';
import type { Attempt } from '../../agents/attempt.ts';
import { absentAgent, type AgentPool } from '../../agents/pool.ts';
import { recoveryFor } from '../../agents/classify.ts';
import type { AgentFailure } from '../../model/agent-event.ts';
import type { ChosenPhase } from '../../model/phase-choice.ts';
import type { Receipt } from '../../model/receipt.ts';
import { isOfReading } from '../../model/steps.ts';
import { repairPrompt } from '../../prompts/request.ts';
import { type Tools, isRecorded, promptInput, promptLimit, recordStep } from '../phase-tools.ts';
import { askAgent, type AskOne } from './ask-agent.ts';
import { type Question, workspaceOf } from './question.ts';

export interface SeatAnswer<T> {
  readonly agent: Agent;
  readonly value: T;
  readonly receipt: Receipt;
  /** The user’s files that the agent is proven to have changed, if it may change those of its workspace. */
  readonly wrote?: readonly string[] | undefined;
}

export interface SeatResult<T> {
  /** Null if every agent of the chain failed. */
  readonly answer: SeatAnswer<T> | null;
  /** A receipt for each agent that sat here and did not answer. */
  readonly failed: readonly { readonly failure: AgentFailure; readonly receipt: Receipt }[];
  /** Files that changed while an agent ran, without proof that it changed them. */
  readonly tree: readonly string[];
}

export interface AskSeat<T> {
  readonly tools: Tools;
  readonly question: Question<T>;
  /** The agent that the seat belongs to, followed by its stand-ins in order. */
  readonly names: readonly string[];
  /** The agents that already take part in the round; grows as seats are taken. */
  readonly taken?: Set<string>;
  readonly signal: AbortSignal;
}

/** A seat and the agent that sits in it. */
interface Sitting<T> extends AskSeat<T> {
  readonly seat: string;
  readonly chain: readonly string[];
  readonly taken: Set<string>;
  readonly agent: Agent;
  /** The number of the agent in this seat, from 1. */
  readonly turn: number;
}

/** Asks the seat’s agent, then the next of the chain, until one answers or the chain ends. */
export async function askSeat<T>(ask: AskSeat<T>): Promise<SeatResult<T>> {
  const failed: { failure: AgentFailure; receipt: Receipt }[] = [];
  const tree: string[] = [];
  const [seat, ...others] = ask.names;
  if (seat === undefined) return { answer: null, failed, tree };
  const { tools, taken = new Set([seat]) } = ask;
  const isAnalyst = (one: string) => tools.agents.get(one)?.kind === 'analyst';
  // A user who gave the seat to an analyst has not agreed to send anything to a model.
  const chain = isAnalyst(seat) ? others.filter(isAnalyst) : others;
  let name: string | null = seat;
  for (let turn = 1; name !== null; turn += 1) {
    const agent: Agent = tools.agents.get(name) ?? absentAgent(name);
    const sitting = { ...ask, seat, chain, taken, agent, turn };
    const last = await askWithRecovery(sitting);
    if (last.ended === 'answered') {
      const { value, receipt, wrote } = last;
      return { answer: { agent, value, receipt, wrote }, failed, tree };
    }
    failed.push({ failure: last.failure, receipt: last.receipt });
    tree.push(...last.tree);
    const next: string | null = await nextInChain(sitting);
    if (next !== null) {
      const replaced = { seat, agent: next, instead_of: name };
      tools.emit({ type: 'agent.replaced', ...replaced, reason: last.failure.detail });
    }
    name = next;
  }
  return { answer: null, failed, tree };
}

/** Asks an agent with its second chance: a retry if that makes sense, or one repair round. */
async function askWithRecovery<T>(ask: Sitting<T>): Promise<Attempt<T>> {
  const { tools, question, agent, seat, signal } = ask;
  const prompt = await question.promptFor(agent);
  const common = { tools, question, agent, seat, signal };
  let attempt = await askAgent({ ...common, attempt: '', prompt });
  let attempts = 1;
  // An analyst would find the same again.
  if (attempt.ended === 'failed' && agent.kind === 'model') {
    const recovery = recoveryFor(attempt.failure, { hasBackup: await hasBackup(ask, attempt) });
    const isRetry = recovery.kind === 'retry';
    if (isRetry) await pause({ ...ask, failure: attempt.failure, delayMs: recovery.delayMs });
    if (isRetry || (await waitForLogin({ ...ask, failure: attempt.failure }))) {
      attempt = await askAgent({ ...common, attempt: 'retry', prompt });
      attempts += 1;
    }
  }
  if (attempt.ended === 'invalid') {
    attempt = await askToRepair({ ...common, bad: attempt, prompt });
    attempts += 1;
  } else if (attempt.ended === 'answered' && agent.kind === 'model') {
    const wishes = (await question.wishesOf?.(attempt.value, agent.name)) ?? [];
    if (wishes.length > 0) {
      const more = await askToRepair({ ...common, bad: asIncomplete(attempt, wishes), prompt });
      attempts += 1;
      if (more.ended === 'answered') attempt = more;
    }
  }
  return { ...attempt, receipt: { ...attempt.receipt, attempts } };
}

/** Treats a usable answer as one to complete. */
function asIncomplete<T>(
  { value, receipt, tree }: Extract<Attempt<T>, { ended: 'answered' }>,
  wishes: readonly string[],
): Unusable<T> & { readonly isUsable: true } {
  const [detail = ''] = wishes;
  const failure = { agent: receipt.agent, category: 'invalid-answer', detail } as const;
  return {
    ended: 'invalid',
    text: JSON.stringify(value),
    errors: [...wishes],
    hasContent: true,
    failure: { ...failure, retry_after_ms: null },
    receipt,
    tree,
    isUsable: true,
  };
}

type Unusable<T> = Extract<Attempt<T>, { ended: 'invalid' }>;

/** Says if an agent with a model is free to take the seat of an agent that has reached its rate limit. */
async function hasBackup<T>(
  { tools, question, seat, chain, taken, signal, agent }: Sitting<T>,
  { failure }: { readonly failure: AgentFailure },
): Promise<boolean> {
  if (failure.category !== 'rate-limited') return false;
  const step = question.call.backup(seat, agent.name);
  return await recordStep({ tools, signal, step, shape: z.boolean() }, async () => {
    const free = chain.filter((one) => !taken.has(one));
    return (await findReadyModel(free, tools.agents, signal)) !== null;
  });
}

/**
 * Asks for the corrected answer, in the agent’s own session if it can resume that, otherwise with the whole
 * request.
 */
async function askToRepair<T>(
  repair: Omit<AskOne<T>, 'attempt'> & { bad: Unusable<T> & { readonly isUsable?: true } },
): Promise<Attempt<T>> {
  const { bad, tools, question, agent, prompt, ...common } = repair;
  const { schema } = question;
  if (schema === null) return bad;
  const one = { ...common, tools, question, agent, before: bad.hasContent ? bad.text : '' };
  const promptWith = (asked: string | null, answer: string | null) =>
    repairPrompt({
      ...promptInput(tools, agent, { round: question.round, schema }),
      phase: question.call.prompt,
      errors: bad.errors,
      isUsable: bad.isUsable === true,
      question: asked,
      answer,
    });
  const { cwd } = workspaceOf(question, tools);
  const session = sessionAfter(bad.receipt, { cwd, before: null });
  const resume = resumeIn({ cwd, agent, session });
  if (resume !== null) {
    const again = { ...one, attempt: 'repair', prompt: promptWith(null, null), resume } as const;
    const attempt = await askAgent(again);
    const isLost = attempt.ended === 'failed' && attempt.failure.category === 'session-lost';
    if (!isLost) return attempt;
  }
  // Missing wishes are not worth sending the whole request again.
  if (bad.isUsable === true) return bad;
  const bytes = Buffer.byteLength(bad.text);
  if (bytes + Buffer.byteLength(prompt) > promptLimit(agent)) {
    const detail = `${bad.failure.detail}; its ${bytes} bytes are too many to send them back`;
    return { ...bad, failure: { ...bad.failure, detail } };
  }
  const full = promptWith(prompt, bad.hasContent ? bad.text : null);
  const canResume = agent.traits.resumes !== 'never';
  return askAgent({ ...one, attempt: canResume ? 'full-repair' : 'repair', prompt: full });
}

/** Waits before a retry; on a replay the wait is already over. */
async function pause<T>(
  ask: Sitting<T> & { failure: AgentFailure; delayMs: number },
): Promise<void> {
  const { tools, question, agent, seat, failure, delayMs, signal } = ask;
  const step = question.call.wait(agent.name);
  const input = { agent: agent.name };
  await recordStep({ tools, signal, step, input, shape: z.number() }, async () => {
    const run = { agent: agent.name, seat, step: step.key };
    tools.emit({ type: 'agent.retried', ...run, reason: failure.detail, delay_ms: delayMs });
    const skipped = tools.skips.signalFor(`${question.call.group}/${agent.name}`);
    // A skipped retry ends at once, as a skipped call does.
    await wait(delayMs, undefined, { signal: AbortSignal.any([signal, skipped]) }).catch(() =>
      signal.throwIfAborted(),
    );
    return delayMs;
  });
}

/**
 * Waits until a person has logged the agent in or skips it; its next try shows which. False if it was another
 * failure, no person is present, the agent has no login of its own, or the record says who took the seat.
 * Readers of a plan are not waited for, because the person is busy with that plan.
 */
async function waitForLogin<T>(ask: Sitting<T> & { failure: AgentFailure }): Promise<boolean> {
  const { tools, question, agent, seat, turn, failure, signal } = ask;
  const { call } = question;
  if (failure.category !== 'not-logged-in') return false;
  const step = call.login(agent.name);
  const login = tools.logins.areOffered ? tools.agents.loginCommand(agent.name) : null;
  const isSettled = isRecorded(tools, call.next(seat, turn)) || isOfReading(call.group);
  if (!isRecorded(tools, step) && (login === null || isSettled)) return false;
  await recordStep({ tools, signal, step, shape: z.literal('over') }, async () => {
    const key = `${call.group}/${agent.name}`;
    const run = { agent: agent.name, seat, step: step.key };
    tools.emit({ type: 'login.needed', ...run, login: login ?? '' });
    const until = AbortSignal.any([signal, tools.skips.signalFor(key)]);
    await tools.logins.waitFor(key, until).then(
      () => tools.logins.refused.delete(agent.name),
      () => signal.throwIfAborted(),
    );
    return 'over' as const;
  });
  return true;
}

/** The agents that are free now decide who takes the seat, so the choice is recorded. */
async function nextInChain<T>(ask: Sitting<T>): Promise<string | null> {
  const { tools, question, seat, taken, signal, turn } = ask;
  const step = question.call.next(seat, turn);
  const choice = { tools, signal, step, input: { seat }, shape: z.string().nullable() };
  const next = await recordStep(choice, () => firstReady(ask));
  if (next !== null) taken.add(next);
  return next;
}

async function firstReady<T>({ tools, chain, taken, signal }: Sitting<T>): Promise<string | null> {
  for (const name of chain) {
    if (taken.has(name)) continue;
    taken.add(name);
    const readiness = await tools.agents.get(name)?.ready(signal);
    if (readiness?.state === 'ready') return name;
    taken.delete(name);
  }
  return null;
}

/** Reports that an agent takes over the work of a phase because the requested agent is not ready. */
export function tellStandIn(
  { emit }: Pick<Tools, 'emit'>,
  {
    phase,
    wanted,
    agent = wanted,
    reason = `${wanted} is not ready`,
  }: {
    readonly phase: ChosenPhase;
    /** The requested agent; null if no agent was requested by name. */
    readonly wanted: string | null;
    readonly agent?: string | null | undefined;
    readonly reason?: string | undefined;
  },
): void {
  if (wanted === null || agent === null || agent === wanted) return;
  emit({ type: 'agent.replaced', seat: phase, agent, instead_of: wanted, reason });
}

/** The first of the given agents that has a model and is ready now; null if none is. */
export async function findReadyModel(
  names: readonly string[],
  agents: Pick<AgentPool, 'get'>,
  signal: AbortSignal,
): Promise<string | null> {
  for (const name of names) {
    const agent = agents.get(name);
    if (agent?.kind !== 'model') continue;
    const { state } = await agent.ready(signal);
    if (state === 'ready') return name;
  }
  return null;
}

/** All of the given agents that have a model and are ready now, in order. */
export async function findReadyModels(
  names: Iterable<string>,
  agents: Pick<AgentPool, 'get'>,
  signal: AbortSignal,
): Promise<string[]> {
  const all = [...new Set(names)];
  const found = await Promise.all(all.map((name) => findReadyModel([name], agents, signal)));
  return all.filter((_, at) => found[at] !== null);
}
