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
  const findRun = async ({ check, commit }: PlacedCheck) => {
    const isFree = unconfined.includes(checkTarget(check));
    for (const run of known) {
      const isOther = run.kind !== check.kind || run.check !== checkName(check);
      if (isOther || (run.unconfined === true) !== isFree) continue;
      if (run.commit === commit || (await print(run.commit)) === (await print(commit))) return run;
    }
    return null;
  };
  const found = new Map<PlacedCheck, CheckRecord>();
  for (const unit of unitsOf(checks)) {
    const runs = await Promise.all(unit.map(findRun));
    for (const [at, run] of runs.includes(null) ? [] : runs.entries()) {
      const placed = unit[at];
      if (placed !== undefined && run !== null) found.set(placed, run);
    }
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
      const keep = async (one: CheckRun, { check, tasks, commit: at }: Kept) => {
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

/** A check whose run is kept; null for the set-up. */
type Kept = Pick<PlacedCheck, 'tasks' | 'commit'> & { readonly check: Check | null };

type Keep = (run: CheckRun, of: Kept) => Promise<void>;

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
  const { tree, sides, commit, checks, moment } = run;
  // Before the work, what the checks of other tasks left must not help.
  const isEach = moment === 'before' && sides !== undefined;
  const waiting = unitsOf(checks);
  const ranIn = new Map<PlacedCheck, TaskTree>();
  const unsure: PlacedCheck[] = [];
  const failures: unknown[] = [];
  const missed = (owned: PlacedCheck, place: TaskTree) =>
    run.listed.slice(0, run.listed.indexOf(owned)).filter((one) => {
      const isNear = one.tasks[0] === owned.tasks[0] || (!isEach && ranIn.get(one) === place);
      return !isNear && one.tasks.some((task) => owned.tasks.includes(task));
    });
  const places = new Map<TaskTree, string>();
  const open = async (place: TaskTree) => {
    await (isEach ? place.renew(commit) : place.moveTo(commit));
    places.set(place, commit);
  };
  const runIn = async (place: TaskTree, placed: PlacedCheck) => {
    if (places.get(place) !== placed.commit) await place.moveTo(placed.commit);
    places.set(place, placed.commit);
    return await runInTurn(job, { ...run, place }, placed);
  };
  const end = async (owned: PlacedCheck, one: CheckRun, place: TaskTree) => {
    await run.examine?.({
      check: owned.check,
      run: one,
      tree: place,
      keep: (other, files) => {
        const { tasks, commit: on } = owned;
        return append(job, { ...run, ...other, commit: on, tasks: [...tasks], tree: files });
      },
    });
    const isBare = wasBare && (await place.isIntact());
    await keep(isBare ? { ...one, bare: true } : one, owned);
  };
  const work = async (place: TaskTree) => {
    for (let done = 0, unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) {
      if (isEach && done > 0) await open(place);
      done += 1;
      for (const owned of unit) {
        const one = await runIn(place, owned);
        ranIn.set(owned, place);
        // A proof runs alone.
        const isRed = one.passed !== true && one.kind !== 'manual' && owned.proof === undefined;
        if (isRed && missed(owned, place).length > 0) unsure.push(owned);
        else await end(owned, one, place);
      }
    }
  };
  const guarded = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      waiting.length = 0;
      failures.push(error);
    }
  };
  await open(tree);
  const wasBare = run.tellsBare === true && (await tree.isBare());
  const isOver = new AbortController();
  const opened: string[] = [];
  const workBeside = async (name: string) => {
    const { signal } = isOver;
    const isLate = await setTimeout(worthTree, true, { signal }).catch(() => false);
    const isWorth = waiting.flat().some(({ check }) => isProgram(check));
    if (!isLate || !isWorth || opened.length >= waiting.length) return;
    const place = taskTree(name, job);
    opened.push(name);
    try {
      await open(place);
    } catch (error) {
      // All checks run in the first tree then.
      if (error instanceof NotSetUp) return;
      throw error;
    }
    await work(place);
  };
  const isMore = sides !== undefined && waiting.length > 1 && (await tree.isSetUpByCopy(commit));
  const most = isMore ? job.tools.execution.settings.jobs : 1;
  const names = Array.from({ length: most - 1 }, (_, at) => `${sides}-${at + 2}`);
  const beside = names.map((name) => guarded(() => workBeside(name)));
  await guarded(() => work(tree));
  isOver.abort();
  await Promise.all(beside);
  if (opened.length > 0) await job.trees.reclaim(opened);
  if (failures.length > 0) throw failures[0];
  for (const owned of unsure) {
    if (isEach) await open(tree);
    for (const one of missed(owned, tree)) await runIn(tree, one);
    await end(owned, await runIn(tree, owned), tree);
  }
}

/** Runs a check beside others; once more by itself if another one held the port that it needs. */
async function runInTurn(
  { turns }: Pick<Job, 'turns'>,
  { place, mostMs }: Pick<ChecksToRun, 'mostMs'> & { readonly place: TaskTree },
  { check, proof }: OwnedCheck,
): Promise<CheckRun> {
  const { checks } = place;
  const most = proof === undefined ? mostMs : undefined;
  const conditions = { ...checks, mostMs: Math.min(checks.mostMs, most ?? Infinity) };
  const run = () => runCheck(check, conditions);
  if (turns === undefined) return await run();
  const first = await turns.beside(run);
  return first.collided === true ? await turns.alone(run) : first;
}
