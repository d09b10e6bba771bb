// Has another agent review what an execution changed, has what blocks fixed once, and completes the result.
import { z } from 'zod';
import { textOf } from '../../git/disk.ts';
import { commitSubject } from '../../model/commit-style.ts';
import type { CodeReviewTool } from '../../model/decision.ts';
import { CodeReview, type ExecutionResult, ReviewAnswer } from '../../model/execution.ts';
import { checksAfter } from '../../model/execution-summary.ts';
import { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { counted, oneLine } from '../../model/wording.ts';
import { fixPrompt } from '../../prompts/execute-prompt.ts';
import { reviewPrompt } from '../../prompts/review-prompt.ts';
import { askSeat, findReadyModels, type SeatAnswer, tellStandIn } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { commandsOf } from '../execution/checks.ts';
import type { Job } from '../execution/execution-team.ts';
import { watchHome } from '../execution/home-watch.ts';
import { resultTree } from '../execution/join-work.ts';
import { NotSetUp } from '../execution/run-command.ts';
import { recordChecks } from '../execution/record-checks.ts';
import { resultAfter } from '../execution/result.ts';
import { type TaskTree, taskTree } from '../execution/task-tree.ts';
import { whyLeft, workQuestion } from '../execution/work-question.ts';
import { promptBasics, promptInput, recordStep, type Tools } from '../phase-tools.ts';
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
  const first = await review(execution, { commit: result.commit, fixer: null });
  const fix = first === null ? null : await fixFindings(execution, first);
  let last = first;
  if (first !== null && fix !== null) {
    // The earlier findings are kept next to those of the second review.
    await writeReview(first, { tasks, tools, name: 'code-review-before-fix' });
    const second = await review(execution, { commit: fix.commit, fixer: fix.by });
    last = second === null ? null : { ...second, fixed: true, again: true };
  }
  await trees.reclaim([resultTree]);
  const kept = last ?? (first === null ? null : { ...first, fixed: true });
  if (kept !== null) await writeReview(kept, { tasks, tools });
  const after = await resultAfter(execution, {
    result,
    fixed: fix?.commit ?? null,
    outcomes: last === null ? result.tasks : withVerdicts(last, result.tasks, { tasks, rechecks }),
    home: watched.changes(),
    reviewed_by: last === null ? undefined : last.reviewer,
    objections:
      last === null
        ? [
            fix === null
              ? 'no reviewer answered'
              : 'no reviewer answered after its findings were fixed',
          ]
        : objectionsIn(last),
  });
  return { result: after, review: kept };
}

interface Reviewing {
  /** The reviewed commit. */
  readonly commit: string;
  /** The agent that fixed the findings of the first review; null for the first review. */
  readonly fixer: string | null;
}

/**
 * Asks one reviewer after the other until one makes a review, checks what it cites, and tells it. Null, with a
 * warning that says why, if nobody made one.
 */
