import { isGenerated, kindOf } from '../file-kinds.ts';
import { bestPlaces } from './best-places.ts';
import type { CommitIndex } from './commit-index.ts';
import { commitScores, type CommitScores } from './commit-scores.ts';
import { liveDocuments, type LiveDocuments } from './documents.ts';
import type { FileIndex } from './file-index.ts';
import { contentScores, type ContentScores } from './file-scores.ts';
import { namedPaths } from './named-paths.ts';
import { pathScores } from './path-scores.ts';
import { searchKernel } from './search-kernel.ts';
import { searchedTree } from './searched-tree.ts';
import { taskTerms } from './task-terms.ts';

/** What each signal counts, after it was divided by its greatest value in the search. */
const shares = {
  named: 2,
  body: 0.9,
  window: 0.9,
  path: 0.65,
  joints: 0.7,
  definitions: 0.5,
  definedJoints: 0.25,
  history: 1,
  commits: 0.3,
  churn: 0.5,
} as const;

const ofHistory: ReadonlySet<Signal> = new Set(['history', 'commits', 'churn']);
/** With so many commits, the history counts half: a few of them say little of each file. */
const shortHistory = 100;

export type Signal = keyof typeof shares;

/** What each signal adds to the score of one file. */
type Signals = Readonly<Record<Signal, number>>;

export interface RankedFile {
  readonly path: string;
  /** Of the path in the tree. */
  readonly place: number;
  /** Null where its content is not searched, e.g. of a picture. */
  readonly document: number | null;
  readonly score: number;
  readonly signals: Signals;
}

/** The files that fit the task best, best first, and what they were weighed with. */
export interface Ranking {
  readonly files: readonly RankedFile[];
  readonly documents: LiveDocuments;
  readonly content: ContentScores;
  readonly commits: CommitScores;
}

const kindFactor = { source: 1, test: 0.75, doc: 0.65, data: 0.65 } as const;
const generatedFactor = 0.3;

/** At most `most` files. Throws `DamagedSegment`. */
export function rankFiles(
  task: string,
  index: { readonly files: FileIndex; readonly commits: CommitIndex; readonly most: number },
): Ranking {
  const { paths } = index.files;
  const documents = liveDocuments(index.files);
  const terms = taskTerms(task);
  const kernel = searchKernel();
  const tree = searchedTree(kernel, paths);
  const content = contentScores(kernel, { terms, documents });
  const commits = commitScores(terms, { index: index.commits, tree });
  const numbers = documentNumbers(documents, paths);
  const ofDocument = (values: Float64Array): Float64Array => byPlace(values, numbers);
  const raw: Columns = {
    named: namedPaths(task, paths),
    body: ofDocument(content.body),
    window: ofDocument(content.window),
    path: pathScores(terms, tree),
    joints: ofDocument(content.joints),
    definitions: ofDocument(content.definitions),
    definedJoints: ofDocument(content.definedJoints),
    history: commits.history.scores,
    commits: commits.texts,
    churn: commits.churn,
  };
  const { signals, scores } = weighed(paths, { raw, commitCount: commits.commitCount });
  const byPath = (a: number, b: number): number => ((paths[a] ?? '') < (paths[b] ?? '') ? -1 : 1);
  const files = bestPlaces(scores, { most: index.most, before: byPath }).map((place) => {
    const document = numbers[place] ?? -1;
    return {
      path: paths[place] ?? '',
      place,
      document: document === -1 ? null : document,
      score: scores[place] ?? 0,
      signals: mapped((signal) => signals[signal][place] ?? 0),
    };
  });
  return { files, documents, content, commits };
}

/** By path: the document that has its content, or -1. */
function documentNumbers(
  { paths: byDocument }: LiveDocuments,
  paths: readonly string[],
): Int32Array {
  const numbers = new Map<string, number>();
  for (let number = 0; number < byDocument.length; number++) {
    for (const path of byDocument[number] ?? []) numbers.set(path, number);
  }
  return Int32Array.from(paths, (path) => numbers.get(path) ?? -1);
}

/** By path: what is said of its document. */
function byPlace(values: Float64Array, numbers: Int32Array): Float64Array {
  const placed = new Float64Array(numbers.length);
  for (let place = 0; place < numbers.length; place++) {
    placed[place] = values[numbers[place] ?? -1] ?? 0;
  }
  return placed;
}

/** What each signal says, by the path’s place in the tree. */
type Columns = Readonly<Record<Signal, Float64Array>>;

/** What each signal adds to the score of each path, and the scores; zero where nothing tells. */
function weighed(
  paths: readonly string[],
  { raw, commitCount }: { readonly raw: Columns; readonly commitCount: number },
): { readonly signals: Columns; readonly scores: Float64Array } {
  const found = foundPlaces(raw);
  const factors = new Float64Array(found.length);
  const sources = found.filter((place, at) => {
    const path = paths[place] ?? '';
    const kind = kindOf(path);
    factors[at] = isGenerated(path) ? generatedFactor : kindFactor[kind];
    return kind === 'source';
  });
  // A change log has every word, so source files set the measure where there are any.
  const measured = sources.length > 0 ? sources : found;
  const historyShare = commitCount / (commitCount + shortHistory);
  const scores = new Float64Array(paths.length);
  const signals = mapped((signal) => {
    const share = shares[signal] * (ofHistory.has(signal) ? historyShare : 1);
    const most = greatest(raw[signal], measured) || 1;
    const added = new Float64Array(paths.length);
    for (let at = 0; at < found.length; at++) {
      const place = found[at] ?? 0;
      const value = share * (factors[at] ?? 0) * Math.min(1, (raw[signal][place] ?? 0) / most);
      added[place] = value;
      scores[place] = (scores[place] ?? 0) + value;
    }
    return added;
  });
  return { signals, scores };
}

function greatest(values: Float64Array, places: Uint32Array): number {
  let most = 0;
  for (let at = 0; at < places.length; at++) most = Math.max(most, values[places[at] ?? 0] ?? 0);
  return most;
}

/** Places of the paths that the task may be about. */
function foundPlaces(raw: Columns): Uint32Array {
  const places = new Uint32Array(raw.churn.length);
  let count = 0;
  // A file that only changes often is not about the task.
  const telling = signalNames.filter((signal) => signal !== 'churn').map((signal) => raw[signal]);
  for (let place = 0; place < places.length; place++) {
    if (telling.some((values) => (values[place] ?? 0) > 0)) places[count++] = place;
  }
  return places.subarray(0, count);
}

function mapped<T>(value: (signal: Signal) => T): Record<Signal, T> {
  return {
    named: value('named'),
    body: value('body'),
    window: value('window'),
    path: value('path'),
    joints: value('joints'),
    definitions: value('definitions'),
    definedJoints: value('definedJoints'),
    history: value('history'),
    commits: value('commits'),
    churn: value('churn'),
  };
}

const signalNames = [
  'named',
  'body',
  'window',
  'path',
  'joints',
  'definitions',
  'definedJoints',
  'history',
  'commits',
  'churn',
] as const satisfies readonly Signal[];
