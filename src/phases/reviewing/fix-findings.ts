import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CheckRun, type CodeReview, type ExecutionResult } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { reviewFixPrompt } from '../../prompts/execute.ts';
import { askSeat } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { checkEvent, checkName, checksOf, runChecks } from '../execution/checks.ts';
import type { Job } from '../execution/execution.ts';
import { NotSetUp, type TaskPlace, taskPlace } from '../execution/task-place.ts';
import { promptLimit, recorded } from '../tools.ts';
import { blocks } from './check-answer.ts';

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
  const { tools, trees, name, executors, result, signal } = fixing;
  const [seat, ...chain] = executors;
  if (seat === undefined) return null;
  const buildFacts = fixing.package.build_facts ?? [];
  const place = taskPlace({ name, tools, trees, buildFacts, signal });
  try {
    const question = questionFor(fixing, place);
    const taken = new Set([seat]);
    const { answer } = await askSeat({ tools, question, seat, chain, taken, signal });
    const commit = answer?.value.commit ?? result.commit;
    if (commit === result.commit) return null;
    return (await isAsGood(fixing, place, commit)) ? commit : null;
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    tools.emit({ type: 'warning.raised', text: error.message });
    return null;
  }
}

const Kept = z.object({ commit: z.string(), summary: z.string() });

function questionFor(fixing: Fixing, place: TaskPlace): Question<z.infer<typeof Kept>> {
  const { tools, trees, number, request, tasks, result, review } = fixing;
  const group = `review-${number}`;
  const commands = tasks
    .flatMap(checksOf)
    .flatMap((check) => (check.kind === 'command' ? checkName(check) : []));
  return {
    group,
    name: 'fix-1',
    phase: 'execute',
    round: number,
    folderFor: (agent) => `review/${number}/fix-${agent}`,
    meaning: { commit: result.commit, findings: review.findings.filter(blocks) },
    task: request.task,
    context: null,
    constraints: request.constraints,
    schema: null,
    shape: Kept,
    expected: {},
    summaryOf: ({ summary }) => summary,
    promptFor: async (agent) =>
      reviewFixPrompt({
        session: tools.folder.id,
        round: number,
        nonce: randomBytes(8).toString('hex'),
        maxBytes: promptLimit(tools, agent),
        problems: review.findings.filter(blocks).map(findingLine),
        diff: await trees.diff(result.start, { commit: result.commit }),
        tasks,
        commands: [...new Set(commands)],
      }),
    work: {
      cwd: place.path,
      permission: 'edit-and-shell',
      denied: ['git'],
      limits: { ...tools.limits, totalMs: tools.execution.settings.taskMs },
      async begin() {
        await place.at(result.commit);
        return null;
      },
      async keep(text) {
        const message = `Put right what the code review found\n\nConclave-Task: ${tools.folder.id}/review`;
        return { commit: await place.keep(result.commit, message), summary: text.slice(0, 4_000) };
      },
    },
  };
}

function findingLine({ file, line, problem, suggestion }: CodeReview['findings'][number]): string {
  return `${file}${line === null ? '' : `:${line}`}: ${problem} Suggestion: ${suggestion}`;
}

/** Whether every check that passed after its task still passes. */
async function isAsGood(
  { tools, tasks, result, number, signal }: Fixing,
  place: TaskPlace,
  commit: string,
): Promise<boolean> {
  const passed = new Set(
    result.tasks.flatMap(({ after }) =>
      after.flatMap((run) => (run.passed === true ? run.check : [])),
    ),
  );
  const step = {
    tools,
    signal,
    group: `review-${number}`,
    name: 'after',
    shape: z.array(CheckRun),
  };
  const runs = await recorded({ ...step, input: { commit } }, async () => {
    await place.at(commit);
    const all: CheckRun[] = [];
    for (const task of tasks) {
      all.push(
        ...(await runChecks(task, place.checks, (run) =>
          tools.emit(checkEvent(task.id, 'after', run)),
        )),
      );
    }
    return all;
  });
  return !runs.some(({ check, passed: passes }) => passes === false && passed.has(check));
}
