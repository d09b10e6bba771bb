// Puts proofs that stay red, or that somebody calls wrong, to their author once, and holds what the author mends.
import type { CheckRecord } from '../../model/check-record.ts';
import { checkName } from '../../model/check.ts';
import type { MendedProof, TaskOutcome } from '../../model/execution.ts';
import { checksAfter } from '../../model/execution-summary.ts';
import type { PackagedProof } from '../../model/proof.ts';
import { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { askSeat } from '../asking/ask-seat.ts';
import { returnQuestion } from '../proof/make-proofs.ts';
import { proofHash } from '../proof/proof-files.ts';
import type { TaskJob } from './execution-team.ts';
import { filesOfProofs, proofIn, proofsOf } from './laid-proofs.ts';
import { retriesOf } from './retries.ts';

/** The questions on the proofs of one task, and what came of them. */
export interface Dispute {
  readonly mended: readonly MendedProof[];
  /** The red proofs that their author stands by, by their ids. */
  readonly stoodBy: readonly string[];
  /** Asks about the proofs that are due; returns the task with what its author mended, null if nothing was. */
  put(
    job: TaskJob,
    now: {
      readonly records: readonly CheckRecord[];
      readonly round: number;
      /** True if nobody fixes the work any more. */
      readonly isLast: boolean;
      /** What its executor said at the end. */
      readonly said: string;
    },
  ): Promise<Pick<TaskJob, 'laid' | 'start'> | null>;
}

export function openDispute(): Dispute {
  const asked = new Set<string>();
  const [mended, stoodBy]: [MendedProof[], string[]] = [[], []];
  return {
    mended,
    stoodBy,
    async put(job, { records, round, isLast, said }) {
      const { tools, trees, task, laid, parent } = job;
      const wrong = disputesIn([said, ...retriesOf(tools.execution.records, task.id)]);
      const due = redProofs(job, records).filter(
        ({ proof: { id, author } }) =>
          !asked.has(id) && (isLast || wrong.has(id)) && tools.agents.get(author)?.kind === 'model',
      );
      for (const { proof } of due) asked.add(proof.id);
      const changed: MendedProof[] = [];
      const authors = Map.groupBy(due, ({ proof }) => proof.author);
      for (const [author, own] of authors) {
        const given = await askAuthor(job, { author, own, wrong, round });
        changed.push(...(given ?? []));
        const open = own.filter(({ proof }) => given?.every((one) => one.proof.id !== proof.id));
        stoodBy.push(...open.map(({ proof }) => proof.id));
      }
      if (changed.length === 0) return null;
      mended.push(...changed);
      const now = currentProofs(laid, [{ mended: changed }]);
      return { laid: now, start: await trees.lay(parent, filesOfProofs(now)) };
    },
  };
}

/** What somebody says against proofs, by their ids: lines like `P1 is wrong: it asks for a tab`. */
function disputesIn(texts: readonly string[]): ReadonlyMap<string, string> {
  const lines = texts.flatMap((text) => [
    ...text.matchAll(/^\W*(P[1-9]\d?)\W* is wrong: *(.+)$/gm),
  ]);
  return new Map(lines.map(([, id = '', why = '']) => [id, why]));
}

interface RedProof {
  readonly proof: PackagedProof;
  readonly run: CheckRecord;
}

/** The proofs in the tree of a task that are red after its work. */
function redProofs({ task, laid }: TaskJob, records: readonly CheckRecord[]): readonly RedProof[] {
  const red = checksAfter(records).filter(({ passed }) => passed === false);
  return checksOf(task).flatMap((check) => {
    const proof = proofIn(check, laid);
    const run = red.find((one) => one.check === checkName(check));
    return proof === undefined || run === undefined ? [] : { proof, run };
  });
}

/** Asks the author of red proofs about them; returns those that it mended, null if it gave no answer. */
async function askAuthor(
  job: TaskJob,
  asks: {
    readonly author: string;
    readonly own: readonly RedProof[];
    readonly wrong: ReadonlyMap<string, string>;
    readonly round: number;
  },
): Promise<readonly MendedProof[] | null> {
  const { tools, number, task, request, signal } = job;
  const { author, own, wrong, round } = asks;
  const returned = own.map(({ proof: { id }, run: { output } }) => {
    const why = wrong.get(id);
    const said = why === undefined ? '' : `, and who works on it says that it is wrong: ${why}`;
    const problem = `it is red after the work${said}. Mend its code only if a right solution could fail it; how it runs stays.`;
    return { id, problem, output };
  });
  const question = returnQuestion(
    {
      tools,
      number,
      task: request.task,
      package: job.package,
      folder: `execution/${number}/${task.id}/dispute-${round}`,
    },
    steps.task(number, task.id).dispute(round),
    { proofs: own.map(({ proof }) => proof), returned },
  );
  const { answer } = await askSeat({ tools, question, names: [author], signal });
  if (answer === null) return null;
  return own.flatMap(({ proof }) => {
    const made = answer.value.proofs.find(({ id }) => id === proof.id);
    if (made === undefined || made.content === proof.content) return [];
    const { content, needs } = made;
    const mended = { ...proof, content, needs };
    return { was: proof.content, proof: { ...mended, hash: proofHash(mended) } };
  });
}

/** Replaces proofs by what their author made of them during the work on tasks. */
export function currentProofs(
  proofs: readonly PackagedProof[],
  outcomes: readonly Pick<TaskOutcome, 'mended'>[],
): readonly PackagedProof[] {
  const mended = outcomes.flatMap((one) => one.mended ?? []);
  return proofs.map((one) => mended.find(({ proof }) => proof.id === one.id)?.proof ?? one);
}

/** Leaves a completed task unproven while nobody has taken a mended proof that it takes. */
export function awaitYes(
  outcome: TaskOutcome,
  task: Task,
  { session, mended }: { readonly session: string; readonly mended: readonly MendedProof[] },
): TaskOutcome {
  const proofs = mended.map(({ proof }) => proof);
  const awaits = [...proofsOf(task, proofs)];
  if (outcome.status !== 'completed' || awaits.length === 0) return outcome;
  const authors = listed([...new Set(proofs.map(({ author }) => author))]);
  const why = `${listed(awaits)} shows it only as ${authors} mended it after the work, which nobody has approved (both versions are in the result; to take the new one: conclave execute ${session} --accept ${task.id} --because "…")`;
  return { ...outcome, status: 'unproven', why, awaits };
}

/** Says which proofs a task waits for that run only in the tree of a later task or on the joined work. */
export function awaitedText(
  { task, laid, proofs }: TaskJob,
  status: TaskOutcome['status'],
): string | null {
  const open = proofsOf(task, proofs).filter((id) => !laid.some((proof) => proof.id === id));
  return status === 'unproven' && open.length > 0 ? `awaits ${listed(open)}` : null;
}
