import type { RelevantFile } from '../model/context.ts';
import { eachLimited } from '../git/each-limited.ts';
import { isGenerated, kindOf } from './file-kinds.ts';
import type { Needle } from './needles.ts';
import { reasonsFor } from './reasons.ts';
import type { Repository } from '../git/repository.ts';
import { definitionsIn, type Definition } from './symbols.ts';
import { emptyTally, tallyLine, type Tally } from './tally.ts';
import * as weighing from './weighing.ts';
import { bestWindow, symbolsIn, type Window } from './window.ts';

/** What a search found, before it is ranked. */
export interface SearchHits {
  readonly needles: readonly Needle[];
  readonly tallies: readonly Tally[];
  readonly repository: Pick<Repository, 'files' | 'read'>;
  readonly maxFiles: number;
  readonly signal: AbortSignal;
}

/** What each part of a file counts, after it was divided by its greatest value in the search. */
const shares = { body: 1, path: 0.6, definitions: 0.4, window: 0.6 } as const;
const kindFactor = { source: 1, test: 0.8, doc: 0.75, data: 0.7 } as const;
const generatedFactor = 0.3;
/** For a file that defines a name which the task gives, however many other files use it. */
const definesNamed = 0.25;
/** A file far below the best one only shares a common word with the task. */
const leastShare = 0.12;
/** The files that are read to be weighed closely. */
const mostCandidates = 60;

/**
 * Ranks files by their hits, where rare keywords and names count for more; then reads the best
 * ones to weigh what they define and how close together the hits stand.
 */
export async function ranked(hits: SearchHits): Promise<readonly RelevantFile[]> {
  const { needles, tallies, repository, maxFiles, signal } = hits;
  const files = await repository.files();
  const weights = weighing.needleWeights({ needles, tallies, fileCount: files.length });
  const search = { needles, weights };
  const candidates = candidatesOf({ ...hits, files, weights });
  const looked = await eachLimited(candidates, async (path) => {
    signal.throwIfAborted();
    const content = await repository.read(path);
    return content === null ? null : lookAt({ path, content }, search);
  });
  const scored = scoredFiles(
    looked.filter((file) => file !== null),
    weights,
  );
  const least = (scored[0]?.score ?? 0) * leastShare;
  const good = scored.filter(({ score }) => score > 0 && score >= least).slice(0, maxFiles);
  return good.map(({ file, score }) => relevantFile({ file, score }, search));
}

/** One file as read at the base. */
interface Looked {
  readonly path: string;
  readonly counts: readonly number[];
  readonly lineCount: number;
  readonly match: weighing.PathMatch;
  readonly definitions: readonly Definition[];
  readonly definitionWeight: number;
  readonly definesNamed: boolean;
  readonly window: Window;
}

/** The paths with the best hits in content and name, before any file is read. */
function candidatesOf(
  hits: SearchHits & { readonly files: readonly string[]; readonly weights: readonly number[] },
): readonly string[] {
  const { tallies, files, weights, maxFiles } = hits;
  const bodies = new Map(
    tallies.map((tally) => [
      tally.path,
      weighing.bodyWeight(tally.counts, { weights, lengthRatio: 1 }),
    ]),
  );
  const rough = files.map((path) => ({
    path,
    body: bodies.get(path) ?? 0,
    name: weighing.matchPath(path, hits).value,
  }));
  const most = { body: greatest(rough, ({ body }) => body), name: greatest(rough, (f) => f.name) };
  return rough
    .map(({ path, body, name }) => ({
      path,
      score: (body / most.body + (shares.path * name) / most.name) * factorOf(path),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, Math.max(mostCandidates, 3 * maxFiles))
    .map(({ path }) => path);
}

function lookAt(
  { path, content }: { readonly path: string; readonly content: string },
  search: weighing.Weighed,
): Looked {
  const { needles, weights } = search;
  const tally = emptyTally(path, needles);
  const lines = content.split('\n');
  for (const [index, text] of lines.entries()) {
    tallyLine(tally, { number: index + 1, text });
  }
  const definitions = definitionsIn(path, content);
  const lineCount = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  return {
    path,
    counts: tally.counts,
    lineCount,
    match: weighing.matchPath(path, search),
    definitions,
    definitionWeight: weighing.definitionWeight(definitions, search),
    definesNamed: needles.some(
      (needle) =>
        needle.identifier &&
        definitions.some(({ name }) => weighing.definitionMatch(name, needle) === 1),
    ),
    window: bestWindow({ hits: tally.lines, weights, lineCount }),
  };
}

function scoredFiles(
  files: readonly Looked[],
  weights: readonly number[],
): readonly { readonly file: Looked; readonly score: number }[] {
  const middle = files.map(({ lineCount }) => lineCount).toSorted((a, b) => a - b)[
    files.length >> 1
  ];
  const parts = files.map((file) => ({
    file,
    body: weighing.bodyWeight(file.counts, {
      weights,
      lengthRatio: file.lineCount / Math.max(1, middle ?? 1),
    }),
    path: file.match.value,
    definitions: file.definitionWeight,
    window: file.window.value,
  }));
  const body = greatest(parts, (p) => p.body);
  const path = greatest(parts, (p) => p.path);
  const definitions = greatest(parts, (p) => p.definitions);
  const window = greatest(parts, (p) => p.window);
  return parts
    .map((p) => ({
      file: p.file,
      score:
        factorOf(p.file.path) *
        ((shares.body * p.body) / body +
          (shares.path * p.path) / path +
          (shares.definitions * p.definitions) / definitions +
          (p.file.definesNamed ? definesNamed : 0) +
          (shares.window * p.window) / window),
    }))
    .toSorted((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
}

function relevantFile(
  { file, score }: { readonly file: Looked; readonly score: number },
  { needles, weights }: weighing.Weighed,
): RelevantFile {
  const { path, window, definitions } = file;
  const defined = definitions.filter(({ name }) =>
    needles.some((needle) => weighing.definitionMatch(name, needle) === 1),
  );
  return {
    path,
    start: window.start,
    end: window.end,
    symbols: [...symbolsIn(definitions, window)],
    score: Math.round(score * 1000) / 1000,
    reasons: [
      ...reasonsFor({
        needles,
        weights,
        counts: file.counts,
        path: file.match,
        defined: [...new Set(defined.map(({ name }) => name))],
      }),
    ],
  };
}

function factorOf(path: string): number {
  return isGenerated(path) ? generatedFactor : kindFactor[kindOf(path)];
}

/** The greatest value, or 1 where all are zero, so that it can divide. */
function greatest<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((most, item) => Math.max(most, value(item)), 0) || 1;
}
