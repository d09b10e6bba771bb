// Finds how the tests are run that the checks of a plan name.
import { buildFacts } from '../../context/package/surroundings.ts';
import type { BuildFact } from '../../model/context.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { type Task, checksOf } from '../../model/task.ts';
import type { PlanBase } from './plan-base.ts';

/** Adds the build facts of the folders of these tests, about which a search may have learned nothing. */
export async function factsForTests(
  tasks: readonly Task[],
  known: readonly BuildFact[],
  { files, text: read }: Pick<PlanBase, 'files' | 'text'>,
): Promise<readonly BuildFact[]> {
  const near = tasks
    .flatMap(checksOf)
    .flatMap((check) => (check.kind === 'test' ? tidyPath(check.path) : []));
  if (near.length === 0) return known;
  const texts = new Set(known.map((fact) => JSON.stringify(fact)));
  const found = await buildFacts({ files: await files(), near, read });
  return [...known, ...found.filter((fact) => !texts.has(JSON.stringify(fact)))];
}
