import { z } from 'zod';
import { Approval } from '../../model/approval.ts';
import { ContextPackage } from '../../model/context-package.ts';
import type { PlanVerdict } from '../../model/decision.ts';
import { Finding } from '../../model/finding.ts';
import { Plan } from '../../model/plan.ts';
import { Task } from '../../model/task.ts';
import { sha256Of } from '../../store/digest.ts';
import type { Tools } from '../tools.ts';
import { validateFolder } from '../validate-folder.ts';
import { buildApproval, planHash } from './approval.ts';
import { planFindingsOf } from './plan-findings.ts';

/** The plan as it stands on disk now, a person’s edits included. */
export const ReviewedPlan = z.object({
  plan: Plan.nullable(),
  tasks: z.array(Task),
  findings: z.array(Finding),
  hash: z.string().nullable(),
});
export type ReviewedPlan = z.infer<typeof ReviewedPlan>;

/** Reads plan and tasks from disk, checks shape, meaning and the plan check once more. */
export async function readPlanForReview(
  number: number,
  tools: Tools,
  signal: AbortSignal,
): Promise<ReviewedPlan> {
  const group = `approval-${number}`;
  const { value } = await tools.steps.run(
    { key: `${group}/check`, group, kind: 'calculation', input: {}, shape: ReviewedPlan, signal },
    async () => {
      const check = tools.schemas.check.bind(tools.schemas);
      const invalid = await validateFolder({ folder: tools.folder.path, check });
      const findings = invalid.filter(({ rule }) => rule !== 'approval-stale');
      if (findings.some((finding) => finding.severity === 'blocking')) {
        return { plan: null, tasks: [], findings, hash: null };
      }
      const { plan, tasks, contextPackage } = await readPlan(tools);
      const checked = await planFindingsOf({ plan, tasks, contextPackage, tools });
      return {
        plan,
        tasks,
        findings: [...findings, ...withoutRepeats(findings, checked)],
        hash: planHash(plan, tasks),
      };
    },
  );
  return value;
}

/** Binds the approval to the exact plan and tasks, and to the cited files as they are now. */
export async function recordApproval(record: {
  readonly number: number;
  readonly reviewed: ReviewedPlan;
  readonly verdict: Extract<PlanVerdict, { kind: 'approve' }>;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}): Promise<Approval> {
  const { number, reviewed, verdict, tools, signal } = record;
  const { plan, tasks, hash } = reviewed;
  if (plan === null) throw new Error('an invalid plan cannot be approved');
  const group = `approval-${number}`;
  const { value } = await tools.steps.run(
    {
      key: `${group}/record`,
      group,
      kind: 'calculation',
      input: { hash },
      shape: Approval,
      signal,
    },
    async () => {
      const approval = buildApproval({
        sessionId: tools.folder.id,
        plan,
        tasks,
        by: verdict.by,
        now: new Date(),
        baseCommit: tools.repository.base.commit,
        citedFiles: await hashesOf(citedFiles(tasks), tools),
      });
      await tools.folder.writeJson('approval.json', approval);
      return approval;
    },
  );
  tools.emit({ type: 'plan.approved', by: verdict.by, hash: value.plan_hash });
  return value;
}

async function readPlan(
  tools: Tools,
): Promise<{ plan: Plan; tasks: Task[]; contextPackage: ContextPackage }> {
  const plan = Plan.parse(await readJson(tools, 'plan.json'));
  const tasks: Task[] = [];
  for (const id of plan.task_ids) tasks.push(Task.parse(await readJson(tools, `.task/${id}.json`)));
  return {
    plan,
    tasks,
    contextPackage: ContextPackage.parse(await readJson(tools, 'context-package.json')),
  };
}

async function readJson(tools: Tools, path: string): Promise<unknown> {
  return JSON.parse((await tools.folder.read(path)) ?? 'null');
}

function withoutRepeats(known: readonly Finding[], found: readonly Finding[]): readonly Finding[] {
  const seen = new Set(known.map((f) => `${f.rule} ${f.file} ${f.pointer}`));
  return found.filter((f) => !seen.has(`${f.rule} ${f.file} ${f.pointer}`));
}

function citedFiles(tasks: readonly Task[]): readonly string[] {
  return [
    ...new Set(tasks.flatMap((task) => (task.files ?? []).map((file) => file.path))),
  ].toSorted();
}

async function hashesOf(paths: readonly string[], tools: Tools): Promise<Record<string, string>> {
  const entries = await Promise.all(
    paths.map(async (path): Promise<[string, string]> => {
      const text = await tools.repository.read(path);
      return [path, text === null ? 'absent' : sha256Of(text)];
    }),
  );
  return Object.fromEntries(entries);
}
