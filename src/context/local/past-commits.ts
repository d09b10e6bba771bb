import type { IndexedCommit } from './commit-index.ts';
import { foundTerms, type FoundTerms, type SearchedPart } from './found-terms.ts';
import type { SearchKernel } from './search-kernel.ts';
import type { SearchedTree } from './searched-tree.ts';
import { DamagedSegment, type Segment } from './segment.ts';
import type { TaskTerm } from './task-terms.ts';

/**
 * The past commits with what their messages have of the task, kept by the kernel. A commit is known
 * by its place in the list, the newest first, and a path by its place in the tree.
 */
export interface PastCommits extends FoundTerms {
  readonly kernel: SearchKernel;
  /** What the kernel calls them. */
  readonly history: number;
  /** By commit: how many files it touched, in the tree or not. */
  readonly files: Uint32Array;
  /** The commits whose messages have a term. */
  having(term: number): Uint32Array;
  /** The paths that a commit touched. */
  touchedBy(commit: number): Uint32Array;
}

/** Throws `DamagedSegment` where a segment is not what was written. */
export function pastCommits(
  terms: readonly TaskTerm[],
  { commits, tree }: { readonly commits: readonly IndexedCommit[]; readonly tree: SearchedTree },
): PastCommits {
  const { kernel } = tree;
  const { wasm } = kernel;
  const parts = partsOf(commits);
  const found = foundTerms(kernel, { terms: terms.map(({ term }) => term), parts });
  const history = wasm.newHistory(found.found, tree.tree, commits.length);
  for (const [part, { segment }] of parts.entries()) {
    const { payloads } = segment.layout;
    const bytes = segment.bytes - payloads;
    const at = wasm.imageRoom(bytes);
    segment.fill(kernel.bytes(at, bytes), payloads);
    if (wasm.readFiles(history, part, at) === 0) {
      throw new DamagedSegment('a payload is damaged');
    }
  }
  return {
    ...found,
    kernel,
    history,
    files: kernel.words(wasm.filesOf(history)).slice(),
    having: (term) => kernel.words(wasm.commitsOf(history, term)).slice(),
    touchedBy: (commit) => kernel.words(wasm.pathsOf(history, commit)).slice(),
  };
}

function partsOf(commits: readonly IndexedCommit[]): readonly SearchedPart[] {
  const parts = new Map<Segment, Int32Array>();
  for (let place = 0; place < commits.length; place++) {
    const commit = commits[place];
    if (commit === undefined) continue;
    const { segment, document } = commit;
    const known = parts.get(segment) ?? new Int32Array(segment.documentCount).fill(-1);
    known[document] = place;
    parts.set(segment, known);
  }
  return Array.from(parts, ([segment, numbers]) => ({ segment, numbers }));
}
