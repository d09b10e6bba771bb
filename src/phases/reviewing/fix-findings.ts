// Has an agent fix the blocking findings of a review once.
import { checksAfter } from '../../model/execution-summary.ts';
import { commitSubject } from '../../model/commit-style.ts';
import type { CodeReview, ExecutionResult } from '../../model/execution.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { fixPrompt } from '../../prompts/execute-prompt.ts';
import { askSeat } from '../asking/ask-seat.ts';
import { commandsOf } from '../execution/checks.ts';
import type { Job } from '../execution/execution-team.ts';
import { isBroken } from '../execution/judge.ts';
import { NotSetUp } from '../execution/prepare-tree.ts';
import { recordChecks } from '../execution/record-checks.ts';
import { type TaskTree, taskTree } from '../execution/task-tree.ts';
import { whyLeft, workQuestion } from '../execution/work-question.ts';
import { promptBasics } from '../phase-tools.ts';
import { blocks } from './check-answer.ts';
import { criterionText, locateFinding } from './review-text.ts';
import { steps } from '../../model/steps.ts';

interface Fixing extends Job {
  /** The name of the work tree in which it is done. */
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly result: ExecutionResult;
  readonly review: CodeReview;
  /** The agents that executed tasks, followed by the stand-ins. */
  readonly executors: readonly string[];
}

/**
 * Has an agent fix blocking findings and unmet criteria once. Returns the new commit; null if no agent could,
 * nothing was changed, or a check that passed before now fails.
 */
export async function fixFindings(fixing: Fixing): Promise<string | null> {
  const { tools, name, result } = fixing;
  const tree = taskTree(name, fixing);
  try {
    const { answer } = await askToFix(fixing, tree);
    const left = answer === null ? null : whyLeft(answer);
    if (left !== null) tools.emit({ type: 'warning.raised', text: `Of the fixes, ${left}.` });
    const commit = answer === null || (answer.wrote ?? []).length > 0 ? null : answer.value.commit;
    if (commit === null || commit === result.commit) return null;
    return (await isAsGood(fixing, tree, commit)) ? commit : null;
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    tools.emit({ type: 'warning.raised', text: error.message });
    return null;
  }
}

function askToFix(fixing: Fixing, tree: TaskTree) {
  const { tools, trees, number, tasks, executors, result, review, signal } = fixing;
  const { start, commit } = result;
  const findings = review.findings.filter(blocks);
  const unmet = review.criteria.filter(({ verdict }) => verdict === 'not-met');
  const trailer = `Conclave-Task: ${tools.folder.id}/review`;
  const style = { style: fixing.commitStyle, files: [] };
  const message = `${commitSubject('Fix what the code review found', style)}\n\n${trailer}`;
  const question = workQuestion(fixing, {
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
        problems: [...findings.map(findingLine), ...unmet.map(criterionText)],
        diff: await trees.diff(start, { commit }),
        commands: commandsOf(tasks),
      }),
  });
  return askSeat({ tools, question, names: executors, signal });
}

function findingLine(finding: CodeReview['findings'][number]): string {
  return `${locateFinding(finding)}: ${finding.problem} Suggestion: ${finding.suggestion}`;
}

/** True if every check that passed after its task still passes. */
async function isAsGood(fixing: Fixing, tree: TaskTree, commit: string): Promise<boolean> {
  const { tasks, result, number } = fixing;
  const runs = await recordChecks(fixing, {
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
  return !runs.some(
    (run) =>
      isBroken(run, before) && before.some((one) => one.check === run.check && one.passed === true),
  );
}
