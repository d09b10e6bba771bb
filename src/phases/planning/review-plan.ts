// Reads the plan back from disk, and records its approval.
import { z } from 'zod';
import { Approval, type PlanVerdict } from '../../model/decision.ts';
import type { Task } from '../../model/task.ts';
import { readPlainFile } from '../../git/disk.ts';
import { sha256Of } from '../../store/digest.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import { rerunEdited } from '../proof/revise-proofs.ts';
import { approvalHolds, planHash } from './plan-hash.ts';
import { ReviewedPlan, readApproval, readStoredPlan } from './read-plan.ts';
import { readReading } from './reading-file.ts';
import type { steps } from '../../model/steps.ts';

/** The context for one review of a plan. */
export interface Review {
  readonly own: ReturnType<typeof steps.approval>;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/**
 * Runs the proofs that a person edited, then reads plan and tasks from disk and checks shape, meaning and the
 * plan check again.
 */
export function readPlanForReview({ own, tools, signal }: Review): Promise<ReviewedPlan> {
  const step = { tools, signal, step: own.check, shape: ReviewedPlan };
  return recordStep(step, async () => {
    await rerunEdited(tools, signal);
    return await readPlanOnDisk(tools);
  });
}

const ApprovalStep = z.union([
  z.object({ state: z.literal('approved'), approval: Approval, reviewed: ReviewedPlan }),
  z.object({ state: z.literal('changed') }),
]);

/**
 * Binds the approval to the exact plan and tasks, and to the cited files as they are now. Null if the plan on
 * disk differs from the one that was shown, because nobody approved that. A verdict that leaves the plan as it
 * is keeps a valid approval.
 */
export async function recordApproval({
  own,
  tools,
  signal,
  verdict,
  hash,
}: Review & {
  readonly verdict: Extract<PlanVerdict, { kind: 'approve' | 'leave' }>;
  /** The hash of the plan that the question was about, for the input of the step. */
  readonly hash: string | null;
}): Promise<{ readonly approval: Approval; readonly reviewed: ReviewedPlan } | null> {
  const step = { tools, signal, step: own.record, input: { hash }, shape: ApprovalStep };
  const value = await recordStep(step, async () => {
    const reviewed = await readPlanOnDisk(tools);
    const approval = await writeApproval(reviewed, verdict, tools);
    if (approval === null) return { state: 'changed' as const };
    return { state: 'approved' as const, approval, reviewed };
  });
  if (value.state === 'changed') return null;
  const { approved_by: by, plan_hash: approved, unread } = value.approval;
  const told = unread === undefined ? {} : { unread };
  tools.emit({ type: 'plan.approved', by, hash: approved, ...told });
  return value;
}

/** Withdraws an approval and removes what was handed to execution. */
export async function withdrawApproval({ folder }: Pick<Tools, 'folder'>): Promise<void> {
  await folder.remove('approval.json');
  await folder.remove('execution-context.json');
}

async function readPlanOnDisk(tools: Tools): Promise<ReviewedPlan> {
  const { plan, tasks, findings, hash } = await readStoredPlan(tools);
  return { plan, tasks, findings, hash };
}

/** Writes the approval, or reads the one that the verdict leaves valid; null if this plan may not be approved. */
async function writeApproval(
  { plan, tasks, findings, hash }: ReviewedPlan,
  verdict: Extract<PlanVerdict, { kind: 'approve' | 'leave' }>,
  tools: Tools,
): Promise<Approval | null> {
  if (plan === null || findings.some(({ severity }) => severity === 'blocking')) return null;
  if (verdict.kind === 'leave') {
    const approval = await readApproval(tools.folder);
    return approval !== null && approvalHolds(approval, plan, tasks) ? approval : null;
  }
  if (verdict.hash !== null && verdict.hash !== hash) return null;
  const approval = {
    session_id: tools.folder.id,
    plan_hash: planHash(plan, tasks),
    approved_at: new Date().toISOString(),
    approved_by: verdict.by,
    ...(await notesOfReaders(tools)),
    base_commit: tools.repository.base.commit,
    cited_files: await citedFiles(tasks, tools),
  };
  // Files handed over for an earlier approval must not remain next to this one.
  await tools.folder.remove('execution-context.json');
  await tools.folder.writeJson('approval.json', approval);
  return approval;
}

/** Says for the approval that the plan was not read, or which findings of its readers are open. */
async function notesOfReaders(
  tools: Pick<Tools, 'folder'>,
): Promise<Pick<Approval, 'unread' | 'open_findings'>> {
  const reading = await readReading(tools);
  const { unread = '', findings = [] } = reading ?? {};
  const open = findings.filter(({ fate }) => fate === 'open').map(({ problem }) => problem);
  return {
    ...(unread !== '' && { unread: `not yet read by others: ${unread}` }),
    ...(open.length !== 0 && { open_findings: open }),
  };
}

/** Maps paths to the current sha256 of their bytes, or "absent". */
async function citedFiles(tasks: readonly Task[], tools: Tools): Promise<Record<string, string>> {
  const paths = new Set(tasks.flatMap(({ files = [] }) => files.map(({ path }) => path)));
  const entries = await Promise.all(
    [...paths].toSorted().map(async (path): Promise<[string, string]> => {
      const content = await readPlainFile(tools.repository.root, path);
      return [path, content === null ? 'absent' : sha256Of(content)];
    }),
  );
  return Object.fromEntries(entries);
}
