import type { CommitIndex } from './commit-index.ts';
import { foundTerms, type FoundTerms } from './found-terms.ts';
import type { SearchKernel } from './search-kernel.ts';
import type { SearchedTree } from './searched-tree.ts';
import { DamagedSegment } from './segment.ts';
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
  { commits, tree }: { readonly commits: CommitIndex; readonly tree: SearchedTree },
): PastCommits {
  const { kernel } = tree;
  const { wasm } = kernel;
  const { ids, parts } = commits;
  const found = foundTerms(kernel, { terms: terms.map(({ term }) => term), parts });
  const history = wasm.newHistory(found.found, tree.tree, ids.length);
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
