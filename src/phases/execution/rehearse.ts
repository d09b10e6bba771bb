// Runs the first checks before any agent is paid, and stops if they cannot run.
import { commandsIn, setUpTool } from '../../context/package/set-up-tools.ts';
import { isProgram } from '../../model/check.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { Stopped } from '../../model/failure.ts';
import { steps } from '../../model/steps.ts';
import { clause } from '../../model/wording.ts';
import { isRecorded } from '../phase-tools.ts';
import { differsAtHome, missingPart, remedyFor } from './cannot-run.ts';
import type { Execution } from './execution-team.ts';
import { NotSetUp } from './prepare-tree.ts';
import { proposeSetUp } from './propose-set-up.ts';
import { type ChecksToRun, listOwned, type OwnedCheck, recordChecks } from './record-checks.ts';
import { taskTree } from './task-tree.ts';

/** The number of commands that is enough to show that the others can run, too. */
const mostChecks = 20;
/** The time, in ms, after which a command that still runs counts as runnable. */
const longEnough = 20_000;

/**
 * Sets a work tree up and runs the checks with which the first tasks begin, as a step; these tasks need not run
 * them again before their work. Throws `checks-cannot-run` if the set-up fails, or a check lacks a program, a
 * module or a file that no task creates.
 */
export async function rehearse(
  execution: Execution,
  start: string,
): Promise<readonly CheckRecord[]> {
  const { tools, trees, number, setup, copy } = execution;
  const { rehearses, link } = tools.execution.settings;
  const checks = firstChecks(execution);
  const isIdle = setup.length + copy.length + link.length === 0;
  if (!rehearses || (isIdle && !checks.some(({ check }) => isProgram(check)))) return [];
  const step = steps.execution(number).rehearsal;
  const isNew = !isRecorded(tools, step);
  try {
    const records = await recordChecks(execution, {
      step,
      input: { commit: start },
      tree: taskTree(rehearsalTree, execution),
      sides: rehearsalTree,
      commit: start,
      checks,
      moment: 'before',
      round: 0,
      files: 'start',
      when: null,
      mostMs: longEnough,
      examine: examineRun(execution),
    });
    if (isNew) trees.free(rehearsalTree);
    // What was cut short may still pass.
    return records.filter(({ ms }) => ms < longEnough);
  } catch (error) {
    await trees.reclaim([rehearsalTree]);
    if (!(error instanceof NotSetUp)) throw error;
    const why = clause(error.message);
    const remedy = 'Change it in your settings ("conclave config" shows where it stands)';
    throw new Stopped({ reason: 'checks-cannot-run', session: tools.folder.id, why, remedy });
  }
}

const rehearsalTree = 'rehearsal';

/** The checks of the tasks that can begin at once. */
function firstChecks({ tasks }: Pick<Execution, 'tasks'>): readonly OwnedCheck[] {
  const first = tasks.filter(({ depends_on }) => depends_on.length === 0);
  const checks = listOwned(first, () => true);
  const programs = checks.filter(({ check }) => isProgram(check)).slice(0, mostChecks);
  return checks.filter((one) => !isProgram(one.check) || programs.includes(one));
}

/** Makes what stops the execution if a check cannot run. */
function examineRun(execution: Execution): NonNullable<ChecksToRun['examine']> {
  const { tools, trees, tasks, setup } = execution;
  const session = tools.folder.id;
  return async ({ check, run, tree: { checks, name }, keep }) => {
    if (run.passed !== false || !isProgram(check)) return;
    const found = await proposeSetUp({ root: tools.repository.root, ...tools.execution });
    const isIgnored = async (path: string) => (await trees.ignored(name, [path])).length > 0;
    // An installer makes modules, which are told by their names.
    const makes = commandsIn(found?.argv ?? []).some((argv) => setUpTool(argv) === null);
    const isMade = async (path: string) => makes && (await isIgnored(path));
    const place = { ...checks, mostMs: Math.min(checks.mostMs, longEnough) };
    const missing =
      (await missingPart(run, tasks, { ...place, isMade })) ??
      (await differsAtHome({ check, run, place, keep: (one) => keep(one, 'home') }));
    if (missing === null) return;
    const why = `the check "${missing.check}" cannot run before the work: ${clause(missing.line)}`;
    const remedy = await remedyFor(missing, { place, setup, found, session, isIgnored });
    throw new Stopped({ reason: 'checks-cannot-run', session, why, remedy });
  };
}
