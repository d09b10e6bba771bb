import { isGenerated, kindOf } from '../file-kinds.ts';
import type { CommitIndex } from './commit-index.ts';
import { commitScores, type CommitScores } from './commit-scores.ts';
import { liveDocuments, type LiveDocuments } from './documents.ts';
import type { FileIndex } from './file-index.ts';
import {
  contentScores,
  weighedTerms,
  type ContentScores,
  type WeighedTerm,
} from './file-scores.ts';
import { namedPaths } from './named-paths.ts';
import { pathScores } from './path-scores.ts';
import { taskTerms } from './task-terms.ts';

/** What each signal counts, after it was divided by its greatest value in the search. */
const shares = {
  named: 1.5,
  body: 1.2,
  window: 0.7,
  path: 0.6,
  joints: 0.4,
  definitions: 0.4,
  definedJoints: 0.3,
  commits: 0.5,
  churn: 0.3,
} as const;

export type Signal = keyof typeof shares;

/** What each signal adds to the score of one file. */
type Signals = Readonly<Record<Signal, number>>;

export interface RankedFile {
  readonly path: string;
  /** Null where its content is not searched, e.g. of a picture. */
  readonly document: number | null;
  readonly score: number;
  readonly signals: Signals;
}

/** The files that fit the task, best first, and what they were weighed with. */
export interface Ranking {
  readonly files: readonly RankedFile[];
  readonly terms: readonly WeighedTerm[];
  readonly documents: LiveDocuments;
  readonly content: ContentScores;
  readonly commits: CommitScores;
}

const kindFactor = { source: 1, test: 0.75, doc: 0.65, data: 0.65 } as const;
const generatedFactor = 0.3;

export function rankFiles(
  task: string,
  index: { readonly files: FileIndex; readonly commits: CommitIndex },
): Ranking {
  const documents = liveDocuments(index.files);
  const words = taskTerms(task);
  const terms = weighedTerms(words, documents);
  const content = contentScores(terms, documents);
  const commits = commitScores(words, index.commits);
  const paths = pathScores(index.files.paths, terms);
  const named = namedPaths(task, index.files.paths);
  const numbers = new Map(
    documents.paths.flatMap((files, number) => files.map((path) => [path, number] as const)),
  );
  const signalsOf = (path: string): Signals => {
    const document = numbers.get(path) ?? -1;
    return {
      named: named.has(path) ? 1 : 0,
      body: content.body[document] ?? 0,
      window: content.window[document] ?? 0,
      path: paths.get(path) ?? 0,
      joints: content.joints[document] ?? 0,
      definitions: content.definitions[document] ?? 0,
      definedJoints: content.definedJoints[document] ?? 0,
      commits: commits.texts.get(path) ?? 0,
      churn: commits.churn.get(path) ?? 0,
    };
  };
  const raw = index.files.paths
    .map((path) => ({ path, signals: signalsOf(path) }))
    .filter(({ signals }) => isAbout(signals));
  const most = greatest(raw);
  const files = raw
    .map(({ path, signals }) => {
      const weighed = mapped(
        (signal) => shares[signal] * factorOf(path) * Math.min(1, signals[signal] / most[signal]),
      );
      const score = Object.values(weighed).reduce((total, value) => total + value, 0);
      return { path, document: numbers.get(path) ?? null, score, signals: weighed };
    })
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return { files, terms, documents, content, commits };
}

/** A file that only changes often is not about the task. */
function isAbout(signals: Signals): boolean {
  return signalNames.some((signal) => signal !== 'churn' && signals[signal] > 0);
}

/**
 * The greatest value of each signal, never 0. A change log has every word, so source files set the
 * measure where there are any.
 */
function greatest(all: readonly { readonly path: string; readonly signals: Signals }[]): Signals {
  const source = all.filter(({ path }) => kindOf(path) === 'source');
  const measured = source.length > 0 ? source : all;
  return mapped(
    (signal) => measured.reduce((most, { signals }) => Math.max(most, signals[signal]), 0) || 1,
  );
}

function mapped(value: (signal: Signal) => number): Signals {
  const values = { ...none };
  for (const signal of signalNames) values[signal] = value(signal);
  return values;
}

const none: Record<Signal, number> = {
  named: 0,
  body: 0,
  window: 0,
  path: 0,
  joints: 0,
  definitions: 0,
  definedJoints: 0,
  commits: 0,
  churn: 0,
};
const signalNames = [
  'named',
  'body',
  'window',
  'path',
  'joints',
  'definitions',
  'definedJoints',
  'commits',
  'churn',
] as const satisfies readonly Signal[];

function factorOf(path: string): number {
  return isGenerated(path) ? generatedFactor : kindFactor[kindOf(path)];
}
