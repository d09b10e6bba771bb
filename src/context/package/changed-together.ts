// Finds files that changed in the same past commits.
import { counted } from '../../model/wording.ts';
import type { PastCommit } from '../../git/past-commits.ts';
import type { Repository } from '../../git/repository.ts';

const mostPartners = 4;

/** Writes sentences on the files that mostly changed together with the found ones. */
export async function findCoChanges(
  paths: readonly string[],
  repository: Pick<Repository, 'files' | 'log'>,
): Promise<readonly string[]> {
  const commits = paths.length === 0 ? null : await repository.log();
  if (commits === null) return [];
  const known = new Set(await repository.files());
  const partners = paths
    .flatMap((path) => partnersOf([path], commits))
    .filter(({ path }) => known.has(path))
    .toSorted((a, b) => b.together - a.together);
  const pairs = new Map(partners.map((one) => [[one.path, one.of].toSorted().join('\n'), one]));
  return [...pairs.values()]
    .slice(0, mostPartners)
    .map(
      ({ path, of, together, total }) =>
        `${of} and ${path} changed together in ${together} of ${counted(total, 'small commit')} on ${of}.`,
    );
}

/** Two files that changed in the same commits. */
export interface Partner {
  readonly path: string;
  readonly of: string;
  readonly together: number;
  /** The number of commits that touched `of`. */
  readonly total: number;
}

/** The most files of a commit that counts: larger commits connect unrelated files. */
const mostFiles = 20;
const leastTogether = 3;
const leastShare = 0.5;

/** Files outside `paths` that mostly changed when one of them did, the closest first. */
export function partnersOf(
  paths: readonly string[],
  commits: readonly PastCommit[],
): readonly Partner[] {
  const own = new Set(paths);
  const small = commits.filter(({ isRoot, files }) => !isRoot && files.length <= mostFiles);
  const best = new Map<string, Partner>();
  for (const of of paths) {
    const touching = small.filter(({ files }) => files.some(({ path }) => path === of));
    const counts = new Map<string, number>();
    for (const { path } of touching.flatMap(({ files }) => files)) {
      if (!own.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    for (const [path, together] of counts) {
      const isClose = together >= leastTogether && together / touching.length >= leastShare;
      if (!isClose || together <= (best.get(path)?.together ?? 0)) continue;
      best.set(path, { path, of, together, total: touching.length });
    }
  }
  return [...best.values()].toSorted((a, b) => b.together - a.together);
}
