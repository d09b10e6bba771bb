// Has an agent fix the blocking findings of a review once.
import { z } from 'zod';
import { CheckRun, type CodeReview, type ExecutionResult } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { fixPrompt } from '../../prompts/execute.ts';
import { checkEvent, commandsOf, runChecks } from '../execution/checks.ts';
import type { Job } from '../execution/execution.ts';
import { NotSetUp, type TaskPlace, askToWork, taskPlace } from '../execution/work-question.ts';
import { promptBasics, recorded } from '../tools.ts';
import { blocks } from './check-answer.ts';
import { findingPlace } from './review-text.ts';
import { steps } from '../../model/steps.ts';

interface Fixing extends Job {
  /** Of the work tree in which it is done. */
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly result: ExecutionResult;
  readonly review: CodeReview;
  /** Who carried tasks out, then who stands in. */
  readonly executors: readonly string[];
}

/**
 * Has an agent put right what blocks, once. Returns the new commit; null where nobody could, nothing
 * was changed, or a check that passed before fails now.
 */
export async function fixFindings(fixing: Fixing): Promise<string | null> {
  const { tools, name, result } = fixing;
  const place = taskPlace(name, fixing);
  try {
    const { answer } = await askToFix(fixing, place);
    const commit = answer?.value.commit ?? result.commit;
    if (commit === result.commit) return null;
    return (await isAsGood(fixing, place, commit)) ? commit : null;
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    tools.emit({ type: 'warning.raised', text: error.message });
    return null;
  }
}

function askToFix(fixing: Fixing, place: TaskPlace) {
  const { tools, trees, number, tasks, executors, result, review } = fixing;
  const { start, commit } = result;
  const findings = review.findings.filter(blocks);
  return askToWork(fixing, executors, {
    call: steps.codeReview(number).fix,
    folder: `review/${number}/fix`,
    meaning: { commit, findings },
    cwd: place.path,
    promptFor: async (agent) =>
      fixPrompt({
        ...promptBasics(tools, agent, number),
        of: 'review',
        tasks,
        problems: findings.map(findingLine),
        diff: await trees.diff(start, { commit }),
        commands: commandsOf(tasks),
      }),
    async begin() {
      await place.at(commit);
      return null;
    },
    commit() {
      const trailer = `Conclave-Task: ${tools.folder.id}/review`;
      return place.keep(commit, `Put right what the code review found\n\n${trailer}`);
    },
  });
}

function findingLine(finding: CodeReview['findings'][number]): string {
  return `${findingPlace(finding)}: ${finding.problem} Suggestion: ${finding.suggestion}`;
}

/** Whether every check that passed after its task still passes. */
async function isAsGood(
  { tools, tasks, result, number, signal }: Fixing,
  place: TaskPlace,
  commit: string,
): Promise<boolean> {
  const step = { tools, signal, step: steps.codeReview(number).after, input: { commit } };
  const runs = await recorded({ ...step, shape: z.array(CheckRun) }, async () => {
    await place.at(commit);
    const all: CheckRun[] = [];
    for (const task of tasks) {
      const tell = (run: CheckRun) => tools.emit(checkEvent(task.id, 'after', run));
      all.push(...(await runChecks(task, place.checks, tell)));
    }
    return all;
  });
  const before = result.tasks.flatMap(({ after }) => after);
  return runs.every(
    ({ check, passed }) =>
      passed !== false || !before.some((run) => run.check === check && run.passed === true),
  );
}
