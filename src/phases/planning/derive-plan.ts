import { isTest } from '../../context/file-kinds.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Plan } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { type PlannedPath, filesByTask } from './derive-files.ts';
import { type PlacedTask, placeTasks } from './derive-order.ts';
import { deriveOverview } from './derive-overview.ts';
import { deriveTask } from './derive-task.ts';
import { significantWords } from './mentions.ts';

/**
 * A plan without a planning agent: one task for each task of the chosen solution. `exists` tells
 * of the base; `knownTests` are paths of test files. What is wrong with the solution (a missing
 * file, a circle, a hostile path) is carried over for the plan check to name, never hidden.
 */
export function derivePlan({
  contextPackage,
  exists,
  now,
  knownTests,
}: {
  readonly contextPackage: ContextPackage;
  readonly exists: (path: string) => boolean;
  readonly now: Date;
  readonly knownTests: readonly string[];
}): { readonly plan: Plan; readonly tasks: readonly Task[] } {
  const { tasks: solutionTasks, execution_flow: flow } = contextPackage.implementation_plan;
  const placed = placeTasks(solutionTasks, flow);
  const files = filesByTask({ placed, exists, evidence: contextPackage.evidence ?? [] });
  const concerns = concernsByTask(placed, contextPackage.technical_concerns);
  const plannedTests = testsWritten([...files.values()].flat());
  const tasks = placed.map((task) =>
    deriveTask({
      placed: task,
      files: files.get(task.id) ?? [],
      contextPackage,
      concerns: concerns.get(task.id) ?? [],
      exists,
      knownTests,
      plannedTests,
    }),
  );
  return {
    plan: deriveOverview({ contextPackage, tasks, flow: flowInTaskIds(flow, placed), now }),
    tasks,
  };
}

function testsWritten(files: readonly PlannedPath[]): readonly string[] {
  const living = files.filter(({ action, path }) => action !== 'delete' && isTest(path));
  return [...new Set(living.map(({ path }) => path))];
}

/** Each concern goes to the task whose name and files share most of its words, else to the first. */
function concernsByTask(
  placed: readonly PlacedTask[],
  concerns: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const bags = placed.map(({ id, origin }) => {
    const files = origin.files.map(({ file }) => file).join(' ');
    return { id, words: significantWords(`${origin.name} ${origin.key_point ?? ''} ${files}`) };
  });
  const byTask = new Map<string, string[]>();
  for (const concern of concerns.filter((text) => text.trim() !== '')) {
    const wanted = significantWords(concern);
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