async function review(
  execution: ExecutionToReview,
  { commit, fixer }: Reviewing,
): Promise<CodeReview | null> {
  const { tools, trees, number, result, tool, signal } = execution;
  const own = steps.codeReview(number);
  const outcomes = [...result.tasks, ...(fixer === null ? [] : [{ executor: fixer }])];
  const wanted = wantedReviewer(tool, tools.phases);
  const reviewers = await chooseReviewers(execution, { outcomes, isAgain: fixer !== null });
  const doers = doersOf(outcomes);
  const isDoer = wanted !== null && doers.has(wanted) && !reviewers.includes(wanted);
  const reason = isDoer ? `${wanted} did the work itself` : undefined;
  tellStandIn(tools, { phase: 'code-review', wanted, agent: reviewers[0], reason });
  const whys = reviewers.length > 0 ? [] : [`nobody but ${[...doers].join(', ')} is ready`];
  const diff = await trees.diff(result.start, { commit });
  const question = questionOf(execution, { commit, diff, isAgain: fixer !== null });
  for (let names = reviewers; names.length > 0;) {
    const { answer, failed } = await askSeat({ tools, question, names, signal });
    whys.push(...failed.map(({ failure }) => `${failure.agent}: ${failure.detail}`));
    if (answer === null) break;
    const { name } = answer.agent;
    const step = { tools, signal, step: fixer === null ? own.result : own.again };
    const checked = await checkedReview(execution, { commit, diff, wanted, answer });
    if (isReview(checked)) {
      const made = await recordStep({ ...step, input: { commit }, shape: CodeReview }, async () => {
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

/** Names the agents that may be asked for a review and are ready, in order. A recorded step. */
function chooseReviewers(
  { tool, names, tools, number, signal }: ExecutionToReview,
  given: {
    readonly outcomes: readonly { readonly executor: string | null }[];
    readonly isAgain: boolean;
  },
): Promise<readonly string[]> {
  const { agents, phases } = tools;
  const own = steps.codeReview(number);
  const step = given.isAgain ? own.reviewersAgain : own.reviewers;
  const vendorOf = (name: string) => agents.get(name)?.vendorOf(tools.modelFor(name)) ?? null;
  const choice = { tool, names, outcomes: given.outcomes, vendorOf, phases };
  return recordStep({ tools, signal, step, shape: z.array(z.string()) }, () =>
    findReadyModels(reviewersFor(choice), agents, signal),
  );
}

interface Asked {
  readonly commit: string;
  readonly diff: string;
}

async function checkedReview(
  { tasks, trees, result }: ExecutionToReview,
  {
    commit,
    diff,
    wanted,
    answer: { agent, receipt, value },
  }: Asked & { readonly wanted: string | null; readonly answer: SeatAnswer<ReviewAnswer> },
): Promise<CodeReview> {
  const own = result.tasks.flatMap((one) => (one.executor === agent.name ? one.task : []));
  const readAt = async (path: string) => {
    const content = await trees.read(commit, path);
    return content === null ? null : textOf(content);
  };
  return {
    reviewer: agent.name,
    ...(wanted === null || wanted === agent.name ? {} : { instead_of: wanted }),
    model: receipt.model,
    commit,
    ...(await checkAnswer(value, { tasks, diff, own, readAt })),
    fixed: false,
  };
}

// Codex has its own review command, which runs headless but ignores the schema, uses one without criteria and
// quotes, and counts no tokens. So it is asked like the other agents.
function questionOf(
  execution: ExecutionToReview,
  { commit, diff, isAgain }: Asked & { readonly isAgain: boolean },
): Question<ReviewAnswer> {
  const { tools, trees, number, request, result } = execution;
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
        ...execution,
        diff,
        outcomes: result.tasks,
        ...promptInput(tools, agent, { round: number, schema: 'review-answer' }),
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
  {
    tasks,
    tools: { folder },
    name = 'code-review',
  }: Pick<ExecutionToReview, 'tasks' | 'tools'> & { readonly name?: string },
): Promise<void> {
  await folder.write(`${name}.md`, reviewMarkdown(made, tasks, folder.id));
  await folder.writeJson(`${name}.json`, made);
}

/**
 * Has an agent other than the reviewer fix what speaks against merging, once. Null if there is nothing to fix, no
 * agent could, nothing was changed, or a check that passed before is not green again.
 */
async function fixFindings(
  execution: ExecutionToReview,
  made: CodeReview,
): Promise<{ readonly commit: string; readonly by: string } | null> {
  const { tools, result } = execution;
  if (objectionsIn(made).length === 0) return null;
  const tree = taskTree(resultTree, execution);
  try {
    const { answer } = await askToFix(execution, { made, tree });
    if (answer === null) return null;
    const left = whyLeft(answer);
    if (left !== null) tools.emit({ type: 'warning.raised', text: `Of the fixes, ${left}.` });
    const { commit } = answer.value;
    const isUsable = commit !== null && commit !== result.commit && !answer.wrote?.length;
    if (!isUsable || !(await isGreenAgain(execution, { tree, commit }))) return null;
    return { commit, by: answer.agent.name };
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    tools.emit({ type: 'warning.raised', text: error.message });
    return null;
  }
}

function askToFix(
  execution: ExecutionToReview,
  { made, tree }: { readonly made: CodeReview; readonly tree: TaskTree },
) {
  const { tools, trees, number, tasks, names, result, signal } = execution;
  const { start, commit } = result;
  const findings = made.findings.filter(blocks);
  const unmet = made.criteria.filter(({ verdict }) => verdict === 'not-met');
  const trailer = `Conclave-Task: ${tools.folder.id}/review`;
  const style = { style: execution.commitStyle, files: [] };
  const message = `${commitSubject('Fix what the code review found', style)}\n\n${trailer}`;
  const question = workQuestion(execution, {
    call: steps.codeReview(number).fix,
    folder: `review/${number}/fix`,
    meaning: { commit, findings, ...(unmet.length === 0 ? {} : { unmet }) },
    workspace: tree.workspace({
      folder: `review/${number}`,
      parent: commit,
      message,
      trailer: null,
      isFix: true,
    }),
    promptFor: async (agent) =>
      fixPrompt({
        ...promptBasics(tools, agent, number),
        of: 'review',
        tasks,
        problems: [...findings.map(fixText), ...unmet.map(criterionText)],
        diff: await trees.diff(start, { commit }),
        commands: commandsOf(tasks),
      }),
  });
  // A reviewer that fixed the work could not review it again.
  const able = [...doersOf(result.tasks), ...names].filter((name) => name !== made.reviewer);
  return askSeat({ tools, question, names: [...new Set(able)], signal });
}

function fixText(finding: CodeReview['findings'][number]): string {
  return `${locateFinding(finding)}: ${finding.problem} Suggestion: ${finding.suggestion}`;
}

/** Runs all checks on the fixes. True if each that passed after its task passes again. */
async function isGreenAgain(
  execution: ExecutionToReview,
  { tree, commit }: { readonly tree: TaskTree; readonly commit: string },
): Promise<boolean> {
  const { tasks, result, number } = execution;
  const runs = await recordChecks(execution, {
    step: steps.codeReview(number).after,
    tree,
    commit,
    checks: tasks.flatMap((task) => checksOf(task).map((check) => ({ check, tasks: [task.id] }))),
    moment: 'joined',
    round: 2,
    files: 'joined',
    when: 'joined',
  });
  const before = result.tasks.flatMap(({ checks }) => checksAfter(checks));
  return before.every(
    ({ check, passed }) =>
      passed !== true || runs.some((run) => run.check === check && run.passed === true),
  );
}
