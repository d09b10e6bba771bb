import { isRunTest } from '../../context/run-tests.ts';
import { testMap } from '../../context/tests-of.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { filesByTask } from './derive-files.ts';
import { type PlacedTask, placeTasks } from './derive-order.ts';
import { deriveOverview } from './derive-overview.ts';
import { deriveTask } from './derive-task.ts';
import { topicsIn } from '../topic-words.ts';

/**
 * A plan without a planning agent: one task for each task of the chosen solution. `known`
 * are the files at the base. What is wrong with the solution (a missing file, a circle, a hostile
 * path) is carried over for the plan check to name, never hidden.
 */
export function derivePlan({
  contextPackage,
  known,
  now,
}: {
  readonly contextPackage: ContextPackage;
  readonly known: ReadonlySet<string>;
  readonly now: Date;
}): { readonly plan: Plan; readonly tasks: readonly Task[] } {
  const { tasks: solutionTasks, execution_flow: flow } = contextPackage.implementation_plan;
  const placed = placeTasks(solutionTasks, flow);
  const files = filesByTask({
    placed,
    exists: (path) => known.has(path),
    evidence: contextPackage.evidence ?? [],
  });
  const concerns = concernsByTask(placed, contextPackage.technical_concerns);
  const written = [...files.values()].flat().filter(({ action }) => action !== 'delete');
  const planned = new Set(written.map(({ path }) => path));
  const plannedTests = new Set([...planned].filter(isRunTest));
  const map = testMap([...new Set([...known, ...planned])]);
  const tasks = placed.map((task) =>
    deriveTask({
      placed: task,
      files: files.get(task.id) ?? [],
      contextPackage,
      concerns: concerns.get(task.id) ?? [],
      known,
      plannedTests,
      testsAfter: new Set(
        placed
          .filter(({ dependsOn }) => dependsOn.includes(task.id))
          .flatMap(({ id }) => (files.get(id) ?? []).map(({ path }) => path)),
      ),
      map,
    }),
  );
  return {
    plan: deriveOverview({ contextPackage, tasks, flow: flowInTaskIds(flow, placed), now }),
    tasks,
  };
}

/** Each concern goes to the task whose name and files share most of its words, else to the first. */
function concernsByTask(
  placed: readonly PlacedTask[],
  concerns: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const bags = placed.map(({ id, origin }) => {
    const files = origin.files.map(({ file }) => file).join(' ');
    return { id, words: topicsIn(`${origin.name} ${origin.key_point ?? ''} ${files}`) };
  });
  const byTask = new Map<string, string[]>();
  for (const concern of concerns.filter((text) => text.trim() !== '')) {
    const wanted = topicsIn(concern);
    const [best] = bags
      .map(({ id, words }) => ({ id, shared: [...wanted].filter((one) => words.has(one)).length }))
      .toSorted((a, b) => b.shared - a.shared);
    if (best !== undefined) byTask.set(best.id, [...(byTask.get(best.id) ?? []), concern]);
  }
  return byTask;
}

/** Without a stated flow, the order of the tasks is the flow. */
function flowInTaskIds(flow: string, placed: readonly PlacedTask[]): string {
  const ids = new Map(placed.map(({ id, origin }) => [origin.id, id]));
  if (flow.trim() === '') return placed.map(({ id }) => id).join(' → ');
  return flow.replaceAll(/\bT\d{1,3}\b/g, (token) => ids.get(token) ?? token);
}
