// Runs checks on a commit as one recorded step, and appends a record of each run to `checks.jsonl`.
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { CheckRecord, type CheckRun, type Moment } from '../../model/check-record.ts';
import { type Check, checkName, checkTarget, isProgram } from '../../model/check.ts';
import type { EventOf } from '../../model/event.ts';
import type { Step } from '../../model/step.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { checkEvent, runCheck } from './checks.ts';
import type { PackagedProof } from '../../model/proof.ts';
import type { Job } from './execution-team.ts';
import { filesOfProofs } from './laid-proofs.ts';
import { failedSetUp } from './prepare-tree.ts';
import { NotSetUp } from './run-command.ts';
import { type TaskTree, taskTree } from './task-tree.ts';

/** A check with the tasks that have it. */
export interface OwnedCheck {
  readonly check: Check;
  readonly tasks: readonly string[];
  /** The proof that it runs, if that is laid onto the commit for this check alone. */
  readonly proof?: PackagedProof | undefined;
}

/** A check with the commit on which it runs. */
type PlacedCheck = OwnedCheck & { readonly commit: string };

/** Checks to run, with the place and the moment. */
export interface ChecksToRun {
  readonly step: Step;
  /** What the recorded step depends on; by default the commit. */
  readonly input?: object;
  readonly tree: TaskTree;
  /** The name of further trees, where checks of several tasks run side by side; absent for one tree alone. */
  readonly sides?: string;
  /** The commit to check out, or how to make it. */
  readonly commit: string | (() => Promise<string>);
  readonly checks: readonly OwnedCheck[];
  /** Earlier runs. Those on the same files stand for the checks of a task, if there is one for each of them. */
  readonly known?: readonly CheckRecord[];
  readonly moment: Moment;
  readonly round: number;
  readonly files: Exclude<CheckRecord['tree'], 'home'>;
  /** How events name the moment; null for a run that is not told. */
  readonly when: EventOf<'check.ran'>['when'] | null;
  /** The longest time for one command that is no proof, in ms; by default that of the settings. */
  readonly mostMs?: number;
  /** The checks whose green may come from what earlier ones left in the tree, such as a build: all run anew then. */
  readonly doubted?: readonly string[];
  /** True if the runs tell whether the tree held anything else than files of the commit. */
  readonly tellsBare?: boolean;
  /** Looks at each run while its tree is there; what it throws ends the step without a result. */
  readonly examine?: (seen: ExaminedRun) => Promise<void>;
}

/** A run while its tree is there. */
interface ExaminedRun {
  readonly check: Check;
  readonly run: CheckRun;
  readonly tree: TaskTree;
  /** Appends the record of a further run, on other files. */
  readonly keep: (run: CheckRun, files: CheckRecord['tree']) => Promise<void>;
}

/** Lists the checks of some tasks in their order, each once with all tasks that have it. */
export function listOwned(
  tasks: readonly Task[],
  isWanted: (check: Check, task: Task) => boolean,
): readonly OwnedCheck[] {
  const owned = new Map<string, OwnedCheck>();
  for (const task of tasks) {
    for (const check of checksOf(task).filter((one) => isWanted(one, task))) {
      const key = JSON.stringify({ ...check, criterion: null, describes: null });
      const { tasks: others = [], ...first } = owned.get(key) ?? { check };
      owned.set(key, { ...first, tasks: [...new Set([...others, task.id])] });
    }
  }
  return [...owned.values()];
}

/** Finds earlier runs on the same files for all checks of a task; where one has to run, it may need the others. */
async function findStandIns(
  { trees, unconfined }: Job,
  checks: readonly PlacedCheck[],
  known: readonly CheckRecord[],
): Promise<ReadonlyMap<PlacedCheck, CheckRecord>> {
  const prints = new Map<string, Promise<string>>();
  const print = (commit: string) => {
    const own = prints.get(commit) ?? trees.fingerprint(commit, null);
    prints.set(commit, own);
    return own;
  };
  const found = new Map<PlacedCheck, CheckRecord>();
  for (const unit of unitsOf(checks)) {
    const runs: [PlacedCheck, CheckRecord][] = [];
    for (const placed of unit) {
      const { check, commit } = placed;
      const isFree = unconfined.includes(checkTarget(check));
      for (const run of known) {
        const isOther = run.kind !== check.kind || run.check !== checkName(check);
        if (isOther || (run.unconfined === true) !== isFree) continue;
        if (run.commit !== commit && (await print(run.commit)) !== (await print(commit))) continue;
        runs.push([placed, run]);
        break;
      }
    }
    if (runs.length === unit.length) for (const [placed, run] of runs) found.set(placed, run);
  }
  return found;
}

