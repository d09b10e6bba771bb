import { factsOf, type CommitFacts, type CommitIndex, type IndexedCommit } from './commit-index.ts';
import { rareness } from './file-scores.ts';
import type { Segment } from './segment.ts';
import type { TaskTerm } from './task-terms.ts';

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
const jointShare = 0.5;
const mostLike = 100;
/** So many commits later, a touch counts half. */
const halfLife = 400;

export function commitScores(terms: readonly TaskTerm[], index: CommitIndex): CommitScores {
  const { commits } = index;
  const facts = factsOf(commits);
  const texts = new Map<string, number>();
  const best = new Map<string, LikeCommit & { readonly share: number }>();
  for (const { commit, position, score, words } of likeCommits(terms, index)) {
    const { subject, files } = facts[position] ?? noFacts;
    const share = score / Math.sqrt(files.length);
    for (const path of files) {
      texts.set(path, (texts.get(path) ?? 0) + share);
      const other = best.get(path);
      if (other !== undefined && other.share >= share) continue;
      best.set(path, { id: commit.id, subject, score, words, share });
    }
  }
  return { texts, ...touchesOf(facts), best, commitCount: commits.length };
}

const noFacts: CommitFacts = { subject: '', files: [] };

interface Like {
  readonly commit: IndexedCommit;
  /** Its place in the list. */
  readonly position: number;
  readonly score: number;
  readonly words: readonly string[];
}

/** BM25 over the messages; the best ones. */
function likeCommits(terms: readonly TaskTerm[], { commits }: CommitIndex): readonly Like[] {
  const lengths = commits.map(({ segment, document }) => segment.document(document).length);
  const average = Math.max(1, lengths.reduce((a, b) => a + b, 0) / Math.max(1, commits.length));
  const positions = positionsIn(commits);
  const scores = new Float64Array(commits.length);
  const words = new Map<number, Set<string>>();
  for (const { term, word, weight, isJoint } of terms) {
    const hits = messageHits(term, positions);
    const value = weight * rareness(hits.length, commits.length) * (isJoint ? jointShare : 1);
    for (const { position, count } of hits) {
      const norm = saturation * (0.25 + (0.75 * (lengths[position] ?? 0)) / average);
      scores[position] =
        (scores[position] ?? 0) + (value * count * (saturation + 1)) / (count + norm);
      const known = words.get(position);
      if (known === undefined) words.set(position, new Set([word]));
      else known.add(word);
    }
  }
  return commits
    .map((commit, position) => ({
      commit,
      position,
      score: scores[position] ?? 0,
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostLike)
    .map((like) => ({ ...like, words: [...(words.get(like.position) ?? [])] }));
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
function messageHits(
  term: string,
  positions: Positions,
): readonly { readonly position: number; readonly count: number }[] {
  return [...positions].flatMap(([segment, known]) => {
    const postings = segment.postings(term);
    if (postings === null) return [];
    return [...postings.blocks].flatMap((block, at) => {
      const position = known.get(block);
      return position === undefined ? [] : [{ position, count: postings.counts[at] ?? 0 }];
    });
  });
}

function touchesOf(all: readonly CommitFacts[]): Pick<CommitScores, 'churn' | 'touches'> {
  const recent = new Map<string, number>();
  const touches = new Map<string, number>();
  for (const [position, { files }] of all.entries()) {
    const weight = 0.5 ** (position / halfLife);
    for (const path of files) {
      recent.set(path, (recent.get(path) ?? 0) + weight);
      touches.set(path, (touches.get(path) ?? 0) + 1);
    }
  }
  const churn = new Map([...recent].map(([path, value]) => [path, Math.log(1 + value)]));
  return { churn, touches };
}
