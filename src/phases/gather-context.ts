// Runs phase 1: finds and records the code that the task is about, and has an agent put it in order.
import type { Attempt } from '../agents/attempt.ts';
import { surroundings } from '../context/package/surroundings.ts';
import {
  CodebaseContext,
  type ProjectFact,
  type RelevantFile,
  type Reranking,
} from '../model/context.ts';
import { withoutInvisible } from '../model/invisible.ts';
import { RerankAnswer } from '../model/proposal.ts';
import { oneLine } from '../model/wording.ts';
import { rerankPrompt } from '../prompts/context-text.ts';
import { askOnce } from './asking/ask-agent.ts';
import type { Question } from './asking/question.ts';
import { findReadyModel } from './asking/ask-seat.ts';
import { findCode, tellFalls, tellNotes } from './find-code.ts';
import { type Tools, promptInput, recordStep } from './phase-tools.ts';
import { steps } from '../model/steps.ts';

/** The agents that may put the found files in order, best first; null where nobody is to be asked. */
export type Rerankers = readonly string[] | null;

/** Phase 1: finds the code that the task is about and writes `codebase-context.json`. */
export async function gatherContext(
  { task, rerankers }: { readonly task: string; readonly rerankers: Rerankers },
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const { value } = await tools.steps.run(
    { ...steps.context.search, input: { task }, shape: CodebaseContext, signal },
    async () => {
      const context = await firstContext({ task, rerankers }, tools, signal);
      await tools.folder.writeJson('codebase-context.json', context);
      return context;
    },
  );
  announce(value, tools);
  // Recorded with the search, so that a resumed session goes the way it went.
  if (value.reranking === null) return value;
  const ordered = value.reranking.state === 'due' ? await rerank(value, tools, signal) : value;
  announceOrder(ordered, tools);
  return ordered;
}

async function firstContext(
  { task, rerankers }: { readonly task: string; readonly rerankers: Rerankers },
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const reranking = rerankers === null ? null : await reranker(rerankers, tools, signal);
  const { maxFiles } = tools.search;
  const most = reranking?.state === 'due' ? Math.max(maxFiles, mostOffered) : maxFiles;
  const search = { ...tools, search: { ...tools.search, maxFiles: most } };
  const found = await findCode(task, search, signal);
  return {
    session_id: tools.folder.id,
    task_description: task,
    ...found,
    project_facts: [...factsToTell(tools), ...found.project_facts],
    reranking,
    base: tools.repository.base,
  };
}

function factsToTell({ search: { facts = [] } }: Tools): readonly ProjectFact[] {
  return facts.map((fact) => ({ ...fact, text: withoutInvisible(fact.text).text }));
}

function announce(context: CodebaseContext, tools: Tools): void {
  const { degraded, falls, notes } = context;
  tellFalls(falls, tools.emit);
  if (!degraded) tellNotes(notes, tools.emit);
  const reasons = [...falls.map(({ provider, reason }) => `${provider}: ${reason}`), ...notes];
  tools.emit({
    type: 'context.gathered',
    provider: context.provider,
    degraded,
    files: places(context),
    reason: degraded ? reasons.join('; ') : null,
  });
}

function announceOrder(context: CodebaseContext, tools: Tools): void {
  const { agent, state, note } = context.reranking ?? { agent: null, state: 'skipped', note: '' };
  tools.emit({
    type: 'context.reranked',
    agent,
    files: places(context),
    note: state === 'counted' ? null : note,
  });
}

function places({ relevant_files: files }: CodebaseContext): string[] {
  return files.map(({ path, start, end }) => `${path}:${start}-${end}`);
}

/** An agent is offered so many of the found files. */
const mostOffered = 20;
/** An order that takes longer is not worth waiting for. In ms. */
const longest = 120_000;

