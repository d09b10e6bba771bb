import { randomBytes } from 'node:crypto';
import { fusedPaths } from '../context/fusion.ts';
import { surroundings } from '../context/package/surroundings.ts';
import { CodebaseContext, type RelevantFile, type Reranking } from '../model/context.ts';
import { RerankAnswer } from '../model/proposal.ts';
import { oneLine } from '../model/wording.ts';
import { rerankPrompt } from '../prompts/rerank.ts';
import { askAgent, type Attempt } from './asking/ask-agent.ts';
import type { Question } from './asking/question.ts';
import { readyModel } from './asking/ask-seat.ts';
import { type Tools, promptLimit } from './tools.ts';

/** How many of the found files an agent is offered. */
export const mostOffered = 20;
/** An order that takes longer is not worth waiting for. In ms. */
const longest = 120_000;

/** The first of some agents that has a model and is ready now. */
export async function reranker(
  names: readonly string[],
  { agents }: Pick<Tools, 'agents'>,
  signal: AbortSignal,
): Promise<Reranking> {
  const name = await readyModel(names, agents, signal);
  return name === null
    ? { agent: null, state: 'skipped', note: 'no agent is ready' }
    : { agent: name, state: 'due', note: '' };
}

/**
 * Asks an agent once for the order of the best found files and fuses it with the order of the
 * search; a recorded step. Where it fails or answers nothing of use, the order stays as it is.
 */
export async function rerank(
  context: CodebaseContext,
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const name = context.reranking?.agent ?? null;
  const agent = name === null ? undefined : tools.agents.get(name);
  const attempt =
    agent === undefined
      ? null
      : await askAgent({
          tools: { ...tools, limits: withinTime(tools.limits) },
          question: questionOf(context, tools),
          agent,
          seat: agent.name,
          attempt: '',
          prompt: await questionOf(context, tools).promptFor(agent.name),
          signal,
        });
  const { value } = await tools.steps.run(
    {
      key: 'context/rerank',
      group: 'context',
      kind: 'calculation',
      input: { agent: name },
      shape: CodebaseContext,
      signal,
    },
    async () => {
      const fused = fusedContext(context, attempt);
      const files = fused.relevant_files.slice(0, tools.search.maxFiles);
      const around = await surroundings(files, tools.repository);
      const ordered = { ...fused, relevant_files: files, ...around };
      await tools.folder.writeJson('codebase-context.json', ordered);
      return ordered;
    },
  );
  return value;
}

function withinTime(limits: Tools['limits']): Tools['limits'] {
  const totalMs = Math.min(limits.totalMs, longest);
  return { ...limits, totalMs, firstOutputMs: Math.min(limits.firstOutputMs, longest) };
}

function questionOf(context: CodebaseContext, tools: Tools): Question<RerankAnswer> {
  const files = context.relevant_files.slice(0, mostOffered);
  const task = context.task_description;
  return {
    group: 'context',
    name: 'rerank',
    phase: 'rerank',
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
        session: tools.folder.id,
        round: 0,
        schema: tools.schemas.schema('rerank-answer'),
        nonce: randomBytes(8).toString('hex'),
        maxBytes: promptLimit(tools, agent),
        task,
        files,
      }),
  };
}

/** The context in its new order; the same order with a note where the attempt came to nothing. */
function fusedContext(
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
  if (order === null) return skipped(`${agent} named none of the offered files`);
  return {
    ...context,
    relevant_files: [...order],
    reranking: { agent, state: 'counted', note: '' },
  };
}

/**
 * By reciprocal rank in both orders; of two that are equal, the agent’s comes first, and what it
 * left out comes after what it named as last. Paths that were not offered do not count. Null where
 * none is left.
 */
export function reorder(
  files: readonly RelevantFile[],
  answer: Pick<RerankAnswer, 'files'>,
): readonly RelevantFile[] | null {
  const offered = new Map(files.slice(0, mostOffered).map((file) => [file.path, file]));
  const reasons = new Map(
    answer.files
      .filter(({ path }) => offered.has(path))
      .toReversed()
      .map(({ path, reason }) => [path, oneLine(reason)]),
  );
  if (reasons.size === 0) return null;
  const named = [...new Set(answer.files.map(({ path }) => path))].filter((path) =>
    offered.has(path),
  );
  const unnamed = [...offered.keys()].filter((path) => !reasons.has(path));
  const ordered = fusedPaths([[...named, ...unnamed], [...offered.keys()]]);
  const top = Math.max(...files.map(({ score }) => score));
  const best = ordered[0]?.score ?? 1;
  const first = ordered.flatMap(({ path, score }) => {
    const file = offered.get(path);
    if (file === undefined) return [];
    const reason = reasons.get(path) ?? '';
    const why = reason === '' ? file.reasons : [...file.reasons, `an agent says: ${reason}`];
    return [{ ...file, score: (top * score) / best, reasons: [...why] }];
  });
  const least = first.at(-1)?.score ?? 0;
  const rest = files
    .slice(mostOffered)
    .map((file) => ({ ...file, score: Math.min(file.score, least) }));
  return [...first, ...rest];
}
