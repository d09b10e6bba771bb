import { factsOf, type CommitFacts, type CommitIndex, type IndexedCommit } from './commit-index.ts';
import { rareness } from './file-scores.ts';
import { historyScores, jointShare, type HistoryScores, type SaidTerm } from './history-scores.ts';
import type { Segment } from './segment.ts';
import type { TaskTerm } from './task-terms.ts';
import { touchedPaths, type TouchedPaths } from './touched-paths.ts';

/** A past commit whose message is like the task. */
interface LikeCommit {
  readonly id: string;
  readonly subject: string;
  readonly score: number;
  /** Words of the task that its message has. */
  readonly words: readonly string[];
}

/** What the history says of each path. */
export interface CommitScores {
  /** How well all the messages of the commits that touched it fit the task together. */
  readonly history: HistoryScores;
  /** How like the task the messages of the commits are that touched it. */
  readonly texts: ReadonlyMap<string, number>;
  /** How often and how lately it was touched. */
  readonly churn: ReadonlyMap<string, number>;
  readonly touches: ReadonlyMap<string, number>;
  /** The commit that counts most for it. */
  readonly best: ReadonlyMap<string, LikeCommit>;
  readonly commitCount: number;
}

const saturation = 1.2;
const mostLike = 100;
/** So many commits later, a touch counts half. */
const halfLife = 400;

/** What the history says of the paths of the tree. */
export function commitScores(
  terms: readonly TaskTerm[],
  { index, paths }: { readonly index: CommitIndex; readonly paths: readonly string[] },
): CommitScores {
  const { commits } = index;
  const facts = factsOf(commits);
  const lengths = commits.map(({ segment, document }) => segment.document(document).length);
  const positions = positionsIn(commits);
  const said = terms.map((term) => ({ ...term, hits: messageHits(term.term, positions) }));
  const words = wordsByPosition(said);
  const texts = new Map<string, number>();
  const best = new Map<string, LikeCommit & { readonly share: number }>();
  for (const { position, score } of likeCommits(said, lengths)) {
    const { subject, files } = facts[position] ?? noFacts;
    const like = { subject, score, words: [...(words.get(position) ?? [])] };
    const share = score / Math.sqrt(files.length);
    for (const path of files) {
      texts.set(path, (texts.get(path) ?? 0) + share);
      const other = best.get(path);
      if (other !== undefined && other.share >= share) continue;
      best.set(path, { id: commits[position]?.id ?? '', ...like, share });
    }
  }
  const touched = touchedPaths(facts, new Set(paths));
  const history = historyScores(said, { facts, lengths, words, paths: touched });
  return { history, texts, ...touchesOf(touched), best, commitCount: commits.length };
}

const noFacts: CommitFacts = { subject: '', files: [] };

/** BM25 over the messages; the best ones. */
function likeCommits(
  terms: readonly SaidTerm[],
  lengths: readonly number[],
): readonly { readonly position: number; readonly score: number }[] {
  const average = Math.max(1, lengths.reduce((a, b) => a + b, 0) / Math.max(1, lengths.length));
  const scores = new Float64Array(lengths.length);
  for (const { hits, weight, isJoint } of terms) {
    const value = weight * rareness(hits.length, lengths.length) * (isJoint ? jointShare : 1);
    for (const { position, count } of hits) {
      const norm = saturation * (0.25 + (0.75 * (lengths[position] ?? 0)) / average);
      scores[position] =
        (scores[position] ?? 0) + (value * count * (saturation + 1)) / (count + norm);
    }
  }
  return Array.from(scores, (score, position) => ({ position, score }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostLike);
}

/** Words of the task that each message has, by the commit’s place in the list. */
function wordsByPosition(terms: readonly SaidTerm[]): ReadonlyMap<number, ReadonlySet<string>> {
  const words = new Map<number, Set<string>>();
  for (const { word, hits } of terms) {
    for (const { position } of hits) {
      const known = words.get(position);
      if (known === undefined) words.set(position, new Set([word]));
      else known.add(word);
    }
  }
  return words;
}

type Positions = ReadonlyMap<Segment, ReadonlyMap<number, number>>;

/** By segment and document: the commit’s place in the list. */
function positionsIn(commits: readonly IndexedCommit[]): Positions {
  const positions = new Map<Segment, Map<number, number>>();
  for (const [position, { segment, document }] of commits.entries()) {
    const known = positions.get(segment);
    if (known === undefined) positions.set(segment, new Map([[document, position]]));
    else known.set(document, position);
  }
  return positions;
}

/** A message is one block, so blocks are documents. */
function messageHits(term: string, positions: Positions): SaidTerm['hits'] {
  return [...positions].flatMap(([segment, known]) => {
    const postings = segment.postings(term);
    if (postings === null) return [];
    return [...postings.blocks].flatMap((block, at) => {
      const position = known.get(block);
      return position === undefined ? [] : [{ position, count: postings.counts[at] ?? 0 }];
    });
  });
}

function touchesOf({ names, touched }: TouchedPaths): Pick<CommitScores, 'churn' | 'touches'> {
  const recent = new Float64Array(names.length);
  const counts = new Uint32Array(names.length);
  for (const [position, paths] of touched.entries()) {
    const weight = 0.5 ** (position / halfLife);
    for (const path of paths) {
      recent[path] = (recent[path] ?? 0) + weight;
      counts[path] = (counts[path] ?? 0) + 1;
    }
  }
  return {
    churn: new Map(names.map((name, path) => [name, Math.log(1 + (recent[path] ?? 0))])),
    touches: new Map(names.map((name, path) => [name, counts[path] ?? 0])),
  };
}
