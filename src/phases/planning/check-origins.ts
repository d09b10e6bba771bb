import { cleanText } from '../../model/clean-text.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import type { Plan } from '../../model/plan.ts';
import { ancestry } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { oneLine } from '../../model/wording.ts';
import { tasksByOrigin } from './keep-from-package.ts';

interface Made {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
}

/** Whether the tasks of the decided solution are all there, and still wait for each other. */
export function checkOrigins(made: Made): readonly Finding[] {
  const { tasks: origins } = made.contextPackage.implementation_plan;
  const byOrigin = tasksByOrigin(origins, made.tasks);
  // Of a solution with one task, every task is a part.
  if (byOrigin.size === 0) return origins.length > 1 ? [unknownOrigins] : [];
  return [...lostTasks(made, byOrigin), ...lostDependencies(made, byOrigin)];
}

const unknownOrigins: Finding = {
  severity: 'warning',
  rule: 'origin-unknown',
  file: 'plan.json',
  pointer: '/task_ids',
  message:
    'No task says in source.original_id which task of the solution it carries out, so nobody can tell whether all of them are here.',
};

type ByOrigin = ReturnType<typeof tasksByOrigin>;

/** What a person took out is not missed. */
function lostTasks({ plan, contextPackage }: Made, byOrigin: ByOrigin): readonly Finding[] {
  const removed = new Set(
    (plan.removed_tasks ?? []).flatMap(({ original_id: ids }) => ids?.match(/T\d{1,3}/g) ?? []),
  );
  return contextPackage.implementation_plan.tasks
    .filter(({ id }) => !byOrigin.has(id) && !removed.has(id))
    .map(({ id, name }) => ({
      severity: 'blocking',
      rule: 'origin-lost',
      file: 'plan.json',
      pointer: '/task_ids',
      message: `No task carries out ${id} of the solution ("${oneLine(cleanText(name))}"); add one with source.original_id "${id}", or name it in the task that does its work.`,
    }));
}

/** What was merely missing was put back; what could not be, as the plan goes another way, is told. */
function lostDependencies({ tasks, contextPackage }: Made, byOrigin: ByOrigin): readonly Finding[] {
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return [];
  return contextPackage.implementation_plan.tasks.flatMap(({ id: origin, depends_on: needs }) =>
    needs.flatMap((need) =>
      (byOrigin.get(origin) ?? []).flatMap((task) =>
        (byOrigin.get(need) ?? [])
          .filter((other) => other !== task && !comesAfter(task, other))
          .map((other): Finding => {
            const isTurned = comesAfter(other, task);
            const how = isTurned
              ? `${nameOf(other)} waits for ${nameOf(task)}`
              : `${nameOf(task)} does not wait for ${nameOf(other)}`;
            return {
              severity: 'warning',
              rule: isTurned ? 'dependency-turned' : 'dependency-lost',
              file: taskFile(isTurned ? other : task),
              pointer: '/depends_on',
              message: `${how}, but in the solution ${origin} waits for ${need}; correct depends_on, or say in design_decisions why the order changed.`,
            };
          }),
      ),
    ),
  );
}
