// Runs one agent once, as one recorded step, with its receipt.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Agent, AgentEnd, AgentRequest, RunFacts } from '../../agents/agent.ts';
import { readAnswer } from '../../agents/answer/read-answer.ts';
import { AgentFailure } from '../../model/agent-failure.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import { Receipt } from '../../model/receipt.ts';
import type { Try } from '../../model/step.ts';
import { sha256Of } from '../../store/digest.ts';
import type { RunningStep } from '../../store/steps.ts';
import type { Tools } from '../tools.ts';
import type { RunningCall } from './budget.ts';
import type { Question } from './question.ts';
import { type TreeChange, withRelativePaths } from './tree-watch.ts';

export interface AskOne<T> {
  readonly tools: Tools;
  readonly question: Question<T>;
  readonly agent: Agent;
  readonly seat: string;
  /** Empty for the first try; the others name the second ones. */
  readonly attempt: Try;
  readonly prompt: string;
  /** The agent’s own session to go on with. */
  readonly resume?: AgentRequest['resume'];
  /** The answer that is to be repaired. */
  readonly before?: string;
  readonly signal: AbortSignal;
}

/** How one agent run ended, as it stands in the journal. */
export type Attempt<T> = { receipt: Receipt; tree: string[] } & (
  | { ended: 'answered'; value: T }
  | {
      ended: 'invalid';
      text: string;
      errors: string[];
      /** Whether there is something in it to keep. */
      hasContent: boolean;
      failure: AgentFailure;
    }
  | { ended: 'failed'; failure: AgentFailure }
);

/** Runs one agent once, as one recorded step, and reads its answer. */
export async function askAgent<T>(ask: AskOne<T>): Promise<Attempt<T>> {
  const { tools, question, agent, seat, attempt, signal } = ask;
  const call = question.call.by(agent.name, attempt);
  const run = { agent: agent.name, seat, step: call.key };
  const input = { agent: agent.name, attempt, question: question.meaning };
  const shape = attemptShape(question.shape);
  const { value, inputChanged, replayed } = await tools.steps.run(
    { ...call, input, shape, signal },
    (step) => perform({ ...ask, run }, step),
  );
  const { receipt } = value;
  const { model, duration_ms, tokens, cost_usd } = receipt;
  const ended = { ...run, kind: agent.kind, model, duration_ms, tokens, cost_usd };
  if (value.ended === 'answered') {
    const summary = question.summaryOf(value.value);
    tools.emit({ type: 'agent.answered', ...ended, summary }, replayed);
  } else {
    const { category, detail } = value.failure;
    tools.emit({ type: 'agent.failed', ...ended, category, reason: detail }, replayed);
  }
  if (value.tree.length > 0) {
    const proven = value.ended !== 'answered' && value.failure.category === 'wrote-while-planning';
    const by = proven ? agent.name : null;
    tools.emit({ type: 'tree.changed', files: value.tree, agent: by }, replayed);
  }
  if (!inputChanged) return value;
  const notes = [...receipt.notes, 'kept although its question changed'];
  return { ...value, receipt: { ...receipt, notes } };
}

/** The zod shape of a recorded attempt, given the answer’s own. */
function attemptShape<T>(answer: z.ZodType<T>): z.ZodType<Attempt<T>> {
  const common = { receipt: Receipt, tree: z.array(z.string()) };
  return z.union([
    z.object({ ended: z.literal('answered'), value: answer, ...common }),
    z.object({
      ended: z.literal('invalid'),
      text: z.string(),
      errors: z.array(z.string()),
      hasContent: z.boolean().default(true),
      failure: AgentFailure,
      ...common,
    }),
    z.object({ ended: z.literal('failed'), failure: AgentFailure, ...common }),
  ]);
}

/** A call on its way: how events and limits name it. */
interface Running<T> extends AskOne<T> {
  readonly run: { readonly agent: string; readonly seat: string; readonly step: string };
}

