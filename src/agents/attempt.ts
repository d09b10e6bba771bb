// Defines one call of an agent with its end, and makes the end and its receipt.
import type { AgentEvent, AgentFailure } from '../model/agent-event.ts';
import type { Receipt } from '../model/receipt.ts';
import { sha256Of } from '../store/digest.ts';
import type { FolderFiles } from '../store/folder-files.ts';
import type { InterruptedRun, Spending } from '../store/steps-port.ts';
import type { Agent, AgentEnd, RequestContent, RunFacts, RunLimits, Workspace } from './agent.ts';
import type { AnswerInput } from './answer/read-answer.ts';
import type { TreeChange, TreeWatch } from './tree-watch.ts';

/**
 * A call of one agent, with everything that it needs from outside. `T` is the type of its answer.
 * Whatever may be left out is not watched, skipped, paid for or told.
 */
export interface AgentCall<T> {
  readonly agent: Agent;
  /** The agent that it replaces; by default its own name. */
  readonly seat?: string;
  readonly request: RequestContent;
  /** The form in which the answer is read; null if the workspace processes the final text. */
  readonly form: Omit<AnswerInput<T>, 'text'> | null;
  readonly workspace: Workspace<T>;
  /** The files for prompt, raw output, answer and receipt. */
  readonly files: {
    readonly folder: Pick<FolderFiles, 'absolute' | 'write' | 'writeJson'>;
    /** The path relative to that folder. */
    readonly path: string;
    /** The suffix of file names, so that an earlier call with the same request loses nothing. */
    readonly suffix: string;
  };
  readonly limits: RunLimits;
  /** Unique for this call; every descendant of the agent has it in its environment. */
  readonly mark: string;
  /** True if a process of ours died during this very call before. */
  readonly wasKilled?: boolean;
  /** The earlier call that was interrupted, if it had the same request; else null. */
  readonly interrupted?: InterruptedRun | null;
  /** Watches the user’s work tree and repository, wherever the agent works. */
  readonly watch?: TreeWatch | undefined;
  /** Aborted when a person skips the call. */
  readonly skip?: AbortSignal;
  /** Reserves budget. Rejects with `Stopped` if there is no room for another call. */
  reserve?(): Promise<RunningCall>;
  readonly report?: {
    /** Called when it is about to run, or was found not to be ready. */
    started?(): void;
    acted?(event: AgentEvent): void;
    spent?(spending: Spending): void;
  };
}

/** A call that the budget counts. */
export interface RunningCall {
  /** Aborted with `Stopped` when the usage reported by agents exceeds the budget. */
  readonly over: AbortSignal;
  use(spending: Omit<Spending, 'agent'>): void;
  end(): void;
}

/**
 * The end of a call: `tree` names the user’s files that changed meanwhile; `wrote` those of them
 * that an agent with an answer is proven to have changed.
 */
export type Attempt<T> = { receipt: Receipt; tree: string[]; wrote?: string[] | undefined } & (
  | { ended: 'answered'; value: T }
  | {
      ended: 'invalid';
      text: string;
      errors: string[];
      /** True if it contains something to keep. */
      hasContent: boolean;
      failure: AgentFailure;
    }
  | { ended: 'failed'; failure: AgentFailure }
);

/** Reads the end of a run, before the work tree is checked. */
export async function readEnd<T>(call: AgentCall<T>, end: AgentEnd): Promise<Attempt<T>> {
  const { form, workspace } = call;
  const { facts } = end;
  if (!end.ok) return failureOf(call, end.failure, facts);
  if (form === null) {
    if (workspace.keep === undefined) throw new Error(`nothing is kept of ${call.files.path}`);
    return answerOf(call, await workspace.keep(end.text), facts);
  }
  const { readAnswer } = await import('./answer/read-answer.ts');
  const answer = readAnswer({ ...form, text: end.text });
  if (answer.ok) {
    const { value, repaired, notes } = answer.value;
    const attempt = answerOf(call, value, facts);
    attempt.receipt.repaired = repaired || (form.before ?? null) !== null;
    attempt.receipt.notes.push(...notes);
    return attempt;
  }
  const { category, reason, errors, hasContent } = answer.failure;
  const ended = failureOf(call, { category, detail: reason }, facts);
  // If it answered something else, it would do so again when asked to correct that.
  if (category !== 'invalid-answer') return ended;
  return { ...ended, ended: 'invalid', text: end.text, errors: [...errors], hasContent };
}

export function answerOf<T>(call: AgentCall<T>, value: T, facts: RunFacts | null) {
  return { ended: 'answered' as const, value, receipt: receiptOf(call, facts, null), tree: [] };
}

export function failureOf<T>(
  call: AgentCall<T>,
  why: Pick<AgentFailure, 'category' | 'detail'> & Partial<AgentFailure>,
  facts: RunFacts | null = null,
) {
  const failure = { agent: call.agent.name, retry_after_ms: null, ...why };
  return { ended: 'failed' as const, failure, receipt: receiptOf(call, facts, failure), tree: [] };
}

/** Makes the receipt of a run; without `facts` the run was not started. */
function receiptOf<T>(
  { agent, seat = agent.name, request }: AgentCall<T>,
  facts: RunFacts | null,
  failure: AgentFailure | null,
): Receipt {
  return {
    agent: agent.name,
    seat,
    transport: agent.traits.transport,
    version: facts?.version ?? null,
    ...(facts?.machine === undefined ? {} : { machine: facts.machine }),
    model: facts?.model ?? null,
    ...(typeof facts?.askedModel === 'string' ? { asked_model: facts.askedModel } : {}),
    vendor: facts === null ? null : agent.vendorOf(facts.model),
    agent_session: facts?.agentSession ?? null,
    started_at: facts?.startedAt ?? new Date().toISOString(),
    duration_ms: facts?.durationMs ?? 0,
    exit_code: facts?.exitCode ?? null,
    signal: facts?.signal ?? null,
    output_bytes: facts?.outputBytes ?? 0,
    tokens: facts?.tokens ?? null,
    cost_usd: facts?.costUsd ?? null,
    prompt_hash: sha256Of(request.prompt),
    raw_output: null,
    attempts: 1,
    repaired: false,
    fallback_for: agent.name === seat ? null : seat,
    unknown_events: facts?.unknownEvents ?? 0,
    notes: [...(facts?.notes ?? [])],
    failure: failure === null ? null : { category: failure.category, reason: failure.detail },
  };
}

/** Fails the turn of a read-only agent that is proven to have written, whatever it answered. */
export function blameWriter<T>(
  { request }: AgentCall<T>,
  attempt: Attempt<T>,
  { written, others }: TreeChange = { written: [], others: [] },
): Attempt<T> {
  const tree = [...written, ...others];
  if (written.length === 0) return { ...attempt, tree };
  const wrote = [...written];
  if (request.permission !== 'read-only') return { ...attempt, tree, wrote };
  const { agent } = attempt.receipt;
  const category = 'wrote-while-planning';
  const detail = `it changed ${wrote.join(', ')} although it may only read`;
  const failure = { agent, category, detail, retry_after_ms: null } as const;
  const receipt = { ...attempt.receipt, failure: { category, reason: detail } } as const;
  return { ended: 'failed', failure, receipt, tree, wrote };
}

/** The path of the raw output, relative to the session folder. */
export function rawOutputOf<T>({ files: { path, suffix } }: AgentCall<T>): string {
  return `${path}/events${suffix}.jsonl`;
}
