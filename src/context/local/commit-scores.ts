import { factsOf, type CommitFacts, type CommitIndex, type IndexedCommit } from './commit-index.ts';
import { rareness } from './file-scores.ts';
import {
  historyScores,
  jointShare,
  wordsByPosition,
  type HistoryScores,
  type SaidTerm,
} from './history-scores.ts';
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
  const places = placesIn(commits);
  const said = terms.map((term) => ({ ...term, ...messageHits(term.term, places) }));
  const likes = likeCommits(said, lengths);
  const words = wordsByPosition(said, new Set(likes.map(({ position }) => position)));
  const texts = new Map<string, number>();
  const best = new Map<string, LikeCommit & { readonly share: number }>();
  for (const { position, score } of likes) {
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
  const history = historyScores(said, { facts, lengths, paths: touched });
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
  for (const { positions, counts, weight, isJoint } of terms) {
    const value = weight * rareness(positions.length, lengths.length) * (isJoint ? jointShare : 1);
    for (let at = 0; at < positions.length; at++) {
      const position = positions[at] ?? 0;
      const count = counts[at] ?? 0;
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

/** By segment and document: the commit’s place in the list, or -1. */
type Places = ReadonlyMap<Segment, Int32Array>;

function placesIn(commits: readonly IndexedCommit[]): Places {
  const places = new Map<Segment, Int32Array>();
  for (const [position, { segment, document }] of commits.entries()) {
    const known = places.get(segment) ?? new Int32Array(segment.documentCount).fill(-1);
    known[document] = position;
    places.set(segment, known);
  }
  return places;
}

/** A message is one block, so blocks are documents. */
function messageHits(term: string, places: Places): Pick<SaidTerm, 'positions' | 'counts'> {
  const positions: number[] = [];
  const counts: number[] = [];
  for (const [segment, known] of places) {
    const postings = segment.postings(term);
    if (postings === null) continue;
    for (let at = 0; at < postings.blocks.length; at++) {
      const position = known[postings.blocks[at] ?? 0] ?? -1;
      if (position === -1) continue;
      positions.push(position);
      counts.push(postings.counts[at] ?? 0);
    }
  }
  return { positions: Uint32Array.from(positions), counts: Uint32Array.from(counts) };
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