async function perform<T>(ask: Running<T>, step: RunningStep): Promise<Attempt<T>> {
  const { tools, question, agent, signal, prompt, run } = ask;
  const suffix = ask.attempt === '' ? '' : `-${ask.attempt}`;
  const folder = question.folderFor(agent.name);
  const rawOutput = `${folder}/events${suffix}.jsonl`;
  const [readiness, finish] = await Promise.all([
    agent.ready(signal),
    question.work === undefined ? tools.watch.begin(signal) : unwatched,
    tools.folder.write(`${folder}/prompt${suffix}.md`, prompt),
  ]);
  const found = await question.work?.begin?.({ wasKilled: step.attempt > 1 });
  if (found !== undefined && found !== null) {
    const attempt = answered(ask, found, null);
    attempt.receipt.notes.push('its work was complete when the program was killed, and is kept');
    return attempt;
  }
  const skipped = tools.skips.signalFor(`${question.call.group}/${agent.name}`);
  // A retry may be skipped while it is waited for.
  const isCall = agent.kind === 'model' && readiness.state === 'ready' && !skipped.aborted;
  const call = isCall ? await tools.budget.begin(run.step) : null;
  const model = agent.kind === 'model' ? tools.modelFor(agent.name) : null;
  tools.emit({ type: 'agent.started', ...run, kind: agent.kind, model });
  if (readiness.state !== 'ready') {
    await finish([]);
    const category = unready[readiness.state];
    return failed(ask, { category, detail: `${readiness.why}. ${readiness.remedy}` });
  }
  const stops = [signal, ...(call === null ? [] : [call.over])];
  if (agent.kind === 'model') stops.push(skipped);
  const request = requestFor(ask, tools.folder.absolute(rawOutput));
  const events = agent.run(request, AbortSignal.any(stops));
  const end = await drain(events, { ask, step, call }).finally(() => call?.end());
  const read = await readEnd(ask, end);
  // A complete answer is paid for and kept; what was ended by the budget is none.
  if (read.ended !== 'answered') call?.over.throwIfAborted();
  const [tree] = await Promise.all([
    finish(end.facts.filesChanged),
    read.ended === 'answered' ? tools.folder.writeJson(`${folder}/answer.json`, read.value) : null,
  ]);
  signal.throwIfAborted();
  const attempt = blamed(read, tree);
  attempt.receipt.raw_output = call === null ? null : rawOutput;
  if (readiness.path !== null) attempt.receipt.path = readiness.path;
  await tools.folder.writeJson(`${folder}/receipt${suffix}.json`, attempt.receipt);
  return attempt;
}

const unready = {
  'not-installed': 'not-installed',
  'not-logged-in': 'not-logged-in',
  disabled: 'not-asked',
} as const;

const unwatched = () => Promise.resolve({ files: [], proven: false });

function requestFor<T>(ask: AskOne<T>, rawOutput: string): AgentRequest {
  const { tools, question, agent, prompt } = ask;
  const { context, work, schema } = question;
  const planning = {
    session: tools.folder.id,
    round: question.round,
    task: question.task,
    constraints: question.constraints,
  };
  return {
    prompt,
    about: context === null ? null : { ...planning, context },
    permission: work?.permission ?? 'read-only',
    ...(work === undefined ? {} : { denied: work.denied }),
    role: null,
    schema: schema === null ? null : tools.schemas.schema(schema),
    cwd: work?.cwd ?? tools.repository.root,
    model: tools.modelFor(agent.name),
    // What failed so is tried again in a session of its own.
    resume: ask.resume ?? (ask.attempt === '' ? work?.resume?.(agent) : null) ?? null,
    extraDirs: [],
    hidden: tools.hidden,
    mark: `${tools.markPrefix}${randomBytes(6).toString('hex')}`,
    rawOutput,
    limits: work?.limits ?? tools.limits,
  };
}

/** Lets the agent run to its end; shows what it does and records what it spends as it comes. */
async function drain<T>(
  events: ReturnType<Agent['run']>,
  { ask, step, call }: { ask: Running<T>; step: RunningStep; call: RunningCall | null },
): Promise<AgentEnd> {
  const { tools, question, agent, run } = ask;
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
    const event: AgentEvent = next.value;
    if (event.kind === 'usage') {
      const spending = {
        agent: agent.name,
        input_tokens: event.tokens.input,
        output_tokens: event.tokens.output,
        cost_usd: event.cost_usd ?? 0,
      };
      step.spend(spending);
      call?.use(spending);
    }
    const told = withRelativePaths(event, question.work?.cwd ?? tools.repository.root);
    tools.emit({ type: 'agent.acted', ...run, event: told });
  }
}

