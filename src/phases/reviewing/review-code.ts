// Chooses reviewers, has an agent review the changes of an execution, and writes the review.
import { z } from 'zod';
import type { CodeReviewTool } from '../../model/decision.ts';
import { CodeReview, ReviewAnswer, type TaskOutcome } from '../../model/execution.ts';
import { agentOfReview } from '../../model/team.ts';
import { type PhaseChoices, choiceFor } from '../../model/phase-choice.ts';
import { counted, oneLine } from '../../model/wording.ts';
import { type ReviewRequest, reviewPrompt } from '../../prompts/review-prompt.ts';
import { askSeat, findReadyModels, type SeatAnswer } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { type Tools, promptInput, recordStep } from '../phase-tools.ts';
import { checkAnswer, type ReviewedChange } from './check-answer.ts';
import { criterionText, locateFinding, reviewMarkdown } from './review-text.ts';
import { steps } from '../../model/steps.ts';

/** The reviewed change, and the agents that may be asked. */
export interface ReviewInput
  extends ReviewedChange, Pick<ReviewRequest, 'request' | 'package' | 'outcomes'> {
  /** The number of the execution, from 1. */
  readonly number: number;
  /** True for the second review, after the findings were fixed. */
  readonly isAgain: boolean;
  /** The agents that may be asked, in order. */
  readonly reviewers: readonly string[];
  /** The agent that the user named; null if none was named. */
  readonly wanted: string | null;
  /** The reviewed commit. */
  readonly commit: string;
  /** The absolute path of the work tree that is reviewed. */
  readonly cwd: string;
  /** Checks the commit out in `cwd`. */
  prepare(): Promise<unknown>;
}

/**
 * Has an agent review what an execution changed, checks what it cites, and writes `code-review.json` and
 * `code-review.md`. Null if no agent could review it.
 */
