// Checks the places of a plan against the files of a project as they are now.
import { filesWithWords, listWorkFiles, readWorkFile } from '../../git/look-up.ts';
import { ignoredAmong } from '../../git/uncommittable.ts';
import type { NamedPlace } from '../../model/critique.ts';
import { type CheckedPlan, checkPlanPlaces } from './judge-places.ts';

/** Checks the places that a plan names, in their order. */
export async function checkPlan(
  plan: string,
  root: string,
  signal: AbortSignal,
): Promise<CheckedPlan<NamedPlace>> {
  const target = { root, signal };
  const { places, unchecked } = await checkPlanPlaces(plan, {
    list: () => listWorkFiles(target),
    read: (path) => readWorkFile(target, path),
    find: (words) => filesWithWords(target, words),
    ignored: (paths) => ignoredAmong(target, paths),
  });
  const named = places.map(({ kind, text, path, line, at, status, why }) => {
    return { kind, text, path, line, plan_line: at, status, why };
  });
  return { places: named, unchecked };
}
