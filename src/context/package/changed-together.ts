import type { PastCommit } from '../../git/past-commits.ts';

/** Two files that changed in the same commits. */
export interface Partner {
  readonly path: string;
  readonly of: string;
  readonly together: number;
  /** Commits that touched `of`. */
  readonly total: number;
}

/** Commits of more files tie together what has nothing in common. */
const mostFiles = 20;
const leastTogether = 3;
const leastShare = 0.5;

/** Files outside `paths` that mostly changed when one of them did, the closest first. */
export function partnersOf(
  paths: readonly string[],
  commits: readonly PastCommit[],
): readonly Partner[] {
  const own = new Set(paths);
  const best = new Map<string, Partner>();
  for (const of of paths) {
    const touching = commits.filter(
      ({ files }) => files.length <= mostFiles && files.some(({ path }) => path === of),
    );
    const counts = new Map<string, number>();
    for (const { path } of touching.flatMap(({ files }) => files)) {
      if (!own.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    for (const [path, together] of counts) {
      const partner = { path, of, together, total: touching.length };
      if (isClose(partner) && together > (best.get(path)?.together ?? 0)) best.set(path, partner);
    }
  }
  return [...best.values()].toSorted((a, b) => b.together - a.together);
}

function isClose({ together, total }: Partner): boolean {
  return together >= leastTogether && together / total >= leastShare;
}
