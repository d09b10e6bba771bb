// Has another agent review what an execution changed, has what blocks fixed once, and completes the result.
import { z } from 'zod';
import { textOf } from '../../git/disk.ts';
import type { CodeReviewTool } from '../../model/decision.ts';
import { CodeReview, type ExecutionResult, ReviewAnswer } from '../../model/execution.ts';
import { checksAfter } from '../../model/execution-summary.ts';
import type { Call } from '../../model/step.ts';
import { type RequestPhase, steps } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { counted, distinct, oneLine } from '../../model/wording.ts';
import { reviewPrompt } from '../../prompts/review-prompt.ts';
import { askSeat, findReadyModels, tellStandIn } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import type { Job } from '../execution/execution-team.ts';
import { watchHome } from '../execution/home-watch.ts';
import { fixJoined, resultTree } from '../execution/joined-checks.ts';
import { listOwned } from '../execution/record-checks.ts';
import { publishWork, withSummary, writeResult } from '../execution/result.ts';
import { tellOutcome } from '../execution/task-files.ts';
import { promptInput, recordStep, type Tools } from '../phase-tools.ts';
import { blocks, checkAnswer, isReview, objectionsIn, withVerdicts } from './check-answer.ts';
import { doersOf, reviewersFor, wantedReviewer } from './choose-reviewer.ts';
import { criterionText, locateFinding, reviewMarkdown } from './review-text.ts';

interface ExecutionToReview extends Job {
  readonly tasks: readonly Task[];
  readonly result: ExecutionResult;
  /** The reviewer that the user chose. */
  readonly tool: CodeReviewTool;
  /** The default agent, if there is one, then the participants, then the other agents that may be asked. */
  readonly names: readonly string[];
}

/** An execution after its review. */
export interface ReviewedExecution {
  /** Names its reviewer, unless nobody reviewed exactly this result. */
  readonly result: ExecutionResult;
  /** The last review; null if nobody made one. */
  readonly review: CodeReview | null;
}

/** Reviews an execution; what blocks is fixed once, and then the whole is reviewed again. */
export async function reviewExecution(carriedOut: ExecutionToReview): Promise<ReviewedExecution> {
  const watched = watchHome(carriedOut.tools);
  const execution = { ...carriedOut, tools: watched.tools };
  const { tools, trees, tasks, result } = execution;
  const { rechecks } = tools.execution.settings;
  const first = await review(execution, result.commit);
  const fix = first === null ? null : await fixFindings(execution, first);
  let last = first;
  if (first !== null && fix !== null) {
    // The earlier findings are kept next to those of the second review.
    await writeReview(first, execution, 'code-review-before-fix');
    const second = await review(execution, fix.commit, fix.by);
    last = second === null ? null : { ...second, fixed: true, again: true };
  }
  await trees.reclaim([resultTree]);
  const kept = last ?? (first === null ? null : { ...first, fixed: true });
  if (kept !== null) await writeReview(kept, execution);
  const now = last === null ? result.tasks : withVerdicts(last, result.tasks, { tasks, rechecks });
  for (const [at, outcome] of now.entries()) {
    if (outcome.status !== result.tasks[at]?.status) await tellOutcome(tools, outcome);
  }
  const nobody = `no agent gave a usable review${fix === null ? '' : ' after its findings were fixed'}`;
  const home = [...(result.home_changes ?? []), ...watched.changes()];
  const after = withSummary({
    ...result,
    ...(fix !== null && (await publishWork(execution, result, fix.commit))),
    tasks: now,
    home_changes: home.length === 0 ? undefined : home,
    reviewed_by: last?.reviewer,
    objections: last === null ? [nobody] : objectionsIn(last),
  });
  await writeResult(tools, after);
  return { result: after, review: kept };
}

/**
 * Asks one reviewer after the other until one makes a review of a commit, checks what it cites, and tells it. Null,
 * with a warning that says why, if nobody made one. After a fix, who made it counts as one who did the work.
 */
async function review(
  execution: ExecutionToReview,
  commit: string,
  fixer: string | null = null,
): Promise<CodeReview | null> {
  const { tools, trees, number, result, tool, signal } = execution;
  const own = steps.codeReview(number);
  const [choose, call, end] =
    fixer === null
      ? [own.reviewers, own.ask, own.result]
      : [own.reviewersAgain, own.askAgain, own.again];
  const outcomes = [...result.tasks, ...(fixer === null ? [] : [{ executor: fixer }])];
  const { agents, phases } = tools;
  const reviewers = await recordStep(
    { ...execution, step: choose, shape: z.array(z.string()) },
    () => {
      const vendorOf = (name: string) => agents.get(name)?.vendorOf(tools.modelFor(name)) ?? null;
      const names = reviewersFor({ ...execution, outcomes, vendorOf, phases });
      return findReadyModels(names, agents, signal);
    },
  );
  const wanted = wantedReviewer(tool, phases);
  const doers = doersOf(outcomes);
  const isDoer = wanted !== null && doers.has(wanted) && !reviewers.includes(wanted);
  const reason = isDoer ? `${wanted} did the work itself` : undefined;
  tellStandIn(tools, { phase: 'code-review', wanted, agent: reviewers[0], reason });
  const whys = reviewers.length > 0 ? [] : [`nobody but ${[...doers].join(', ')} is ready`];
  const diff = await trees.diff(result.start, { commit });
  const question = questionOf(execution, call, { commit, diff });
  for (let names = reviewers; names.length > 0;) {
    const { answer, failed } = await askSeat({ tools, question, names, signal });
    whys.push(...failed.map(({ failure }) => `${failure.agent}: ${failure.detail}`));
    if (answer === null) break;
    const { name } = answer.agent;
    const checked = {
      reviewer: name,
      ...(wanted !== null && wanted !== name && { instead_of: wanted }),
      model: answer.receipt.model,
      commit,
      ...(await checkAnswer(answer.value, {
        ...execution,
        diff,
        own: result.tasks.flatMap(({ executor, task }) => (executor === name ? task : [])),
        async readAt(path) {
          const content = await trees.read(commit, path);
          return content === null ? null : textOf(content);
        },
      })),
      fixed: false,
    };
    if (isReview(checked)) {
      const step = { ...execution, step: end, input: { commit }, shape: CodeReview };
      const made = await recordStep(step, async () => {
        await writeReview(checked, execution);
        return checked;
      });
      tellReview(made, tools);
      return made;
    }
    whys.push(`${name} judged no criterion by a quote that is there, which is no review`);
    names = names.slice(names.indexOf(name) + 1);
  }
  tools.emit({ type: 'warning.raised', text: `Nobody reviewed the changes: ${whys.join('; ')}.` });
  return null;
}

