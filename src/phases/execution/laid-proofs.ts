// Lays the proofs of a plan into the work trees of its tasks, and makes each a check of the tasks that take it.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { CheckRecord } from '../../model/check-record.ts';
import { type Check, checkName } from '../../model/check.ts';
import type { Plan } from '../../model/plan.ts';
import type { PackagedProof } from '../../model/proof.ts';
import { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { ancestry } from '../../model/task-order.ts';
import { recordStep } from '../phase-tools.ts';
import type { Execution } from './execution-team.ts';

/**
 * Adds each proof to the checks of the tasks that take it. One that holds already is a check of the tasks on which
 * no other builds.
 */
export function withProofs(tasks: readonly Task[], { proofs = [] }: Plan): readonly Task[] {
  if (proofs.length === 0) return tasks;
  const isLast = ({ id }: Task) => !tasks.some(({ depends_on }) => depends_on.includes(id));
  return tasks.map((task) => {
    const own = proofs.filter(({ id, state }) =>
      state === 'holds' ? isLast(task) : task.proves?.includes(id),
    );
    const checks = own.map(({ id, argv, folder, sentence }) => {
      const describes = `${id}: ${sentence}`;
      return { kind: 'command', argv, folder, describes } as const;
    });
    return { ...task, checks: [...(task.checks ?? []), ...checks] };
  });
}

/** The proof that a check runs; undefined for any other check. */
export function proofIn(check: Check, proofs: readonly PackagedProof[]): PackagedProof | undefined {
  if (check.kind !== 'command') return undefined;
  const { argv, folder } = check;
  return proofs.find((one) => one.folder === folder && isDeepStrictEqual(one.argv, argv));
}

/** The proofs that a task takes, by its checks. */
export function proofsOf(
  task: Pick<Task, 'checks' | 'test'>,
  proofs: readonly PackagedProof[],
): readonly string[] {
  return checksOf(task).flatMap((check) => proofIn(check, proofs)?.id ?? []);
}

/** The proofs whose files are laid into the tree of a task: its own, unless a later task takes them, too. */
export function laidIn(
  task: Task,
  { tasks, proofs }: Pick<Execution, 'tasks' | 'proofs'>,
): readonly PackagedProof[] {
  const comesAfter = ancestry(tasks) ?? (() => false);
  return proofs.filter(({ id, state }) => {
    if (!proofsOf(task, proofs).includes(id)) return false;
    const others = tasks.filter((one) => one.id !== task.id && proofsOf(one, proofs).includes(id));
    return state === 'holds' || others.every((one) => comesAfter(task.id, one.id));
  });
}

/** The files of proofs, by their paths. */
export function filesOfProofs(proofs: readonly PackagedProof[]): ReadonlyMap<string, string> {
  return new Map(proofs.map(({ path, content }) => [path, content]));
}

/** Commits the proofs of the tasks that count onto their joined work, where it does not have them yet; a step. */
export async function layMissing(
  { trees, proofs, tools, number, signal }: Execution,
  commit: string,
  counting: readonly Task[],
): Promise<string> {
  const wanted = proofs.filter(({ id }) =>
    counting.some((task) => proofsOf(task, proofs).includes(id)),
  );
  if (wanted.length === 0) return commit;
  const step = { tools, signal, step: steps.execution(number).proven, input: { commit } };
  return await recordStep({ ...step, shape: z.string() }, async () => {
    const paths = wanted.map(({ path }) => path);
    const missing = await trees.missing(commit, paths);
    const added = wanted.filter(({ path }) => missing.includes(path));
    const laid = await trees.lay(commit, filesOfProofs(added));
    const message = `Add the proofs of the joined work\n${proofTrailers(added)}`;
    return await trees.squash({ commit: laid, parent: commit, message });
  });
}

/** The lines of a commit message that name the authors of proofs. */
export function proofTrailers(proofs: readonly PackagedProof[]): string {
  return proofs.map(({ id, author }) => `\nConclave-Proof: ${id} by ${author}`).join('');
}

/**
 * The records of proofs that a task takes and that ran in no tree of its own, as evidence of the task: red on the
 * start, green on the joined work.
 */
export function borrowRecords(
  task: Task,
  {
    execution,
    onStart,
    joined,
    round,
  }: {
    readonly execution: Pick<Execution, 'tasks' | 'proofs'>;
    readonly onStart: readonly CheckRecord[];
    readonly joined: readonly CheckRecord[];
    /** The round of the task’s last checks after its work. */
    readonly round: number;
  },
): readonly CheckRecord[] {
  const own = new Set(laidIn(task, execution).map(({ id }) => id));
  const others = checksOf(task).filter((check) => {
    const id = proofIn(check, execution.proofs)?.id;
    return id !== undefined && !own.has(id);
  });
  return others.flatMap((one) => {
    const [before, after] = [onStart, joined].map((all) =>
      all.find(({ check }) => check === checkName(one)),
    );
    if (before === undefined || after === undefined) return [];
    return [
      { ...before, tree: 'start' as const },
      { ...after, moment: 'after' as const, tree: 'work' as const, round },
      { ...before, moment: 'again' as const, tree: 'tests' as const },
    ];
  });
}
