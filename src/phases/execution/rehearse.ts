// Runs the first checks and the proofs before any agent is paid, and stops if a check cannot run.
import { commandsIn, setUpTool } from '../../context/package/set-up-tools.ts';
import { type Check, checkName, isProgram } from '../../model/check.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import { Stopped } from '../../model/failure.ts';
import { steps } from '../../model/steps.ts';
import { checksOf } from '../../model/task.ts';
import { clause, inQuotes, listed } from '../../model/wording.ts';
import { isRecorded } from '../phase-tools.ts';
import { differsAtHome, missingPart, remedyFor } from './cannot-run.ts';
import { classifyRun } from '../proof/classify-run.ts';
import type { Execution } from './execution-team.ts';
import { proofIn } from './laid-proofs.ts';
import { NotSetUp } from './run-command.ts';
import { proposeSetUp } from './propose-set-up.ts';
import { type ChecksToRun, listOwned, recordChecks } from './record-checks.ts';
import { taskTree } from './task-tree.ts';

/** The number of commands that is enough to show that the others can run, too. */
const mostChecks = 20;
/** The time, in ms, after which a command that still runs counts as runnable. */
const longEnough = 20_000;

/** True for a run that may stand for one before the work: what was cut short may still pass. */
export function isWhole({ ms }: CheckRecord): boolean {
  return ms < longEnough;
}

/**
 * Sets a work tree up and runs the checks with which the first tasks begin, and every proof alone; a step. No task
 * need run them again before its work. Tells of proofs that were to fail and pass. Throws `checks-cannot-run` if
 * the set-up fails, or a check lacks a program, a module or a file that no task creates.
 */
export async function rehearse(
  execution: Execution,
  start: string,
): Promise<readonly CheckRecord[]> {
  const { tools, trees, number, setup, copy, tasks, proofs } = execution;
  const { rehearses, link } = tools.execution.settings;
  const isProof = (check: Check) => proofIn(check, proofs) !== undefined;
  const roots = tasks.filter(({ depends_on }) => depends_on.length === 0);
  const own = listOwned(roots, (check) => !isProof(check));
  const programs = own.filter(({ check }) => isProgram(check)).slice(0, mostChecks);
  const isNeeded = rehearses && setup.length + copy.length + link.length + programs.length > 0;
  const first = own.filter((one) => !isProgram(one.check) || programs.includes(one));
  const alone = listOwned(tasks, isProof).map((owned) => ({
    ...owned,
    proof: proofIn(owned.check, proofs),
  }));
  if (!isNeeded && alone.length === 0) return [];
  const step = steps.execution(number).rehearsal;
  const isNew = !isRecorded(tools, step);
  try {
    const records = await recordChecks(execution, {
      step,
      input: { commit: start },
      tree: taskTree(rehearsalTree, execution),
      sides: rehearsalTree,
      commit: start,
      checks: isNeeded ? [...first, ...alone] : alone,
      moment: 'before',
      round: 0,
      files: 'start',
      when: null,
      mostMs: longEnough,
      examine: examineRun(execution),
    });
    if (isNew) trees.free(rehearsalTree);
    const failing = alone.filter(({ proof }) => proof?.state === 'fails');
    const green = records.filter(({ passed }) => passed === true).map(({ check }) => check);
    const told = failing
      .map(({ check }) => checkName(check))
      .filter((name) => green.includes(name));
    if (told.length > 0) {
      const names = listed(told.map((name) => `"${name}"`));
      const text = `${names} ${told.length === 1 ? 'passes' : 'pass'} where the work begins, so that it shows nothing of the work and only guards it.`;
      tools.emit({ type: 'warning.raised', text });
    }
    return records;
  } catch (error) {
    await trees.reclaim([rehearsalTree]);
    if (!(error instanceof NotSetUp)) throw error;
    const why = clause(error.message);
    const remedy = 'Change it in your settings ("conclave config" shows where it stands)';
    throw new Stopped({ reason: 'checks-cannot-run', session: tools.folder.id, why, remedy });
  }
}

const rehearsalTree = 'rehearsal';

/** Makes what stops the execution if a check cannot run. */
function examineRun(execution: Execution): NonNullable<ChecksToRun['examine']> {
  const { tools, trees, tasks, proofs, setup } = execution;
  const session = tools.folder.id;
  const { rehearses } = tools.execution.settings;
  return async ({ check, run, tree: { checks, name }, keep }) => {
    if (!isProgram(check)) return;
    const proof = proofIn(check, proofs);
    const seen = proof === undefined ? null : classifyRun(run, proof);
    // A proof is to fail, but it has to run.
    if (seen !== null && (seen.state !== 'cannot-run' || !rehearses)) return;
    const cannotRun = (what: string, line: string, remedy: string, where = '') => {
      const why = `the check ${inQuotes(what)} cannot run${where} before the work: ${clause(line)}`;
      throw new Stopped({ reason: 'checks-cannot-run', session, why, remedy });
    };
    const isUntold = run.passed === null && run.exit === undefined;
    const isLost = tasks.some((task) => {
      const own = checksOf(task);
      return own.includes(check) && own.every(({ kind }) => kind === 'test' || kind === 'manual');
    });
    if (isUntold && isLost)
      cannotRun(run.check, run.note, 'Change it to a command that runs its tests');
    if (seen === null ? run.passed !== false : isUntold) return;
    const found = await proposeSetUp({ root: tools.repository.root, ...tools.execution });
    const isIgnored = async (path: string) => (await trees.ignored(name, [path])).length > 0;
    // An installer makes modules, which are told by their names.
    const makes = commandsIn(found?.argv ?? []).some((argv) => setUpTool(argv) === null);
    const isMade = async (path: string) => makes && (await isIgnored(path));
    const here = { ...checks, mostMs: Math.min(checks.mostMs, longEnough) };
    // Another machine has nothing of the user’s folder.
    const isHere = run.machine === undefined;
    const place = isHere ? here : { ...here, home: checks.cwd };
    const missing =
      (await missingPart(run, tasks, { ...place, isMade })) ??
      (seen !== null
        ? { check: run.check, line: seen.why, copy: null, help: null }
        : isHere
          ? await differsAtHome({ check, run, place, keep: (one) => keep(one, 'home') })
          : null);
    if (missing === null) return;
    const remedy = await remedyFor(missing, { place, setup, found, session, isIgnored });
    cannotRun(missing.check, missing.line, remedy, isHere ? '' : ` on ${run.machine}`);
  };
}
