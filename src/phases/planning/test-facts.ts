// Finds how the tests are run that a plan names.
import { languageFamily } from '../../context/file-kinds.ts';
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

/**
 * Finds what the project’s files say about running such tests: the nearest folder above them counts, and a
 * statement for their language before one for any.
 */
export function testFact(tests: readonly string[], facts: readonly BuildFact[]): BuildFact | null {
  const [first] = tests;
  if (first === undefined) return null;
  const family = languageFamily(first);
  const fitting = facts.filter(
    ({ kind, folder, language }) =>
      kind === 'test' &&
      (folder === '' || tests.every((path) => path.startsWith(`${folder}/`))) &&
      (language === null || language === family),
  );
  const [best = null] = fitting.toSorted(
    (a, b) =>
      b.folder.length - a.folder.length ||
      Number(a.language === null) - Number(b.language === null),
  );
  return best;
}

/** The project’s own command for such tests, from the root; null if no file states one. */
export function testCommand(tests: readonly string[], facts: readonly BuildFact[]): string | null {
  const best = testFact(tests, facts);
  if (best === null) return null;
  return best.folder === '' ? best.value : `cd ${best.folder} && ${best.value}`;
}
