// Makes tasks that touch the same file run one after the other if their planner gave no order.
import { type Finding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { Task } from '../../model/task.ts';
import { ancestry } from '../../model/task-order.ts';
import { touchesOf } from './touches.ts';

/**
 * Adds the missing entries of `depends_on` so that no two tasks touch one file at once, each with a warning.
 * The tasks must come in an order in which they can run, so that no circle arises.
 */
export function orderSharing(inOrder: readonly Task[]): {
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
} {
  const findings: Finding[] = [];
  const last = new Map<string, string>();
  let tasks = inOrder;
  for (const { task: id, path } of touchesOf(inOrder)) {
    const before = last.get(path);
    last.set(path, id);
    if (before === undefined || before === id || ancestry(tasks)?.(id, before) !== false) continue;
    tasks = tasks.map((task) =>
      task.id === id ? { ...task, depends_on: [...task.depends_on, before] } : task,
    );
    const message = `${nameOf(before)} and ${nameOf(id)} both change ${path} and the planner named no order, so ${nameOf(id)} now waits for ${nameOf(before)}.`;
    const at = { file: taskFile(id), pointer: '/depends_on' };
    findings.push(warningFinding({ rule: 'order-added', ...at, message }));
  }
  return { tasks, findings };
}
