// Puts proofs that stay red, or that somebody calls wrong, to their author once, and holds what the author mends.
import type { CheckRecord } from '../../model/check-record.ts';
import { checkName } from '../../model/check.ts';
import type { MendedProof, TaskOutcome } from '../../model/execution.ts';
import { checksAfter } from '../../model/execution-summary.ts';
import { steps } from '../../model/steps.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { askSeat } from '../asking/ask-seat.ts';
import { returnQuestion } from '../proof/make-proofs.ts';
import { proofHash } from '../proof/proof-files.ts';
import type { TreeJob } from './ask-task.ts';
import type { TaskJob } from './execution-team.ts';
import { filesOfProofs, proofIn, proofsOf } from './laid-proofs.ts';
import { retriesOf } from './retries.ts';

/** What came of the questions on the proofs of one task, by their ids. */
export interface Dispute {
  readonly asked: readonly string[];
  readonly mended: readonly MendedProof[];
  /** Red proofs that their author stands by. */
  readonly stoodBy: readonly string[];
}

export const noDispute: Dispute = { asked: [], mended: [], stoodBy: [] };

/**
 * Asks the author of red proofs about them, once each: after the last fix, or once who works on the task or a person
 * has a line like `P1 is wrong: it asks for a tab`. Returns the task, with what its author mended.
 */
export async function putDispute(
  job: TreeJob,
  before: Dispute,
  now: {
    readonly records: readonly CheckRecord[];
    readonly round: number;
    /** True if nobody fixes the work any more. */
    readonly isLast: boolean;
    /** What its executor said at the end. */
    readonly said: string;
  },
): Promise<{ readonly job: TreeJob; readonly dispute: Dispute }> {
  const { tools, trees, number, task, laid, request, signal } = job;
  const lines = [now.said, ...retriesOf(tools.execution.records, task.id)].join('\n');
  const said = lines.matchAll(/^\W*(P[1-9]\d?)\W* is wrong: *(.+)$/gm);
  const wrong = new Map([...said].map(([, id = '', why = '']) => [id, why]));
  const red = checksAfter(now.records).filter(({ passed }) => passed === false);
  const due = checksOf(task).flatMap((check) => {
    const proof = proofIn(check, laid);
    const run = red.find((one) => one.check === checkName(check));
    if (proof === undefined || run === undefined || before.asked.includes(proof.id)) return [];
    const isModel = tools.agents.get(proof.author)?.kind === 'model';
    return isModel && (now.isLast || wrong.has(proof.id)) ? { proof, run } : [];
  });
  const author = due[0]?.proof.author;
  if (author === undefined) return { job, dispute: before };
  const own = due.filter(({ proof }) => proof.author === author);
  const proofs = own.map(({ proof }) => proof);
  const returned = own.map(({ proof: { id }, run: { output } }) => {
    const why = wrong.has(id) ? `, and it was said to be wrong: ${wrong.get(id)}` : '';
    const problem = `it is red after the work${why}. Mend its code only if a right solution could fail it; how it runs stays.`;
    return { id, problem, output };
  });
  const folder = `execution/${number}/${task.id}/dispute-${now.round}`;
  const about = { tools, number, task: request.task, package: job.package, folder };
  const call = steps.task(number, task.id).dispute(now.round);
  const question = returnQuestion(about, call, { proofs, returned });
  const { answer } = await askSeat({ tools, question, names: [author], signal });
  const mended = new Map<string, MendedProof>();
  for (const { id, content, needs } of answer?.value.proofs ?? []) {
    const proof = proofs.find((one) => one.id === id && one.content !== content);
    if (proof === undefined) continue;
    const made = { ...proof, content, needs };
    mended.set(id, { was: proof.content, proof: { ...made, hash: proofHash(made) } });
  }
  const asked = proofs.map(({ id }) => id);
  const stoodBy = answer === null ? [] : asked.filter((id) => !mended.has(id));
  const dispute = {
    asked: [...before.asked, ...asked],
    mended: [...before.mended, ...mended.values()],
    stoodBy: [...before.stoodBy, ...stoodBy],
  };
  if (mended.size === 0) return { job, dispute };
  const current = laid.map((one) => mended.get(one.id)?.proof ?? one);
  const start = await trees.lay(job.parent, filesOfProofs(current));
  return { job: { ...job, laid: current, start }, dispute };
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
export function awaitsText(
  { task, laid, proofs }: TaskJob,
  status: TaskOutcome['status'],
): string | null {
  const open = proofsOf(task, proofs).filter((id) => !laid.some((proof) => proof.id === id));
  return status === 'unproven' && open.length > 0 ? `awaits ${listed(open)}` : null;
}
