import type { Task } from '../../../model/task.ts';

/**
 * A task of which only the title is known. Its one criterion is empty on purpose: the plan check
 * names it as missing until somebody writes it.
 */
export function newTask({
  id,
  title,
  description,
  dependsOn,
}: {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly dependsOn: readonly string[];
}): Task {
  return {
    id,
    title,
    description,
    depends_on: [...dependsOn],
    convergence: { criteria: [''] },
    context_package_path: 'context-package.json',
  };
}
