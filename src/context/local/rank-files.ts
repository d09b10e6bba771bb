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

/** At most `most` files. */
export function rankFiles(
  task: string,
  index: { readonly files: FileIndex; readonly commits: CommitIndex; readonly most: number },
): Ranking {
  const { paths } = index.files;
  const documents = liveDocuments(index.files);
  const words = taskTerms(task);
  const kernel = searchKernel();
  const content = contentScores(kernel, { terms: words, documents });
  const commits = commitScores(words, { index: index.commits, tree: searchedTree(kernel, paths) });
  const named = namedPaths(task, paths);
  const numbers = documentNumbers(documents, paths);
  const ofPath = pathScores(paths, words);
  const ofDocument = (values: Float64Array) => (at: number) => values[numbers[at] ?? -1] ?? 0;
  const raw: RawSignals = {
    named: (at) => (named.has(paths[at] ?? '') ? 1 : 0),
    body: ofDocument(content.body),
    window: ofDocument(content.window),
    path: (at) => ofPath.get(paths[at] ?? '') ?? 0,
    joints: ofDocument(content.joints),
    definitions: ofDocument(content.definitions),
    definedJoints: ofDocument(content.definedJoints),
    history: (at) => commits.history.scores[at] ?? 0,
    commits: (at) => commits.texts[at] ?? 0,
    churn: (at) => commits.churn[at] ?? 0,
  };
  const { found, signals, scores } = weighed(paths, { raw, commitCount: commits.commitCount });
  const pathAt = (place: number): string => paths[found[place] ?? 0] ?? '';
  const byPath = (a: number, b: number): number => (pathAt(a) < pathAt(b) ? -1 : 1);
  const files = bestPlaces(scores, { most: index.most, before: byPath }).map((place) => {
    const at = found[place] ?? 0;
    const document = numbers[at] ?? -1;
    return {
      path: paths[at] ?? '',
      place: at,
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
  for (const [number, files] of byDocument.entries()) {
    for (const path of files) numbers.set(path, number);
  }
  return Int32Array.from(paths, (path) => numbers.get(path) ?? -1);
}

/** What each signal says of the path at a place of the list. */
type RawSignals = Readonly<Record<Signal, (at: number) => number>>;

/** Columns by place in `found`: of a large tree nearly every file has a word of the task. */
interface Weighed {
  /** Places of the paths that the task may be about. */
  readonly found: Uint32Array;
  readonly signals: Readonly<Record<Signal, Float64Array>>;
  readonly scores: Float64Array;
}

function weighed(
  paths: readonly string[],
  { raw, commitCount }: { readonly raw: RawSignals; readonly commitCount: number },
): Weighed {
  // A file that only changes often is not about the task.
  const telling = signalNames.filter((signal) => signal !== 'churn').map((signal) => raw[signal]);
  const found = Uint32Array.from(paths.keys()).filter((at) => telling.some((of) => of(at) > 0));
  const kinds = Array.from(found, (at) => kindOf(paths[at] ?? ''));
  const factors = Float64Array.from(found, (at, place) => {
    return isGenerated(paths[at] ?? '') ? generatedFactor : kindFactor[kinds[place] ?? 'data'];
  });
  // A change log has every word, so source files set the measure where there are any.
  const isMeasured = kinds.includes('source')
    ? (place: number) => kinds[place] === 'source'
    : () => true;
  const historyShare = commitCount / (commitCount + shortHistory);
  const scores = new Float64Array(found.length);
  const signals = mapped((signal) => {
    const values = Float64Array.from(found, raw[signal]);
    const most = values.reduce((a, b, place) => (isMeasured(place) ? Math.max(a, b) : a), 0) || 1;
    const share = shares[signal] * (ofHistory.has(signal) ? historyShare : 1);
    for (const [place, value] of values.entries()) {
      values[place] = share * (factors[place] ?? 0) * Math.min(1, value / most);
      scores[place] = (scores[place] ?? 0) + (values[place] ?? 0);
    }
    return values;
  });
  return { found, signals, scores };
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
