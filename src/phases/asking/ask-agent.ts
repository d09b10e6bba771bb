import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Agent, AgentEnd, AgentRequest } from '../../agents/agent.ts';
import { readAnswer } from '../../agents/answer.ts';
import { AgentFailure, type FailureCategory } from '../../model/agent-failure.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import { Receipt } from '../../model/receipt.ts';
import type { RunningStep } from '../../store/steps.ts';
import type { Tools } from '../tools.ts';
import type { RunningCall } from './budget.ts';
import type { Question } from './question.ts';
import { receiptOf } from './receipt.ts';
import { type TreeChange, withRelativePaths } from './tree-watch.ts';

export interface AskOne<T> {
  readonly tools: Tools;
  readonly question: Question<T>;
  readonly agent: Agent;
  readonly seat: string;
  /** Empty for the first try; the others name the second ones. */
  readonly attempt: '' | 'retry' | 'repair' | 'full-repair';
  readonly prompt: string;
  /** The agent’s own session to go on with. */
  readonly resume?: AgentRequest['resume'];
  /** The answer that is to be repaired. */
  readonly before?: string;
  readonly signal: AbortSignal;
}

/** How one agent run ended, as it stands in the journal. */
export type Attempt<T> =
  | { ended: 'answered'; value: T; receipt: Receipt; tree: string[] }
  | {
      ended: 'invalid';
      text: string;
      errors: string[];
      /** Whether there is something in it to keep. */
      hasContent: boolean;
      failure: AgentFailure;
      receipt: Receipt;
      tree: string[];
    }
  | { ended: 'failed'; failure: AgentFailure; receipt: Receipt; tree: string[] };

/** Runs one agent once, as one recorded step, and reads its answer. */
export async function askAgent<T>(ask: AskOne<T>): Promise<Attempt<T>> {
  const { tools, question, agent, seat, attempt } = ask;
  const key = [`${question.group}/${question.name}/${agent.name}`, attempt]
    .filter(Boolean)
    .join('-');
  const run = { agent: agent.name, seat, step: key };
  const outcome = await tools.steps.run(
    {
      key,
      group: question.group,
      kind: 'work',
      input: { agent: agent.name, attempt, question: question.meaning },
      shape: attemptShape(question.shape),
      signal: ask.signal,
    },
    (step) => perform({ ...ask, key }, step),
  );
  const result = outcome.value;
  const receipt = outcome.inputChanged
    ? { ...result.receipt, notes: [...result.receipt.notes, 'kept although its question changed'] }
    : result.receipt;
  const { model, duration_ms, tokens, cost_usd } = receipt;
  const ended = { ...run, kind: agent.kind, model, duration_ms, tokens, cost_usd };
  if (result.ended === 'answered') {
    const summary = question.summaryOf(result.value);
    tools.emit({ type: 'agent.answered', ...ended, summary }, outcome.replayed);
  } else {
    const { category, detail } = result.failure;
    tools.emit({ type: 'agent.failed', ...ended, category, reason: detail }, outcome.replayed);
  }
  if (result.tree.length > 0) {
    const proven =
      result.ended !== 'answered' && result.failure.category === 'wrote-while-planning';
    const by = proven ? agent.name : null;
    tools.emit({ type: 'tree.changed', files: result.tree, agent: by }, outcome.replayed);
  }
  return { ...result, receipt };
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

async function perform<T>(
  ask: AskOne<T> & { key: string },
  step: RunningStep,
): Promise<Attempt<T>> {
  const { tools, question, agent, seat, signal, prompt } = ask;
  const suffix = ask.attempt === '' ? '' : `-${ask.attempt}`;
  const folder = question.folderFor(agent.name);
  const rawOutput = `${folder}/events${suffix}.jsonl`;
  const [readiness, finish] = await Promise.all([
    agent.ready(signal),
    question.work === undefined ? tools.watch.begin(signal) : unwatched,
    tools.folder.write(`${folder}/prompt${suffix}.md`, prompt),
  ]);
  const found = await question.work?.begin?.({ wasKilled: step.attempt > 1 });
  if (found !== undefined && found !== null) return asFound(ask, found);
  const skipped = tools.skips.signalFor(`${question.group}/${agent.name}`);
  // A retry may be skipped while it is waited for.
  const isCall = agent.kind === 'model' && readiness.state === 'ready' && !skipped.aborted;
  const call = isCall ? await tools.budget.begin(ask.key) : null;
  const run = { agent: agent.name, seat, step: ask.key };
  const model = agent.kind === 'model' ? tools.modelFor(agent.name) : null;
  tools.emit({ type: 'agent.started', ...run, kind: agent.kind, model });
  if (readiness.state !== 'ready') {
    await finish([]);
    const category = unready[readiness.state];
    const failure = failed(agent.name, category, `${readiness.why}. ${readiness.remedy}`);
    return {
      ended: 'failed',
      failure,
      receipt: receiptOf(ask, { facts: null, failure }),
      tree: [],
    };
  }
  const request = requestFor(ask, tools.folder.absolute(rawOutput));
  const end = await drain({ ask, request, step, call, skipped }).finally(() => call?.end());
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

/** The work that a killed call left complete. */
function asFound<T>(ask: AskOne<T>, value: T): Attempt<T> {
  const receipt = receiptOf(ask, { facts: null, failure: null });
  receipt.notes.push('its work was complete when the program was killed, and is kept');
  return { ended: 'answered', value, receipt, tree: [] };
}

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
    resume: ask.resume ?? (ask.attempt === '' ? work?.resume?.(agent.name) : null) ?? null,
    extraDirs: [],
    hidden: tools.hidden,
    mark: `${tools.markPrefix}${randomBytes(6).toString('hex')}`,
    rawOutput,
    limits: work?.limits ?? tools.limits,
  };
}