/** The first of some agents that has a model and is ready now. */
async function reranker(
  names: readonly string[],
  { agents }: Pick<Tools, 'agents'>,
  signal: AbortSignal,
): Promise<Reranking> {
  const name = await findReadyModel(names, agents, signal);
  return name === null
    ? { agent: null, state: 'skipped', note: 'no agent is ready' }
    : { agent: name, state: 'due', note: '' };
}

/**
 * Asks an agent once for the order of the best found files; a recorded step. Where it fails or
 * answers nothing of use, the order of the search stays.
 */
async function rerank(
  context: CodebaseContext,
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const name = context.reranking?.agent ?? null;
  const agent = name === null ? undefined : tools.agents.get(name);
  const question = questionOf(context, tools);
  const attempt =
    agent === undefined ? null : await askOnce({ tools, question, agent, mostMs: longest, signal });
  const step = { tools, signal, step: steps.context.order, input: { agent: name } };
  return recordStep({ ...step, shape: CodebaseContext }, async () => {
    const inOrder = orderedContext(context, attempt);
    const files = inOrder.relevant_files.slice(0, tools.search.maxFiles);
    const around = await surroundings(files, context.keywords, tools.repository);
    const ordered = { ...inOrder, relevant_files: files, ...around };
    await tools.folder.writeJson('codebase-context.json', ordered);
    return ordered;
  });
}

function questionOf(context: CodebaseContext, tools: Tools): Question<RerankAnswer> {
  const files = context.relevant_files.slice(0, mostOffered);
  const task = context.task_description;
  return {
    call: steps.context.rerank,
    round: 0,
    folderFor: (agent) => `context/rerank/${agent}`,
    meaning: { task, files: files.map(({ path }) => path) },
    task,
    context,
    constraints: [],
    schema: 'rerank-answer',
    shape: RerankAnswer,
    expected: { session: tools.folder.id, phase: 'context' },
    summaryOf: (answer) => answer.files.map(({ path }) => path).join(', '),
    promptFor: async (agent) =>
      rerankPrompt({
        ...promptInput(tools, agent, { round: 0, schema: 'rerank-answer' }),
        task,
        files,
      }),
  };
}

/** The context in its new order; the same order with a note where the attempt came to nothing. */
function orderedContext(
  context: CodebaseContext,
  attempt: Attempt<RerankAnswer> | null,
): CodebaseContext {
  const skipped = (note: string): CodebaseContext => ({
    ...context,
    reranking: { agent: context.reranking?.agent ?? null, state: 'skipped', note },
  });
  if (attempt === null) return skipped(context.reranking?.note || 'the agent is gone');
  const { agent } = attempt.receipt;
  if (attempt.ended !== 'answered') return skipped(`${agent} failed: ${attempt.failure.detail}`);
  const order = reorder(context.relevant_files, attempt.value);
  if (order === null) return skipped(`${agent} named none of the files it was offered`);
  return {
    ...context,
    relevant_files: [...order],
    reranking: { agent, state: 'counted', note: '' },
  };
}

/**
 * First what the agent named, in its order and with its reasons, then the others as they were; the
 * scores stay with the places. Paths that were not offered do not count. Null where none is left.
 */
export function reorder(
  files: readonly RelevantFile[],
  answer: Pick<RerankAnswer, 'files'>,
): readonly RelevantFile[] | null {
  const offered = new Map(files.slice(0, mostOffered).map((file) => [file.path, file]));
  const named = new Map<string, RelevantFile>();
  for (const { path, reason } of answer.files) {
    const file = offered.get(path);
    if (file === undefined || named.has(path)) continue;
    const said = reason.trim() === '' ? [] : [`an agent says: ${oneLine(reason)}`];
    named.set(path, { ...file, reasons: [...file.reasons, ...said] });
  }
  if (named.size === 0) return null;
  const scores = files.map(({ score }) => score).toSorted((a, b) => b - a);
  return [...named.values(), ...files.filter(({ path }) => !named.has(path))].map(
    (file, place) => ({ ...file, score: scores[place] ?? 0 }),
  );
}
