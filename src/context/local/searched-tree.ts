import type { SearchKernel } from './search-kernel.ts';

/** The paths of the tree as the kernel has them. */
export interface SearchedTree {
  readonly kernel: SearchKernel;
  /** What the kernel calls them. */
  readonly tree: number;
  readonly paths: readonly string[];
}

export function searchedTree(kernel: SearchKernel, paths: readonly string[]): SearchedTree {
  const { wasm } = kernel;
  const text = Buffer.from(paths.join('\0'));
  const tree = wasm.newTree(text.length);
  kernel.bytes(wasm.treeText(tree), text.length).set(text);
  wasm.numberPaths(tree);
  return { kernel, tree, paths };
}