/** What the end of a run means, before anyone has looked at the work tree. */
async function readEnd<T>(ask: AskOne<T>, end: AgentEnd): Promise<Attempt<T>> {
  const { question, tools } = ask;
  const { facts } = end;
  if (!end.ok) return failed(ask, end.failure, facts);
  const { schema, work } = question;
  if (schema === null) {
    if (work?.keep === undefined) throw new Error(`nothing is kept of "${question.call.path}"`);
    return answered(ask, await work.keep(end.text), facts);
  }
  const answer = readAnswer({
    ...question,
    text: end.text,
    before: ask.before ?? null,
    known: { root: work?.cwd ?? tools.repository.root, labels: question.labels },
    schemaName: schema,
    check: tools.schemas,
  });
  if (answer.ok) {
    const { value, repaired, notes } = answer.value;
    const attempt = answered(ask, value, facts);
    attempt.receipt.repaired = repaired || ask.before !== undefined;
    attempt.receipt.notes.push(...notes);
    return attempt;
  }
  const { category, reason, errors, hasContent } = answer.failure;
  const ended = failed(ask, { category, detail: reason }, facts);
  if (category === 'refused' || category === 'answer-cut') return ended;
  return { ...ended, ended: 'invalid', text: end.text, errors: [...errors], hasContent };
}

function answered<T>(ask: AskOne<T>, value: T, facts: RunFacts | null) {
  return { ended: 'answered' as const, value, receipt: receiptOf(ask, facts, null), tree: [] };
}

function failed<T>(
  ask: AskOne<T>,
  why: Pick<AgentFailure, 'category' | 'detail'> & Partial<AgentFailure>,
  facts: RunFacts | null = null,
) {
  const failure = { agent: ask.agent.name, retry_after_ms: null, ...why };
  return { ended: 'failed' as const, failure, receipt: receiptOf(ask, facts, failure), tree: [] };
}

/** What is known of a run of an agent; without `facts` it was not started. */
function receiptOf<T>(
  { agent, seat, prompt }: AskOne<T>,
  facts: RunFacts | null,
  failure: AgentFailure | null,
): Receipt {
  return {
    agent: agent.name,
    seat,
    version: facts?.version ?? null,
    model: facts?.model ?? null,
    vendor: facts === null ? null : agent.vendorOf(facts.model),
    agent_session: facts?.agentSession ?? null,
    started_at: facts?.startedAt ?? new Date().toISOString(),
    duration_ms: facts?.durationMs ?? 0,
    exit_code: facts?.exitCode ?? null,
    signal: facts?.signal ?? null,
    output_bytes: facts?.outputBytes ?? 0,
    tokens: facts?.tokens ?? null,
    cost_usd: facts?.costUsd ?? null,
    prompt_hash: sha256Of(prompt),
    raw_output: null,
    attempts: 1,
    repaired: false,
    fallback_for: agent.name === seat ? null : seat,
    unknown_events: facts?.unknownEvents ?? 0,
    notes: [...(facts?.notes ?? [])],
    failure: failure === null ? null : { category: failure.category, reason: failure.detail },
  };
}

/** An agent that is proven to have written loses its turn, whatever it answered. */
function blamed<T>(attempt: Attempt<T>, { files, proven }: TreeChange): Attempt<T> {
  const tree = [...files];
  if (!proven) return { ...attempt, tree };
  const { receipt } = attempt;
  const category = 'wrote-while-planning';
  const detail = `it changed ${tree.join(', ')} although planning is read-only`;
  const failure = { agent: receipt.agent, category, detail, retry_after_ms: null } as const;
  const told = { ...receipt, failure: { category, reason: detail } } as const;
  return { ended: 'failed', failure, receipt: told, tree };
}
