// Runs the first checks before any agent is paid, and stops if they cannot run.
import { z } from 'zod';
import { commandsIn, setUpTool } from '../../context/package/set-up-tools.ts';
import { type Check, checkName } from '../../model/check.ts';
import { Stopped } from '../../model/failure.ts';
import { steps } from '../../model/steps.ts';
import { checksOf } from '../../model/task.ts';
import { clause } from '../../model/wording.ts';
import { recordStep } from '../phase-tools.ts';
import { differsAtHome, missingPart, remedyFor } from './cannot-run.ts';
import { runChecks } from './checks.ts';
import type { Execution } from './execution-team.ts';
import { NotSetUp } from './prepare-tree.ts';
import { proposeSetUp } from './propose-set-up.ts';
import { taskTree } from './task-tree.ts';

/** The number of commands that is enough to show that the others can run, too. */
const mostChecks = 20;
/** The time, in ms, after which a command that still runs counts as runnable. */
const longEnough = 20_000;

/**
 * Sets a work tree up and runs the checks with which the first tasks begin. Throws `checks-cannot-run` if the
 * set-up fails, or a check lacks a program, a module or a file that no task creates.
 */
export async function rehearse(execution: Execution, start: string): Promise<void> {
  const { tools, trees, number, signal, setup, copy } = execution;
  const { rehearses, link } = tools.execution.settings;
  const checks = firstChecks(execution);
  const isIdle = checks.length + setup.length + copy.length + link.length === 0;
  if (!rehearses || isIdle) return;
  const { rehearsal } = steps.execution(number);
  const step = { tools, signal, step: rehearsal, input: { commit: start }, shape: z.null() };
  await recordStep(step, async () => {
    try {
      await rehearseIn(execution, { start, checks });
      return null;
    } finally {
      await trees.reclaim([rehearsalTree]);
    }
  });
}

const rehearsalTree = 'rehearsal';

/** The commands of the tasks that can begin at once, each once. */
function firstChecks({ tasks }: Pick<Execution, 'tasks'>): readonly Check[] {
  const first = tasks.filter(({ depends_on }) => depends_on.length === 0).flatMap(checksOf);
  const run = first.filter(({ kind }) => kind === 'command' || kind === 'test');
  const named = new Map(run.map((check) => [checkName(check), check]));
  return [...named.values()].slice(0, mostChecks);
}

async function rehearseIn(
  execution: Execution,
  { start, checks }: { readonly start: string; readonly checks: readonly Check[] },
): Promise<void> {
  const { tools, trees, tasks, setup } = execution;
  const session = tools.folder.id;
  const tree = taskTree(rehearsalTree, execution);
  try {
    await tree.moveTo(start);
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    const remedy = 'Change it in your settings ("conclave config" shows where it stands)';
    throw new Stopped({ reason: 'checks-cannot-run', session, why: clause(error.message), remedy });
  }
  const found = await proposeSetUp({ root: tools.repository.root, ...tools.execution });
  const isIgnored = async (path: string) => (await trees.ignored(rehearsalTree, [path])).length > 0;
  // An installer makes modules, which are told by their names.
  const makes = commandsIn(found?.argv ?? []).some((argv) => setUpTool(argv) === null);
  const isMade = async (path: string) => makes && (await isIgnored(path));
  const place = { ...tree.checks, mostMs: Math.min(tree.checks.mostMs, longEnough) };
  for (const check of checks) {
    const [run] = await runChecks([check], place, () => undefined);
    if (run === undefined) continue;
    const missing =
      (await missingPart(run, tasks, { ...place, isMade })) ??
      (await differsAtHome({ check, run, place }));
    if (missing === null) continue;
    const why = `the check "${missing.check}" cannot run before the work: ${clause(missing.line)}`;
    const remedy = await remedyFor(missing, { place, setup, found, session, isIgnored });
    throw new Stopped({ reason: 'checks-cannot-run', session, why, remedy });
  }
}
