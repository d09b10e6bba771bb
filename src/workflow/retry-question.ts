// Asks what becomes of each task that has failed: the same agent again, another one, a note, or a change by hand.
import { z } from 'zod';
import type { ExecutionResult, Retry, TaskOutcome } from '../model/execution.ts';
import { checksAfter } from '../model/execution-summary.ts';
import { chosenFirst } from '../model/phase-choice.ts';
import { steps } from '../model/steps.ts';
import { byHand, methodOfAgent } from '../model/team.ts';
import { oneLine } from '../model/wording.ts';
import { findReadyModels } from '../phases/asking/ask-seat.ts';
import { findHeldTasks } from '../phases/execution/held-checks.ts';
import { plannerNames } from '../phases/planning/ask-planner.ts';
import { recordStep } from '../phases/phase-tools.ts';
import { candidatesOf, type PhaseRun, requireValue } from './phase-run.ts';
import type { ChoiceQuestion } from './view-port.ts';

/** The name of this question, which only a door that may have tasks carried out answers. */
export const retryQuestion = 'Failed task';

/**
 * Asks about each task that has ended failed, after all others have ended. Nothing is done again without an
 * answer. A face that shows the result with a key for this is not asked.
 */
export async function askAboutFailed(
  run: PhaseRun,
  result: ExecutionResult,
): Promise<readonly Retry[]> {
  const { tools, view, signal } = run;
  const retries: Retry[] = [];
  if (view.steers === true) return retries;
  // Where a check may have been stopped, the person is asked about that.
  const { tasks } = requireValue(run.context.plan);
  const held = view.letsUnconfined === true ? findHeldTasks(result, tasks) : [];
  const isHeld = (id: string) => held.some(({ task }) => task === id);
  const failed = result.tasks.filter(({ status, task }) => status === 'failed' && !isHeld(task));
  for (const outcome of failed) {
    const step = steps.task(result.number, outcome.task).failed;
    const input = { why: outcome.why };
    const answer = await recordStep({ tools, step, input, shape: z.string(), signal }, async () =>
      view.choose(await questionAbout(run, outcome, result.kept?.[outcome.task]), signal),
    );
    const retry = retryFrom(answer, outcome.task);
    if (retry !== null) retries.push(retry);
  }
  return retries;
}

/** The words of the answers that name no agent. */
const words = { leave: 'leave', again: 'again', note: 'note' } as const;

function retryFrom(answer: string, task: string): Retry | null {
  const [word = '', ...rest] = answer.split(' ');
  if (word === words.leave) return null;
  const retry = { tasks: [task], note: rest.join(' ').trim() };
  const isSame = word === words.again || word === words.note;
  return isSame ? retry : { ...retry, execution_method: methodOfAgent(word) };
}

async function questionAbout(
  { context, tools, settings, planner, view, signal }: PhaseRun,
  { task, title, why, executor, checks }: TaskOutcome,
  tree: string | undefined,
): Promise<ChoiceQuestion> {
  const run = { context, tools, settings, planner, view, signal };
  const planners = chosenFirst(tools.phases, 'execution', plannerNames(candidatesOf(run)));
  const known = [...planners, ...tools.agents.models().map(({ name }) => name)];
  const able = known.filter((name) => tools.agents.get(name)?.traits.edits !== false);
  const others = (await findReadyModels(able, tools.agents, signal)).filter(
    (name) => name !== executor,
  );
  const red = checksAfter(checks).filter(({ passed }) => passed === false);
  return {
    session: tools.folder.id,
    name: retryQuestion,
    asks: `${task} ${oneLine(title)} has failed. What now?`,
    lines: [
      oneLine(why),
      ...red.flatMap(({ check, output }) => [
        `${check}:`,
        ...output
          .trim()
          .split('\n')
          .slice(-mostLines)
          .map((line) => `  ${line}`),
      ]),
    ],
    choices: [
      {
        word: words.again,
        name: 'Again',
        means: `${executor ?? 'its agent'} does it again, with what builds on it`,
        does: 'have it done again',
      },
      {
        word: words.note,
        name: 'Note',
        means: 'the same, with a note of yours',
        does: 'have it done again with a note',
        writes: 'A note for the agent',
      },
      ...others.map((name) => ({
        word: name,
        name,
        means: `${name} does it`,
        does: `have ${name} do it`,
      })),
      ...(tree === undefined
        ? []
        : [
            {
              word: byHand,
              name: 'By hand',
              means: `you have changed it yourself in ${tree}`,
              does: 'take what you changed there by hand',
            },
          ]),
    ],
    usual: {
      word: words.leave,
      name: 'Leave',
      means: 'it stays failed',
      does: 'leave it as it is',
    },
  };
}

const mostLines = 8;
