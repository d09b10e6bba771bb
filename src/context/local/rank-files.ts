import type { FileTraits } from '../file-kinds.ts';
import { bestPlaces } from './best-places.ts';
import type { CommitIndex } from './commit-index.ts';
import { commitScores, type CommitScores } from './commit-scores.ts';
import type { LiveDocuments } from './documents.ts';
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
  const { paths, traits, documents, numbers } = index.files;
  const terms = taskTerms(task);
  const kernel = searchKernel();
  const tree = searchedTree(kernel, paths);
  const content = contentScores(kernel, { terms, documents });
  const commits = commitScores(terms, { commits: index.commits, tree });
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
  const { scores, signalsOf } = weighed(traits, { raw, commitCount: commits.commitCount });
  const byPath = (a: number, b: number): number => ((paths[a] ?? '') < (paths[b] ?? '') ? -1 : 1);
  const files = bestPlaces(scores, { most: index.most, before: byPath }).map((place) => {
    const document = numbers[place] ?? -1;
    return {
      path: paths[place] ?? '',
      place,
      document: document === -1 ? null : document,
      score: scores[place] ?? 0,
      signals: signalsOf(place),
    };
  });
  return { files, documents, content, commits };
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

/** The score of each path, zero where nothing tells, and what each signal adds to one. */
function weighed(
  traits: readonly FileTraits[],
  { raw, commitCount }: { readonly raw: Columns; readonly commitCount: number },
): { readonly scores: Float64Array; readonly signalsOf: (place: number) => Signals } {
  const found = foundPlaces(raw);
  const sources = found.filter((place) => traits[place]?.kind === 'source');
  // A change log has every word, so source files set the measure where there are any.
  const measured = sources.length > 0 ? sources : found;
  const historyShare = commitCount / (commitCount + shortHistory);
  const parts = mapped((signal): Part => {
    const share = shares[signal] * (ofHistory.has(signal) ? historyShare : 1);
    const values = raw[signal];
    return { values, share, most: greatest(values, measured) || 1 };
  });
  const factors = Float64Array.from(traits, factorOf);
  const scores = new Float64Array(traits.length);
  for (const signal of signalNames) addPart(scores, { found, factors, part: parts[signal] });
  const addedBy = (part: Part, place: number): number => addedTo(part, factors[place] ?? 0, place);
  return { scores, signalsOf: (place) => mapped((signal) => addedBy(parts[signal], place)) };
}

/** What one signal says of each path, and what its greatest value counts. */
interface Part {
  readonly values: Float64Array;
  readonly share: number;
  readonly most: number;
}

function addPart(
  scores: Float64Array,
  {
    found,
    factors,
    part,
  }: { readonly found: Uint32Array; readonly factors: Float64Array; readonly part: Part },
): void {
  for (let at = 0; at < found.length; at++) {
    const place = found[at] ?? 0;
    scores[place] = (scores[place] ?? 0) + addedTo(part, factors[place] ?? 0, place);
  }
}

function addedTo({ values, share, most }: Part, factor: number, place: number): number {
  const value = values[place] ?? 0;
  return value === 0 ? 0 : share * factor * Math.min(1, value / most);
}

function factorOf({ isGenerated, kind }: FileTraits): number {
  return isGenerated ? generatedFactor : kindFactor[kind];
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