// Codex has its own review command, which runs headless but ignores the schema, uses one without criteria and
// quotes, and counts no tokens. So it is asked like the other agents.
function questionOf(
  execution: ExecutionToReview,
  call: Call<RequestPhase>,
  { commit, diff }: { readonly commit: string; readonly diff: string },
): Question<ReviewAnswer> {
  const { tools, trees, number, request, result } = execution;
  const schema = 'review-answer';
  const folder = `review/${number}`;
  return {
    call,
    round: number,
    folderFor: (agent) => `${folder}/${agent}${call.again === null ? '' : '-again'}`,
    meaning: { commit },
    task: request.task,
    context: null,
    constraints: request.constraints,
    schema,
    shape: ReviewAnswer,
    expected: { session: tools.folder.id, phase: 'code-review' },
    summaryOf: ({ findings }) =>
      findings.length === 0 ? 'no problems found' : counted(findings.length, 'finding'),
    promptFor: async (agent) =>
      reviewPrompt({
        ...execution,
        diff,
        outcomes: result.tasks,
        ...promptInput(tools, agent, { round: number, schema }),
      }),
    work: {
      permission: 'read-only',
      denied: [],
      limits: tools.limits,
      session: null,
      workspace: {
        cwd: trees.path(resultTree),
        extraDirs: [],
        hidden: tools.hidden,
        async prepare() {
          await trees.make(resultTree, [commit]);
          return null;
        },
      },
    },
  };
}

function tellReview(made: CodeReview, { emit, folder }: Tools): void {
  emit({
    type: 'review.finished',
    reviewer: made.reviewer,
    blocking: made.blocking,
    findings: made.findings.map(findingText),
    unmet: made.criteria.filter(({ verdict }) => verdict === 'not-met').map(criterionText),
    file: `${folder.relative}/code-review.md`,
  });
}

function findingText(finding: CodeReview['findings'][number]): string {
  const { severity, problem, reference } = finding;
  const mark = reference === 'failed' ? ' (not found there, so it blocks nothing)' : '';
  return `${severity}, ${locateFinding(finding)}${mark}: ${oneLine(problem)}`;
}

/** Writes a review into the session folder, for programs and for people. */
async function writeReview(
  made: CodeReview,
  { tasks, tools: { folder } }: ExecutionToReview,
  name = 'code-review',
): Promise<void> {
  await folder.write(`${name}.md`, reviewMarkdown(made, tasks, folder.id));
  await folder.writeJson(`${name}.json`, made);
}

/**
 * Has an agent other than the reviewer fix what speaks against merging, once. Null if there is nothing to fix, no
 * agent could, nothing was changed, or a check that passed before is not green again.
 */
async function fixFindings(execution: ExecutionToReview, made: CodeReview) {
  if (objectionsIn(made).length === 0) return null;
  const { number, tasks, names, result } = execution;
  const { start, commit } = result;
  const own = steps.codeReview(number);
  const unmet = made.criteria.filter(({ verdict }) => verdict === 'not-met');
  const before = result.tasks.flatMap(({ checks }) => checksAfter(checks));
  return await fixJoined(
    { ...execution, start, commit },
    {
      call: own.fix,
      // A reviewer that fixed the work could not review it again.
      names: distinct([...doersOf(result.tasks), ...names]).filter(
        (name) => name !== made.reviewer,
      ),
      folder: `review/${number}/fix`,
      of: 'review',
      tasks,
      problems: [...made.findings.filter(blocks).map(fixText), ...unmet.map(criterionText)],
      title: 'Fix what the code review found',
      isWhole: true,
      check: { step: own.after, checks: listOwned(tasks, () => true), round: 2 },
      isGreen: (runs) =>
        before.every(
          ({ check, passed }) =>
            passed !== true || runs.some((run) => run.check === check && run.passed === true),
        ),
    },
  );
}

function fixText(finding: CodeReview['findings'][number]): string {
  return `${locateFinding(finding)}: ${finding.problem} Suggestion: ${finding.suggestion}`;
}