/** The checks of each task, where one that several tasks have counts with the first. */
const unitsOf = (checks: readonly PlacedCheck[]) => [
  ...Map.groupBy(checks, ({ tasks: [first] }) => first).values(),
];

/**
 * Runs checks on a commit. A set-up that fails there counts as a failed check, but before the work it is thrown:
 * no agent could fix it.
 */
export async function recordChecks(job: Job, run: ChecksToRun): Promise<readonly CheckRecord[]> {
  const { tools, signal } = job;
  const { step, moment, round, files, when, input = { commit: run.commit } } = run;
  const tell = (one: CheckRecord, fromRecord?: boolean) =>
    when === null ? undefined : tools.emit(checkEvent(one.tasks[0] ?? '', when, one), fromRecord);
  const { value, replayed } = await tools.steps.run(
    { ...step, input, shape: z.array(CheckRecord), signal },
    async () => {
      const commit = typeof run.commit === 'string' ? run.commit : await run.commit();
      const records = new Map<Check | null, CheckRecord>();
      const keep: Keep = async (one, { check, tasks, commit: at }) => {
        const record = { ...one, tasks: [...tasks], moment, round, commit: at, tree: files };
        records.set(check, record);
        if (one.reused !== true) await append(job, record);
        tell(record);
      };
      const listed: PlacedCheck[] = [];
      for (const owned of run.checks) {
        const laid = filesOfProofs(owned.proof === undefined ? [] : [owned.proof]);
        listed.push({ ...owned, commit: await job.trees.lay(commit, laid) });
      }
      // What another machine showed stands for nothing on this one.
      const isHere = (run.tree.checks.elsewhere ?? null) === null;
      const found = await findStandIns(job, listed, isHere ? (run.known ?? []) : []);
      for (const [placed, { tasks: _, ...stand }] of found) {
        const criterion = placed.check.criterion ?? null;
        await keep({ ...stand, criterion, reused: true }, placed);
      }
      const open = listed.filter((placed) => !found.has(placed));
      try {
        // Before the work it shows that the set-up runs, even without checks.
        const isOpen = open.length > 0 || (listed.length === 0 && moment === 'before');
        if (isOpen) await runInTrees(job, { ...run, commit, checks: open, listed }, keep);
        const isDoubted = run.doubted?.some((name) =>
          open.find(({ check }) => checkName(check) === name && records.get(check)?.passed),
        );
        if (isDoubted === true && !(await run.tree.isBare())) {
          run.tree.forget();
          await runInTrees(job, { ...run, commit, checks: open, listed }, keep);
        }
      } catch (error) {
        if (!(error instanceof NotSetUp) || moment === 'before') throw error;
        const tasks = [...new Set(run.checks.flatMap((one) => one.tasks))];
        await keep(failedSetUp(error), { check: null, tasks, commit });
      }
      const inOrder = run.checks.flatMap(({ check }) => records.get(check) ?? []);
      const setUp = records.get(null);
      return setUp === undefined ? inOrder : [...inOrder, setUp];
    },
  );
  if (replayed) for (const one of value) tell(one, true);
  return value;
}

/** Appends the record of one run. */
function append({ tools, number }: Job, record: CheckRecord): Promise<void> {
  const line = `${JSON.stringify(CheckRecord.parse(record))}\n`;
  return tools.folder.append(`execution/${number}/checks.jsonl`, line);
}

/** Keeps the record of a run; the check is null for the set-up. */
type Keep = (
  run: CheckRun,
  of: Pick<PlacedCheck, 'tasks' | 'commit'> & { readonly check: Check | null },
) => Promise<void>;

/** Checks on a commit that has been made; `listed` holds also those that do not run. */
type TreesRun = Omit<ChecksToRun, 'checks'> & {
  readonly commit: string;
  readonly checks: readonly PlacedCheck[];
  readonly listed: readonly PlacedCheck[];
};

/** The time, in ms, after which checks are worth further trees: about that of making one. */
const worthTree = 150;

/**
 * Runs checks in one tree, and in further ones once that takes longer than making a tree does. The checks of one
 * task run in one tree and in their order, as one may need what another left there; a check that several tasks
 * have runs with the first of them, and where another one of these tasks fails without it, both run again.
 */
