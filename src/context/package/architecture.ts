import type { RelevantFile } from '../../model/context.ts';
import { listed } from '../../model/wording.ts';
import type { Repository } from '../../git/repository.ts';
import { entryPoints } from './entry-points.ts';
import { historyInsights } from './history-insights.ts';
import { importEdges, type Edge } from './import-edges.ts';
import type { ComingCommits } from '../../git/past-commits.ts';

const mostHubs = 4;
const mostEdges = 12;

/**
 * How the found files hang together, in sentences: hubs among them, entry points near them,
 * what the history says of them, and who imports whom.
 */
export async function architectureInsights(
  files: readonly RelevantFile[],
  repository: Pick<Repository, 'git' | 'files' | 'read'>,
  coming: ComingCommits | null,
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const near = files.map(({ path }) => path);
  const read = (path: string) => repository.read(path);
  const [edges, entries, history] = await Promise.all([
    importEdges(near, read),
    entryPoints({ files: await repository.files(), near, read }),
    historyInsights(near, repository, coming),
  ]);
  return [
    ...hubsIn(edges).slice(0, mostHubs),
    ...entries.map(({ path, why }) => `${path} is an entry point: ${why}.`),
    ...history,
    ...edges.slice(0, mostEdges).map(edgeText),
  ];
}

function hubsIn(edges: readonly Edge[]): readonly string[] {
  return [...Map.groupBy(edges, ({ to }) => to)]
    .filter(([, by]) => by.length >= 2)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([path, by]) => {
      const importers = by.map(({ from }) => from);
      return `${path} is imported by ${by.length} of the found files: ${listed(importers)}.`;
    });
}

function edgeText({ from, to, line }: Edge): string {
  return `${from} imports ${to} (line ${line}).`;
}
