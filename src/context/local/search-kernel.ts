import { kernelExports } from './kernel.ts';

/** What of the kernel searches, and its memory: see `kernel/search.ts`. */
export interface SearchKernel {
  readonly wasm: SearchWasm;
  /** A part of its memory, until the next call that may take more. */
  bytes(at: number, length: number): Buffer;
  /** The numbers of a row of it, until then. */
  words(column: number): Uint32Array;
  floats(floats: number): Float64Array;
}

export function searchKernel(): SearchKernel {
  const wasm = checked(kernelExports());
  const { memory } = wasm;
  return {
    wasm,
    bytes: (at, length) => Buffer.from(memory.buffer, at, length),
    words: (column) =>
      new Uint32Array(memory.buffer, wasm.columnAt(column), wasm.columnLength(column)),
    floats: (floats) =>
      new Float64Array(memory.buffer, wasm.floatsAt(floats), wasm.floatsLength(floats)),
  };
}

/** Objects and addresses in the memory are numbers. */
interface SearchWasm {
  readonly memory: WebAssembly.Memory;
  readonly columnAt: (column: number) => number;
  readonly columnLength: (column: number) => number;
  readonly floatsAt: (floats: number) => number;
  readonly floatsLength: (floats: number) => number;
  readonly imageRoom: (bytes: number) => number;
  readonly newFound: (terms: number) => number;
  readonly hashesOf: (found: number) => number;
  readonly addPart: (found: number, documents: number, blocks: number) => void;
  readonly rowsAt: (found: number) => number;
  readonly numbersOf: (found: number) => number;
  readonly findBuckets: (found: number, directory: number, count: number) => void;
  readonly findLists: (found: number, buckets: number, listBytes: number) => number;
  readonly keepLists: (found: number, lists: number) => number;
  readonly startsOf: (found: number) => number;
  readonly endsOf: (found: number) => number;
  readonly documentsOf: (found: number) => number;
  readonly countIn: (found: number, term: number, part: number, document: number) => number;
  readonly newContents: (found: number, count: number) => number;
  readonly valuesOf: (contents: number) => number;
  readonly areJointsOf: (contents: number) => number;
  readonly weighContents: (contents: number) => void;
  readonly bodyOf: (contents: number) => number;
  readonly jointsOf: (contents: number) => number;
  readonly definitionsOf: (contents: number) => number;
  readonly definedJointsOf: (contents: number) => number;
  readonly windowOf: (contents: number) => number;
  readonly windowStartOf: (contents: number) => number;
  readonly newTree: (bytes: number, count: number) => number;
  readonly treeText: (tree: number) => number;
  readonly newPathTerms: (terms: number) => number;
  readonly pathHashesOf: (wanted: number) => number;
  readonly pathStartsOf: (wanted: number) => number;
  readonly findInPaths: (wanted: number, tree: number) => void;
  readonly otherPathsOf: (wanted: number) => number;
  readonly addPathTerm: (wanted: number, path: number, term: number, isName: number) => void;
  readonly hitPathsOf: (wanted: number) => number;
  readonly areNamesOf: (wanted: number) => number;
  readonly ownFoldersOf: (wanted: number) => number;
  readonly pathCountsOf: (wanted: number) => number;
  readonly pathValuesOf: (wanted: number) => number;
  readonly scorePaths: (wanted: number, tree: number) => number;
  readonly newHistory: (found: number, tree: number, commits: number) => number;
  readonly readFiles: (history: number, part: number, payloads: number) => number;
  readonly filesOf: (history: number) => number;
  readonly weighHistory: (history: number, messageDecay: number, touchDecay: number) => void;
  readonly touchedOf: (history: number) => number;
  readonly addLikes: (history: number, term: number, value: number) => void;
  readonly findPaths: (history: number, term: number) => number;
  readonly addPaths: (history: number, value: number) => void;
  readonly commitsOf: (history: number, term: number) => number;
  readonly pathsOf: (history: number, commit: number) => number;
  readonly likesOf: (history: number) => number;
  readonly scoresOf: (history: number) => number;
  readonly churnOf: (history: number) => number;
  readonly touchesOf: (history: number) => number;
}

function checked(exports: object): SearchWasm {
  if (!isSearchKernel(exports)) throw new Error('kernel.wasm is not the one of this version');
  return exports;
}

function isSearchKernel(exports: object): exports is SearchWasm {
  return 'memory' in exports && 'newFound' in exports && 'touchesOf' in exports;
}
