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
  const text = paths.join('\0');
  const length = Buffer.byteLength(text);
  const tree = wasm.newTree(length, paths.length);
  kernel.bytes(wasm.treeText(tree), length).write(text);
  return { kernel, tree, paths };
}