async function runInTrees(job: Job, run: TreesRun, keep: Keep): Promise<void> {
  const { sides, commit, listed, moment } = run;
  // Before the work, what the checks of other tasks left must not help.
  const isApart = moment === 'before' && sides !== undefined;
  const waiting = unitsOf(run.checks);
  const unsure: PlacedCheck[] = [];
  const openPlace = async (tree: TaskTree) => {
    let [at, ran]: [string, PlacedCheck[]] = [commit, []];
    const start = async () => {
      await (isApart ? tree.renew(commit) : tree.moveTo(commit));
      [at, ran] = [commit, []];
    };
    const runOne = async (placed: PlacedCheck) => {
      if (at !== placed.commit) await tree.moveTo(placed.commit);
      at = placed.commit;
      ran.push(placed);
      return await runInTurn(job, { ...run, tree }, placed);
    };
    await start();
    const wasBare = run.tellsBare === true && (await tree.isBare());
    const end = async (placed: PlacedCheck, seen: CheckRun) => {
      const { check, tasks, commit: on } = placed;
      await run.examine?.({
        check,
        run: seen,
        tree,
        keep: (other, files) =>
          append(job, { ...run, ...other, commit: on, tasks: [...tasks], tree: files }),
      });
      const isBare = wasBare && (await tree.isIntact());
      await keep(isBare ? { ...seen, bare: true } : seen, placed);
    };
    /** The earlier checks of its tasks that did not run here. */
    const missed = (placed: PlacedCheck) =>
      listed
        .slice(0, listed.indexOf(placed))
        .filter((one) => !ran.includes(one) && one.tasks.some((id) => placed.tasks.includes(id)));
    return {
      async work(): Promise<void> {
        for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) {
          if (isApart && ran.length > 0) await start();
          for (const placed of unit) {
            const seen = await runOne(placed);
            // A proof runs alone.
            const isRed = seen.passed !== true && seen.kind !== 'manual';
            if (isRed && placed.proof === undefined && missed(placed).length > 0)
              unsure.push(placed);
            else await end(placed, seen);
          }
        }
      },
      async workAgain(): Promise<void> {
        for (const placed of unsure) {
          if (isApart) await start();
          for (const one of missed(placed)) await runOne(one);
          await end(placed, await runOne(placed));
        }
      },
    };
  };
  const first = await openPlace(run.tree);
  const isOver = new AbortController();
  const opened: string[] = [];
  const workBeside = async (name: string) => {
    const { signal } = isOver;
    const isLate = await setTimeout(worthTree, true, { signal }).catch(() => false);
    const isWorth = waiting.flat().some(({ check }) => isProgram(check));
    if (!isLate || !isWorth || opened.length >= waiting.length) return;
    opened.push(name);
    // All checks run in the first tree where another one cannot be set up.
    const place = await openPlace(taskTree(name, job)).catch((error: unknown) => {
      if (!(error instanceof NotSetUp)) throw error;
    });
    await place?.work();
  };
  const isMore = sides !== undefined && waiting.length > 1;
  const isCopied = isMore && (await run.tree.isSetUpByCopy(commit));
  const more = isCopied ? job.tools.execution.settings.jobs - 1 : 0;
  const names = Array.from({ length: more }, (_, at) => `${sides}-${at + 2}`);
  const ways = [first.work().finally(() => isOver.abort()), ...names.map(workBeside)];
  // A failure lets no further check begin.
  for (const way of ways) way.catch(() => (waiting.length = 0));
  const ends = await Promise.allSettled(ways);
  if (opened.length > 0) await job.trees.reclaim(opened);
  for (const one of ends) if (one.status === 'rejected') throw one.reason;
  await first.workAgain();
}

/** Runs a check beside others; once more by itself if another one held the port that it needs. */
async function runInTurn(
  { turns }: Pick<Job, 'turns'>,
  { tree: { checks }, mostMs }: Pick<ChecksToRun, 'mostMs' | 'tree'>,
  { check, proof }: OwnedCheck,
): Promise<CheckRun> {
  const most = proof === undefined ? mostMs : undefined;
  const conditions = { ...checks, mostMs: Math.min(checks.mostMs, most ?? Infinity) };
  const run = () => runCheck(check, conditions);
  if (turns === undefined) return await run();
  const first = await turns.beside(run);
  return first.collided === true ? await turns.alone(run) : first;
}
