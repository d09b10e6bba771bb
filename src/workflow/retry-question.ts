// Asks what becomes of each task that has failed: the same agent again, another one, a note, or a change by hand.
import { z } from 'zod';
import type { ExecutionResult, Retry, TaskOutcome } from '../model/execution.ts';
import { checksAfter } from '../model/execution-summary.ts';
import { steps } from '../model/steps.ts';
import { byHand, methodOfAgent } from '../model/team.ts';
import { oneLine } from '../model/wording.ts';
import { findHeldTasks } from '../phases/execution/held-checks.ts';
import { recordStep } from '../phases/phase-tools.ts';
import { type PhaseRun, requireValue } from './phase-run.ts';
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
    const { answer } = await recordStep({ tools, step, input, shape: Answer, signal }, async () => {
      const question = questionAbout(run, outcome, result.kept?.[outcome.task]);
      const given = await view.choose(question, signal);
      // Where no person is at a terminal, what stays failed was left so by nobody.
      const isByUser = view.letsUnconfined === true || given !== words.leave;
      return { answer: given, by: isByUser ? ('user' as const) : ('nobody' as const) };
    });
    const retry = retryFrom(answer, outcome.task);
    if (retry !== null) retries.push(retry);
  }
  return retries;
}

const Answer = z.object({ answer: z.string(), by: z.enum(['user', 'nobody']) });

/** The words of the answers that name no agent. */
const words = { leave: 'leave', again: 'again', note: 'note' } as const;

function retryFrom(answer: string, task: string): Retry | null {
  const [word = '', ...rest] = answer.split(' ');
  if (word === words.leave) return null;
  const retry = { tasks: [task], note: rest.join(' ').trim() };
  const isSame = word === words.again || word === words.note;
  return isSame ? retry : { ...retry, execution_method: methodOfAgent(word) };
}

function questionAbout(
  run: PhaseRun,
  { task, title, why, executor, checks }: TaskOutcome,
  tree: string | undefined,
): ChoiceQuestion {
  const { session, others } = whoMayDoIt(run, executor);
  const red = checksAfter(checks).filter(({ passed }) => passed === false);
  return {
    session,
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

/**
 * Names the other participants that can edit. Nobody is asked whether it is ready: the question may reach no
 * person, and a stand-in is told when the task begins.
 */
function whoMayDoIt({ context, tools }: PhaseRun, executor: string | null) {
  const { synthesis, settings } = requireValue(context.last);
  const names = new Set([...synthesis.receipts.map(({ agent }) => agent), ...settings.tools]);
  const others = [...names].filter((name) => {
    const agent = tools.agents.get(name);
    return name !== executor && agent?.kind === 'model' && agent.traits.edits;
  });
  return { session: tools.folder.id, others };
}
