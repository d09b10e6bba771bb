import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { ancestry } from '../../model/task-order.ts';
import { type FlowStages, flowChains } from './execution-flow.ts';
import { tasksByOrigin } from './task-mapping.ts';

interface CheckedFlow {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
}

/**
 * Whether the tasks follow the solution’s execution flow, as far as the flow can be read and its
 * ids lead to tasks. At most one finding for each task.
 */
export function checkFlow({
  plan,
  tasks,
  contextPackage,
}: CheckedFlow & { readonly contextPackage: ContextPackage }): readonly Finding[] {
  const { tasks: solutionTasks, execution_flow: flow } = contextPackage.implementation_plan;
  const byOrigin = tasksByOrigin(solutionTasks, tasks);
  const known = new Set(solutionTasks.map(({ id }) => id));
  return flowChains(flow, known).flatMap((stages) =>
    chainFindings(
      stages.map((stage) => stage.flatMap((origin) => byOrigin.get(origin) ?? [])),
      { plan, tasks },
    ),
  );
}

function chainFindings(stages: FlowStages, { plan, tasks }: CheckedFlow): readonly Finding[] {
  const place = new Map(plan.task_ids.map((id, index) => [id, index]));
  const comesAfter = ancestry(tasks);
  if (comesAfter === null) return [];
  return stages.flatMap((stage, index) => {
    const earlier = stages.slice(0, index).flat();
    const before = stages[index - 1] ?? [];
    return stage.flatMap((id) => {
      if (earlier.includes(id) || before.length === 0) return [];
      const turned = before.find(
        (other) => (place.get(other) ?? -1) > (place.get(id) ?? Infinity) || comesAfter(other, id),
      );
      if (turned !== undefined) return [outOfOrder(id, turned)];
      return earlier.some((other) => comesAfter(id, other)) ? [] : [atOnce(id, before)];
    });
  });
}

function outOfOrder(id: string, before: string): Finding {
  return {
    severity: 'warning',
    rule: 'flow-order',
    file: 'plan.json',
    pointer: '/task_ids',
    message: `${nameOf(id)} comes before ${nameOf(before)}, but the solution’s execution flow puts it behind; swap them or correct depends_on.`,
  };
}

function atOnce(id: string, before: readonly string[]): Finding {
  return {
    severity: 'warning',
    rule: 'flow-order',
    file: taskFile(id),
    pointer: '/depends_on',
    message: `${nameOf(id)} would start at once, but the solution’s execution flow puts it after ${before.map(nameOf).join(', ')}; add what it waits for to depends_on.`,
  };
}
