import type { PlanOnDesk } from '../../../../src/workflow/view-port.ts';
import { ContextPackage } from '../../../../src/model/context-package.ts';
import { planDocument } from '../../../../src/phases/documents/plan-document.ts';
import { Plan } from '../../../../src/model/plan.ts';
import { Task } from '../../../../src/model/task.ts';
import { samplesOf } from '../../../helpers/samples.ts';

const contextPackage = ContextPackage.parse(samplesOf('context-package').good.at(0));

/** A task that holds everything that a task can hold. */
export const fullTask = Task.parse(samplesOf('task').good.at(2));

export function taskOf(id: string, more: Partial<Task> = {}): Task {
  return {
    id,
    title: `What ${id} does`,
    description: `Do what ${id} is for.`,
    depends_on: [],
    convergence: { criteria: [`${id} is done`] },
    ...more,
  };
}

/** A plan as it lies on the desk: `b` and `c` wait for `a`. */
export function deskOf(more: Partial<PlanOnDesk> = {}): PlanOnDesk {
  const tasks = more.tasks ?? [
    taskOf('a'),
    taskOf('b', { depends_on: ['a'] }),
    taskOf('c', { depends_on: ['a'] }),
  ];
  const plan = planOf(tasks);
  const { findings = [], reading = null, changes = [] } = more;
  const told = { tasks, findings, reading, changes, contextPackage };
  return {
    version: 1,
    plan,
    tasks,
    findings: [],
    hash: 'hash',
    approvedHash: null,
    changes: [],
    reading: null,
    document: plan === null ? null : planDocument({ plan, ...told }),
    comments: [],
    versions: [],
    isTextEdited: false,
    ...more,
  };
}

/** Null where there is no task: a plan has at least one. */
function planOf(tasks: readonly Task[]): Plan | null {
  const ids = tasks.map(({ id }) => id);
  const [sample] = samplesOf('plan').good;
  const whole = { ...Plan.parse(sample), task_ids: ids, task_count: ids.length };
  return ids.length === 0 ? null : Plan.parse(whole);
}
