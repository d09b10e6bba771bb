// Finds files that changed in the same past commits.
import type { PastCommit } from '../../git/past-commits.ts';

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
