import { bestPlaces } from './best-places.ts';
import { subjectOf, type CommitIndex } from './commit-index.ts';
import { rareness } from './file-scores.ts';
import { historyScores, jointShare, wordsByCommit, type HistoryScores } from './history-scores.ts';
import { pastCommits, type PastCommits } from './past-commits.ts';
import type { SearchedTree } from './searched-tree.ts';
import type { TaskTerm } from './task-terms.ts';

/** A past commit whose message is like the task. */
interface LikeCommit {
  readonly id: string;
  readonly subject: string;
  /** Words of the task that its message has. */
  readonly words: readonly string[];
}

/** What the history says of each path of the tree; by its place there. */
export interface CommitScores {
  /** How well all the messages of the commits that touched it fit the task together. */
  readonly history: HistoryScores;
  /** How like the task the messages of the commits are that touched it. */
  readonly texts: Float64Array;
  /** How often and how lately it was touched. */
  readonly churn: Float64Array;
  readonly touches: Uint32Array;
  /** The commit that counts most for a path. */
  best(path: number): LikeCommit | null;
  readonly commitCount: number;
}

const mostLike = 100;
/** So many commits later, a message counts half. */
const messageHalfLife = 1500;
/** So many commits later, a touch counts half. */
const touchHalfLife = 400;

/** What the history says of the paths of the tree. Throws `DamagedSegment`. */
export function commitScores(
  terms: readonly TaskTerm[],
  { commits, tree }: { readonly commits: CommitIndex; readonly tree: SearchedTree },
): CommitScores {
  const past = pastCommits(terms, { commits, tree });
  const { kernel } = past;
  kernel.wasm.weighHistory(past.history, decay(messageHalfLife), decay(touchHalfLife));
  const history = historyScores(terms, past);
  const likes = likeCommits(terms, past);
  return {
    history,
    texts: textScores(likes, { past, tree }),
    churn: logged(kernel.floats(kernel.wasm.churnOf(past.history)).slice()),
    touches: kernel.words(kernel.wasm.touchesOf(past.history)).slice(),
    best: bestCommit(likes, { past, terms, commits }),
    commitCount: commits.ids.length,
  };
}

/** What a commit counts of the one after it, where so many later it counts half. */
function decay(halfLife: number): number {
  return 0.5 ** (1 / halfLife);
}

/** There are many paths that no commit touched. */
function logged(churn: Float64Array): Float64Array {
  for (let path = 0; path < churn.length; path++) {
    const sum = churn[path] ?? 0;
    if (sum > 0) churn[path] = Math.log(1 + sum);
  }
  return churn;
}

interface Like {
  readonly commit: number;
  /** How well its message fits, divided by what it touched. */
  readonly share: number;
}

/** The commits with the best messages. */
function likeCommits(terms: readonly TaskTerm[], past: PastCommits): readonly Like[] {
  const { kernel, history, documents, files } = past;
  const { wasm } = kernel;
  for (const [term, { weight, isJoint }] of terms.entries()) {
    const value = weight * rareness(documents[term] ?? 0, files.length);
    wasm.addLikes(history, term, value * (isJoint ? jointShare : 1));
  }
  const scores = kernel.floats(wasm.likesOf(history));
  const best = bestPlaces(scores, { most: mostLike, before: (a, b) => a - b });
  return best.map((commit) => ({
    commit,
    share: (scores[commit] ?? 0) / Math.sqrt(files[commit] ?? 0),
  }));
}

function textScores(
  likes: readonly Like[],
  { past, tree }: { readonly past: PastCommits; readonly tree: SearchedTree },
): Float64Array {
  const scores = new Float64Array(tree.paths.length);
  for (const { commit, share } of likes) {
    for (const path of past.touchedBy(commit)) scores[path] = (scores[path] ?? 0) + share;
  }
  return scores;
}

/** Found when it is first asked for. */
function bestCommit(
  likes: readonly Like[],
  {
    past,
    terms,
    commits,
  }: {
    readonly past: PastCommits;
    readonly terms: readonly TaskTerm[];
    readonly commits: CommitIndex;
  },
): CommitScores['best'] {
  let known: { best: ReadonlyMap<number, Like>; words: ReturnType<typeof wordsByCommit> } | null =
    null;
  return (path) => {
    known ??= { best: bestByPath(likes, past), words: wordsByCommit(terms, past) };
    const { commit = -1 } = known.best.get(path) ?? {};
    const id = commits.ids[commit];
    if (id === undefined) return null;
    const words = [...(known.words.get(commit) ?? [])];
    return { id, subject: subjectOf(commits, commit), words };
  };
}

function bestByPath(likes: readonly Like[], past: PastCommits): ReadonlyMap<number, Like> {
  const best = new Map<number, Like>();
  for (const like of likes) {
    for (const path of past.touchedBy(like.commit)) {
      const other = best.get(path);
      if (other === undefined || other.share < like.share) best.set(path, like);
    }
  }
  return best;
}