export async function reviewCode(
  input: ReviewInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<CodeReview | null> {
  const question = questionOf(input, tools);
  const { answer, failed } = await askSeat({ tools, question, names: input.reviewers, signal });
  if (answer === null && failed.length === 0) return null;
  if (answer === null) {
    const whys = failed.map(({ failure }) => `${failure.agent}: ${failure.detail}`).join('; ');
    tools.emit({ type: 'warning.raised', text: `Nobody could review the changes (${whys}).` });
    return null;
  }
  const { commit, number, isAgain } = input;
  const own = steps.codeReview(number);
  const step = { tools, signal, step: isAgain ? own.again : own.result, input: { commit } };
  const review = await recordStep({ ...step, shape: CodeReview }, async () => {
    const made = await reviewOf(input, answer);
    await writeReview(made, input, tools);
    return made;
  });
  tools.emit({
    type: 'review.finished',
    reviewer: review.reviewer,
    blocking: review.blocking,
    findings: review.findings.map(findingText),
    unmet: review.criteria.filter(({ verdict }) => verdict === 'not-met').map(criterionText),
    file: `${tools.folder.relative}/code-review.md`,
  });
  return review;
}

function findingText(finding: CodeReview['findings'][number]): string {
  const { severity, problem, reference } = finding;
  const mark = reference === 'failed' ? ' (not found there, so it blocks nothing)' : '';
  return `${severity}, ${locateFinding(finding)}${mark}: ${oneLine(problem)}`;
}

/** Writes a review into the session folder; writes it again after its findings were fixed. */
export async function writeReview(
  review: CodeReview,
  { tasks }: Pick<ReviewInput, 'tasks'>,
  { folder }: Pick<Tools, 'folder'>,
  name = 'code-review',
): Promise<void> {
  await folder.write(`${name}.md`, reviewMarkdown(review, tasks, folder.id));
  await folder.writeJson(`${name}.json`, review);
}

async function reviewOf(
  input: ReviewInput,
  { agent, receipt, value }: SeatAnswer<ReviewAnswer>,
): Promise<CodeReview> {
  const { commit, wanted } = input;
  const checked = await checkAnswer(value, input);
  const isOther = wanted !== null && wanted !== agent.name;
  return {
    reviewer: agent.name,
    ...(isOther ? { instead_of: wanted } : {}),
    model: receipt.model,
    commit,
    ...checked,
    fixed: false,
  };
}

// Codex has its own review command, which runs headless but ignores the schema, uses one without criteria and
// quotes, and counts no tokens. So it is asked like the other agents.
function questionOf(input: ReviewInput, tools: Tools): Question<ReviewAnswer> {
  const { number, commit, request, cwd, isAgain } = input;
  const own = steps.codeReview(number);
  return {
    call: isAgain ? own.askAgain : own.ask,
    round: number,
    folderFor: (agent) => `review/${number}/${agent}${isAgain ? '-again' : ''}`,
    meaning: { commit },
    task: request.task,
    context: null,
    constraints: request.constraints,
    schema: 'review-answer',
    shape: ReviewAnswer,
    expected: { session: tools.folder.id, phase: 'code-review' },
    summaryOf: ({ findings }) =>
      findings.length === 0 ? 'no problems found' : counted(findings.length, 'finding'),
    promptFor: async (agent) =>
      reviewPrompt({
        ...input,
        ...promptInput(tools, agent, { round: number, schema: 'review-answer' }),
      }),
    work: {
      permission: 'read-only',
      denied: [],
      limits: tools.limits,
      session: null,
      workspace: {
        cwd,
        extraDirs: [],
        hidden: tools.hidden,
        async prepare() {
          await input.prepare();
          return null;
        },
      },
    },
  };
}

interface Choice {
  readonly tool: CodeReviewTool;
  /** The default agent, if there is one, then the participants, then the other agents that may be asked. */
  readonly names: readonly string[];
  readonly outcomes: readonly Pick<TaskOutcome, 'executor'>[];
}

/** Names the agents that may be asked for a review, in order; none if it is skipped. A recorded step. */
export async function chooseReviewers(
  choice: Choice & {
    /** The number of the execution. */
    readonly number: number;
    readonly isAgain: boolean;
  },
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const vendorOf = (name: string) => tools.agents.get(name)?.vendorOf(tools.modelFor(name)) ?? null;
  const own = steps.codeReview(choice.number);
  const step = choice.isAgain ? own.reviewersAgain : own.reviewers;
  return recordStep({ tools, signal, step, shape: z.array(z.string()) }, () =>
    findReadyModels(
      reviewersFor({
        ...choice,
        vendorOf,
        phases: tools.phases,
      }),
      tools.agents,
      signal,
    ),
  );
}

/** The agent that the user named for the review or in the settings; null if none was named. */
export function wantedReviewer(tool: CodeReviewTool, phases: PhaseChoices): string | null {
  return tool === 'Skip' ? null : (agentOfReview(tool) ?? choiceFor(phases, 'code-review').agent);
}

/**
 * Names the agents that may review, in order: the one that the user named, then those of a vendor that executed
 * no task, then those that executed none themselves, then the rest. An unknown vendor does not count as another
 * one.
 */
export function reviewersFor({
  tool,
  names,
  outcomes,
  vendorOf,
  phases = {},
}: Choice & {
  /** The vendor of an agent; null if unknown. */
  readonly vendorOf: (name: string) => string | null;
  /** The choices that name an agent if the review itself names none. */
  readonly phases?: PhaseChoices;
}): readonly string[] {
  if (tool === 'Skip') return [];
  const wanted = wantedReviewer(tool, phases);
  const first = wanted === null ? [] : [wanted];
  const executors = new Set(outcomes.flatMap(({ executor }) => executor ?? []));
  const authors = new Set([...executors].map(vendorOf));
  const isOther = (name: string) =>
    authors.size > 0 &&
    !authors.has(null) &&
    vendorOf(name) !== null &&
    !authors.has(vendorOf(name));
  const isNew = (name: string) => !executors.has(name);
  return [...new Set([...first, ...names.filter(isOther), ...names.filter(isNew), ...names])];
}
