import type { CommitFacts } from './commit-index.ts';

/** Which paths of the tree the commits touched, by number: there are many touches of few paths. */
export interface TouchedPaths {
  /** The path of each number. */
  readonly names: readonly string[];
  /** By the commit’s place in the list: the numbers of the paths that it touched. */
  readonly touched: readonly (readonly number[])[];
}

export function touchedPaths(
  commits: readonly CommitFacts[],
  tree: ReadonlySet<string>,
): TouchedPaths {
  const numbers = new Map<string, number>();
  const touched = commits.map(({ files }) => {
    const here: number[] = [];
    for (const path of files) {
      const known = numbers.get(path);
      if (known === undefined && !tree.has(path)) continue;
      const number = known ?? numbers.size;
      if (known === undefined) numbers.set(path, number);
      here.push(number);
    }
    return here;
  });
  return { names: [...numbers.keys()], touched };
}
