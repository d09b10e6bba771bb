// Asks one agent once, as one recorded step.
import { z } from 'zod';
import { Flag, Text, Texts } from '../../model/plain-shapes.ts';
import type { Agent, AgentRequest, RequestContent, Workspace } from '../../agents/agent.ts';
import { resumeIn, sessionAfter } from '../../agents/agent-session.ts';
import type { AgentCall, Attempt } from '../../agents/attempt.ts';
import { callAgent, markWith } from '../../agents/call.ts';
import { type AgentEvent, AgentFailure } from '../../model/agent-event.ts';
import { Receipt } from '../../model/receipt.ts';
import { machineForCall } from '../../model/phase-choice.ts';
import type { Try } from '../../model/step.ts';

import { listed } from '../../model/wording.ts';
import type { RunningStep } from '../../store/steps-port.ts';
import { type Tools, modelOfCall } from '../phase-tools.ts';
import { type Question, workspaceOf } from './question.ts';

export interface AskOne<T> {
  readonly tools: Tools;
  readonly question: Question<T>;
  readonly agent: Agent;
  readonly seat: string;
  /** Empty for the first try; otherwise the name of the second one. */
  readonly attempt: Try;
  readonly prompt: string;
  /** The agent’s own session to resume. */
  readonly resume?: AgentRequest['resume'];
  /** The answer that is to be repaired. */
  readonly before?: string;
  readonly signal: AbortSignal;
}

/** The agents whose token counts were already announced as estimates. */
const estimated = new WeakSet<Agent>();

/** Calls one agent once, as a step that records and shows its answer. */
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
  const { model, machine, duration_ms, tokens, cost_usd } = receipt;
  const where = machine === undefined ? {} : { machine };
  const ended = { ...run, kind: agent.kind, model, ...where, duration_ms, tokens, cost_usd };
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
      note.startsWith(readNote) ? `${note}, where the answers of others are` : [],
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

/**
 * Asks an agent once more about its answer, without a second try: in the session that gave it, if the agent can
 * resume that, else in a new one.
 */
export async function askInSession<T>({
  receipt,
  ...ask
}: Pick<AskOne<T>, 'tools' | 'question' | 'agent' | 'signal'> & {
  readonly receipt: Receipt;
}): Promise<Attempt<T>> {
  const { agent, question, tools } = ask;
  const { cwd } = workspaceOf(question, tools);
  // How much its session used is known only where there was one call.
  const session = receipt.attempts === 1 ? sessionAfter(receipt, { cwd, before: null }) : null;
  const again = { ...ask, seat: agent.name, prompt: await question.promptFor(agent) };
  const resume = resumeIn({ cwd, agent, session });
  const resumed = await askAgent({ ...again, attempt: '', resume });
  const isLost = resumed.ended === 'failed' && resumed.failure.category === 'session-lost';
  if (!isLost) return resumed;
  const prompt = await question.promptFor(agent);
  return await askAgent({ ...again, attempt: 'retry', prompt });
}

/** The start of the note about a run that read in our folder. */
const readNote = 'read ';
const mostNamed = 3;

/** The session files that an event shows to be read, because it names them or a search found them. */
function sessionFilesIn(event: AgentEvent): readonly string[] {
  const { type } = event;
  const read =
    type === 'file_read' || type === 'command' ? event : type === 'tool_call' && event.output;
  return JSON.stringify(read || '').match(sessionFile) ?? [];
}

// A backslash ends the path, because JSON writes a line end with one.
const sessionFile = /\.workflow\/\.multi-cli-plan\/MCP-[^\s:'"\\]+/g;

/** The files that changed during the call, split into proven and unproven changes of the agent. */
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
  const paths = Texts;
  const common = { receipt: Receipt, tree: paths, wrote: paths.optional() };
  return z.union([
    z.object({ ended: z.literal('answered'), value: answer, ...common }),
    z.object({
      ended: z.literal('invalid'),
      text: Text,
      errors: Texts,
      hasContent: Flag,
      failure: AgentFailure,
      ...common,
    }),
    z.object({ ended: z.literal('failed'), failure: AgentFailure, ...common }),
  ]);
}

/** Describes the call; events and limits refer to it as `run`. */
function callOf<T>(
  ask: AskOne<T>,
  run: Readonly<Record<'agent' | 'seat' | 'step', string>>,
  { step, read }: { readonly step: RunningStep; readonly read: Set<string> },
): AgentCall<T> {
  const { tools, question, agent, seat, attempt } = ask;
  // The files of an earlier run of the same step are kept next to the new ones.
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
    mark: markWith(tools.markPrefix),
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
  // A second try starts its own session.
  const resume = attempt === '' ? resumeIn({ cwd, agent, session }) : null;
  return {
    prompt,
    about:
      context === null ? null : { session: tools.folder.id, round, task, constraints, context },
    permission: work?.permission ?? 'read-only',
    ...(work !== undefined && { denied: work.denied }),
    role: work === undefined && question.call.prompt !== 'compare' ? tools.role : null,
    machine: machineForCall(tools.phases, question.call.prompt),
    schema: schema === null ? null : tools.schemas.asked(schema),
    ...modelOfCall(tools, question.call.prompt, agent.name),
    resume: ask.resume ?? resume,
  };
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
