// Asks a person if a check that its confinement may have stopped is to run without it.
import { z } from 'zod';
import type { ExecutionResult, Retry } from '../model/execution.ts';
import { steps } from '../model/steps.ts';
import { oneLine } from '../model/wording.ts';
import { findHeldTasks, retryUnconfined } from '../phases/execution/held-checks.ts';
import { planHash } from '../phases/planning/plan-hash.ts';
import { recordStep } from '../phases/phase-tools.ts';
import { type PhaseRun, requireValue } from './phase-run.ts';
import type { ChoiceQuestion } from './view-port.ts';

/**
 * Asks a person at a terminal if a check that its confinement may have stopped is to run without it, for this
 * plan; null if no check was stopped, or none is released.
 */
export async function askForUnconfined(
  { context, tools, view, signal }: PhaseRun,
  result: ExecutionResult,
): Promise<Retry | null> {
  const { plan, tasks } = requireValue(context.plan);
  const held = findHeldTasks(result, tasks);
  const checks = [...new Set(held.flatMap((one) => one.checks))];
  if (checks.length === 0) return null;
  const step = steps.execution(context.executions).unconfined;
  const input = { commit: result.commit, checks };
  const recorded = { tools, step, input, shape: z.string().nullable(), signal };
  const check = await recordStep(recorded, async () => {
    if (view.letsUnconfined !== true) return null;
    const question = questionAbout(tools.folder.id, checks, { result, held });
    return checks[Number(await view.choose(question, signal)) - 1] ?? null;
  });
  return check === null ? null : retryUnconfined([check], held, planHash(plan, tasks));
}

function questionAbout(
  session: string,
  checks: readonly string[],
  {
    result,
    held,
  }: { readonly result: ExecutionResult; readonly held: ReturnType<typeof findHeldTasks> },
): ChoiceQuestion {
  const failed = result.tasks.filter(({ task }) => held.some((one) => one.task === task));
  return {
    session,
    name: 'Unconfined',
    asks: 'The confinement may have stopped a check. Should it run without it?',
    lines: [
      ...failed.map(({ task, why }) => `${task} failed: ${oneLine(why)}`),
      'Without it, a check runs what the agents wrote as you would: it may read and write wherever you may. Your answer holds for this check of this plan only.',
    ],
    choices: checks.map((check, at) => ({
      word: String(at + 1),
      name: oneLine(check),
      means: 'run it unconfined, and judge the work again',
      does: `run ${oneLine(check)} unconfined`,
    })),
    usual: {
      word: 'no',
      name: 'No',
      means: 'it stays confined, and the task has failed',
      does: 'leave it confined',
    },
  };
}
