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

/** A dependency that is merely missing was put back; one that was turned around is told. */
function lostDependencies({ tasks, contextPackage }: Made, byOrigin: ByOrigin): readonly Finding[] {
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return [];
  return contextPackage.implementation_plan.tasks.flatMap(({ id: origin, depends_on: needs }) =>
    needs.flatMap((need) =>
      (byOrigin.get(origin) ?? []).flatMap((task): Finding[] => {
        const turned = (byOrigin.get(need) ?? []).find((other) => comesAfter(other, task));
        if (turned === undefined) return [];
        const message = `${nameOf(turned)} waits for ${nameOf(task)}, but in the solution ${origin} waits for ${need}; turn it around, or say in design_decisions why the order changed.`;
        return [
          {
            severity: 'warning',
            rule: 'dependency-turned',
            file: taskFile(turned),
            pointer: '/depends_on',
            message,
          },
        ];
      }),
    ),
  );
}