/** Lets the agent run to its end; shows what it does and records what it spends as it comes. */
async function drain<T>(run: {
  ask: AskOne<T> & { key: string };
  request: AgentRequest;
  step: RunningStep;
  call: RunningCall | null;
  skipped: AbortSignal;
}): Promise<AgentEnd> {
  const { ask, request, step, call, skipped } = run;
  const { emit, repository } = ask.tools;
  const from = { agent: ask.agent.name, seat: ask.seat, step: ask.key };
  const stops = call === null ? [] : [call.over];
  if (ask.agent.kind === 'model') stops.push(skipped);
  const events = ask.agent.run(request, AbortSignal.any([ask.signal, ...stops]));
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
    const event: AgentEvent = next.value;
    if (event.kind === 'usage') {
      const spending = {
        agent: ask.agent.name,
        input_tokens: event.tokens.input,
        output_tokens: event.tokens.output,
        cost_usd: event.cost_usd ?? 0,
      };
      step.spend(spending);
      call?.use(spending);
    }
    const told = withRelativePaths(event, ask.question.work?.cwd ?? repository.root);
    emit({ type: 'agent.acted', ...from, event: told });
  }
}

/** What the end of a run means, before anyone has looked at the work tree. */
async function readEnd<T>(ask: AskOne<T>, end: AgentEnd): Promise<Attempt<T>> {
  const { question, agent, tools } = ask;
  const failing = (failure: AgentFailure) => ({
    ended: 'failed' as const,
    failure,
    receipt: receiptOf(ask, { facts: end.facts, failure }),
    tree: [],
  });
  if (!end.ok) return failing(end.failure);
  const { schema, work } = question;
  if (schema === null) {
    if (work?.keep === undefined) throw new Error(`nothing is kept of "${question.name}"`);
    const receipt = receiptOf(ask, { facts: end.facts, failure: null });
    return { ended: 'answered', value: await work.keep(end.text), receipt, tree: [] };
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
    const receipt = receiptOf(ask, { facts: end.facts, failure: null });
    receipt.repaired = repaired || ask.before !== undefined;
    receipt.notes.push(...notes);
    return { ended: 'answered', value, receipt, tree: [] };
  }
  const { category, reason, errors, hasContent } = answer.failure;
  const ended = failing(failed(agent.name, category, reason));
  if (category === 'refused' || category === 'answer-cut') return ended;
  return { ...ended, ended: 'invalid', text: end.text, errors: [...errors], hasContent };
}

/** An agent that is proven to have written loses its turn, whatever it answered. */
function blamed<T>(attempt: Attempt<T>, { files, proven }: TreeChange): Attempt<T> {
  const tree = [...files];
  if (!proven) return { ...attempt, tree };
  const { receipt } = attempt;
  const detail = `it changed ${tree.join(', ')} although planning is read-only`;
  const failure = failed(receipt.agent, 'wrote-while-planning', detail);
  const blame = { category: failure.category, reason: detail };
  return { ended: 'failed', failure, receipt: { ...receipt, failure: blame }, tree };
}

function failed(agent: string, category: FailureCategory, detail: string): AgentFailure {
  return { agent, category, detail, retry_after_ms: null };
}
