// Asks one agent once, as one recorded step.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Agent, RequestContent, AgentRequest } from '../../agents/agent.ts';
import { resumeIn } from '../../agents/agent-session.ts';
import type { AgentCall, Attempt } from '../../agents/attempt.ts';
import { callAgent } from '../../agents/call.ts';
import type { Workspace } from '../../agents/workspace.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import { AgentFailure } from '../../model/agent-failure.ts';
import { Receipt } from '../../model/receipt.ts';
import type { Try } from '../../model/step.ts';
import type { RequestPhase } from '../../model/steps.ts';
import { listed } from '../../model/wording.ts';
import type { RunningStep } from '../../store/steps-port.ts';
import { limitsWithin, type Tools, modelOfCall } from '../phase-tools.ts';
import { type Question, workspaceOf } from './question.ts';

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

/** The agents of which it was said that their tokens are estimates. */
const estimated = new WeakSet<Agent>();

/** One call of one agent, as a step: what it answered is recorded and shown. */
export async function askAgent<T>(ask: AskOne<T>): Promise<Attempt<T>> {
  const { tools, question, agent, seat, attempt, signal } = ask;
  const call = question.call.by(agent.name, attempt);
  const run = { agent: agent.name, seat, step: call.key };
  const input = { agent: agent.name, attempt, question: question.meaning };
  const shape = attemptShape(question.shape);
  const { value, inputChanged, replayed } = await tools.steps.run(
    { ...call, input, shape, signal },
    async (step) => {
      const read = new Set<string>();
      const made = await callAgent(callOf(ask, run, { step, read }), signal);
      if (read.size > 0) made.receipt.notes.push(`${readNote}${listed([...read])}`);
      return made;
    },
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
  const isEstimated = tokens?.estimated === true && !estimated.has(agent);
  if (isEstimated) estimated.add(agent);
  const warnings = [
    ...(receipt.asked_model === undefined
      ? []
      : [`was asked for the model ${receipt.asked_model}, and ${String(model)} answered`]),
    ...(isEstimated
      ? ['uses a server that reports no usage, so its tokens and the budget are estimates']
      : []),
    ...receipt.notes.flatMap((note) =>
      note.startsWith(readNote) ? `${note}, where the answers of others lie` : [],
    ),
  ];
  for (const text of warnings) {
    tools.emit({ type: 'warning.raised', text: `${agent.name} ${text}.` }, replayed);
  }
  for (const change of changesOf(value)) {
    const by = { agent: change.isProven ? agent.name : null };
    const beside = question.work === undefined ? {} : { beside: agent.name };
    tools.emit({ type: 'tree.changed', files: change.files, ...by, ...beside }, replayed);
  }
  if (!inputChanged) return value;
  const notes = [...receipt.notes, 'kept although its question changed'];
  return { ...value, receipt: { ...receipt, notes } };
}

/** Asks an agent that gets no second try; it has `mostMs` at most. */
export async function askOnce<T>({
  mostMs = Infinity,
  ...ask
}: Pick<AskOne<T>, 'tools' | 'question' | 'agent' | 'signal'> & {
  readonly mostMs?: number;
}): Promise<Attempt<T>> {
  const { agent, question, tools } = ask;
  const limited = { ...tools, limits: limitsWithin(tools.limits, mostMs) };
  const prompt = await question.promptFor(agent);
  return await askAgent({ ...ask, tools: limited, seat: agent.name, attempt: '', prompt });
}

/** Begins the note on a run that read in our folder. */
const readNote = 'read ';
const mostNamed = 3;

/** The files of sessions that an event shows to be read: named, or found by a search. */
function sessionFilesIn(event: AgentEvent): readonly string[] {
  return isReading.has(event.kind) ? (JSON.stringify(event).match(sessionFile) ?? []) : [];
}

const isReading: ReadonlySet<string> = new Set(['file-read', 'command', 'tool-output']);
// A backslash is where JSON writes the end of a line.
const sessionFile = /\.workflow\/\.multi-cli-plan\/MCP-[^\s:'"\\]+/g;

/** The changes meanwhile, apart by what is proven. */
function changesOf<T>(attempt: Attempt<T>) {
  const { tree, wrote = [] } = attempt;
  const others = tree.filter((path) => !wrote.includes(path));
  const all = [
    { files: wrote, isProven: true },
    { files: others, isProven: false },
  ];
  return all.filter(({ files }) => files.length > 0);
}

/** The zod shape of a recorded attempt, given the answer’s own. */
function attemptShape<T>(answer: z.ZodType<T>): z.ZodType<Attempt<T>> {
  const paths = z.array(z.string());
  const common = { receipt: Receipt, tree: paths, wrote: paths.optional() };
  return z.union([
    z.object({ ended: z.literal('answered'), value: answer, ...common }),
    z.object({
      ended: z.literal('invalid'),
      text: z.string(),
      errors: z.array(z.string()),
      hasContent: z.boolean(),
      failure: AgentFailure,
      ...common,
    }),
    z.object({ ended: z.literal('failed'), failure: AgentFailure, ...common }),
  ]);
}

/** `run` is how events and limits name the call. */
function callOf<T>(
  ask: AskOne<T>,
  run: Readonly<Record<'agent' | 'seat' | 'step', string>>,
  { step, read }: { readonly step: RunningStep; readonly read: Set<string> },
): AgentCall<T> {
  const { tools, question, agent, seat, attempt } = ask;
  // The files of an earlier run of the same step stay beside its own.
  const again = step.earlier === 0 ? '' : `-${step.earlier + 1}`;
  const suffix = (attempt === '' ? '' : `-${attempt}`) + again;
  const { kind, name } = agent;
  const { model } = modelOfCall(tools, question.call.prompt, name);
  const workspace = workspaceOf(question, tools);
  return {
    agent,
    seat,
    workspace,
    request: questionFor(ask, workspace),
    form: formFor(ask, workspace),
    files: { folder: tools.folder, path: question.folderFor(name), suffix },
    limits: question.work?.limits ?? tools.limits,
    mark: `${tools.markPrefix}${randomBytes(6).toString('hex')}`,
    wasKilled: step.attempt > 1,
    interrupted: step.interrupted,
    watch: tools.watch,
    skip: tools.skips.signalFor(`${question.call.group}/${name}`),
    reserve: () => tools.budget.begin(),
    report: {
      started: () =>
        tools.emit({
          type: 'agent.started',
          ...run,
          kind,
          model: kind === 'model' ? model : null,
        }),
      acted: (event) => {
        for (const path of sessionFilesIn(event)) if (read.size < mostNamed) read.add(path);
        tools.emit({ type: 'agent.acted', ...run, event });
      },
      spent: (spending) => step.spend(spending),
    },
  };
}

function questionFor<T>(ask: AskOne<T>, { cwd }: Workspace<T>): RequestContent {
  const { tools, question, agent, prompt, attempt } = ask;
  const { context, work, schema, round, task, constraints } = question;
  const session = work?.session ?? null;
  // A second try begins a session of its own.
  const resume = attempt === '' ? resumeIn({ cwd, agent, session }) : null;
  return {
    prompt,
    about:
      context === null ? null : { session: tools.folder.id, round, task, constraints, context },
    permission: work?.permission ?? 'read-only',
    ...(work === undefined ? {} : { denied: work.denied }),
    role: work === undefined && !isMechanical(question.call.prompt) ? tools.role : null,
    schema: schema === null ? null : tools.schemas.asked(schema),
    ...modelOfCall(tools, question.call.prompt, agent.name),
    resume: ask.resume ?? resume,
  };
}

/** True for calls that only sort or list, which no role changes. */
function isMechanical(call: RequestPhase): boolean {
  return call === 'compare' || call === 'structure-plan';
}

function formFor<T>(
  { tools, question, agent, before }: AskOne<T>,
  { cwd: root }: Workspace<T>,
): AgentCall<T>['form'] {
  const { schema: schemaName } = question;
  if (schemaName === null) return null;
  return {
    ...question,
    faultsOf: (answer) => question.faultsOf?.(answer, agent.name) ?? [],
    before: before ?? null,
    known: { root },
    schemaName,
    check: tools.schemas,
  };
}
