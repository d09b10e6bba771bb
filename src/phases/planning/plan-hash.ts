// Hashes a plan, and binds its approval to the hash.
import type { Approval } from '../../model/decision.ts';
import type { Plan } from '../../model/plan.ts';
import { type Task, runtimeTaskFields } from '../../model/task.ts';
import { canonicalJson, sha256Of } from '../../store/digest.ts';

/**
 * sha256 in hex over everything in plan and tasks that a person approves. What execution writes into the tasks,
 * the order of keys and the order of the tasks on disk do not affect it.
 */
export function planHash(plan: Plan, tasks: readonly Task[]): string {
  const parts = tasks.map((task) => canonicalJson(withoutRuntime(task))).toSorted();
  return sha256Of(`${canonicalJson(plan)}[${parts.join(',')}]`);
}

/** False as soon as anything in plan or tasks differs from what was approved. */
export function approvalHolds(approval: Approval, plan: Plan, tasks: readonly Task[]): boolean {
  return approval.plan_hash === planHash(plan, tasks);
}

/** The task without the fields that execution writes. */
export function withoutRuntime(task: Task): Task {
  const kept: Task = { ...task };
  for (const field of runtimeTaskFields) delete kept[field];
  return kept;
}
