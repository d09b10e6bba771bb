import type { LiveDocuments } from './documents.ts';
import { foundTerms } from './found-terms.ts';
import type { SearchKernel } from './search-kernel.ts';
import { defining } from './segment-format.ts';
import type { TaskTerm } from './task-terms.ts';

/** What a term says in this tree. */
export interface WeighedTerm extends TaskTerm {
  /** Rareness times the weight in the task. */
  readonly value: number;
}

/** What the contents of each document say; by the number of the document. */
export interface ContentScores {
  readonly terms: readonly WeighedTerm[];
  readonly body: Float64Array;
  readonly joints: Float64Array;
  readonly definitions: Float64Array;
  readonly definedJoints: Float64Array;
  /** The best 60 lines. */
  readonly window: Float64Array;
  /** The first block of them, counted from the first of the document. */
  readonly windowStart: Uint32Array;
  /** By term: how often it stands in a document. */
  countsIn(document: number): readonly number[];
}

export function contentScores(
  kernel: SearchKernel,
  { terms, documents }: { readonly terms: readonly TaskTerm[]; readonly documents: LiveDocuments },
): ContentScores {
  const { wasm } = kernel;
  const { parts, count } = documents;
  const words = terms.map(({ term }) => term);
  const wanted = [...words, ...words.map((term) => defining + term)];
  const { found, documents: counts } = foundTerms(kernel, { terms: wanted, parts });
  const weighed = terms.map((term, at) => ({
    ...term,
    value: term.weight * rareness(counts[at] ?? 0, count),
  }));
  const contents = wasm.newContents(found, count);
  kernel.floats(wasm.valuesOf(contents)).set(weighed.map(({ value }) => value));
  kernel.words(wasm.areJointsOf(contents)).set(terms.map(({ isJoint }) => Number(isJoint)));
  wasm.weighContents(contents);
  return {
    terms: weighed,
    body: kernel.floats(wasm.bodyOf(contents)).slice(),
    joints: kernel.floats(wasm.jointsOf(contents)).slice(),
    definitions: kernel.floats(wasm.definitionsOf(contents)).slice(),
    definedJoints: kernel.floats(wasm.definedJointsOf(contents)).slice(),
    window: kernel.floats(wasm.windowOf(contents)).slice(),
    windowStart: kernel.words(wasm.windowStartOf(contents)).slice(),
    countsIn(document) {
      const { part, index } = documents.placeOf(document);
      return terms.map((_, term) => wasm.countIn(found, term, part, index));
    },
  };
}

export function rareness(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}
