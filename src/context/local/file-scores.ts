import { hitsOf, type LiveDocuments, type TermHits } from './documents.ts';
import { defining } from './terms.ts';
import type { TaskTerm } from './task-terms.ts';

/** What a term says in this tree. */
export interface WeighedTerm extends TaskTerm {
  readonly hits: TermHits;
  readonly defined: TermHits;
  /** Rareness times the weight in the task. */
  readonly value: number;
}

export function weighedTerms(
  terms: readonly TaskTerm[],
  documents: LiveDocuments,
): readonly WeighedTerm[] {
  return terms.map((term) => {
    const hits = hitsOf(term.term, documents);
    const defined = hitsOf(defining + term.term, documents);
    const value = term.weight * rareness(hits.documents.length, documents.count);
    return { ...term, hits, defined, value };
  });
}

export function rareness(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

const saturation = 1.2;
const lengthShare = 0.75;
const windowBlocks = 3;
const windowSaturation = 0.6;

/** What the contents of each document say; by the number of the document. */
export interface ContentScores {
  readonly body: Float64Array;
  readonly joints: Float64Array;
  readonly definitions: Float64Array;
  readonly definedJoints: Float64Array;
  readonly coverage: Float64Array;
  /** The best 60 lines. */
  readonly window: Float64Array;
  /** The first block of them, counted from the first of the document. */
  readonly windowStart: Uint32Array;
}

export function contentScores(
  terms: readonly WeighedTerm[],
  documents: LiveDocuments,
): ContentScores {
  const make = (): Float64Array => new Float64Array(documents.count);
  const scores = {
    body: make(),
    joints: make(),
    definitions: make(),
    definedJoints: make(),
    coverage: make(),
    window: make(),
    windowStart: new Uint32Array(documents.count),
  };
  const windows = new Map<number, Float64Array>();
  for (const { hits, defined, value, isJoint } of terms) {
    const field = isJoint ? scores.joints : scores.body;
    const definitions = isJoint ? scores.definedJoints : scores.definitions;
    for (let at = 0; at < hits.documents.length; at++) {
      const document = hits.documents[at] ?? 0;
      const count = hits.counts[at] ?? 0;
      const ratio = (documents.lengths[document] ?? 0) / documents.averageLength;
      const norm = saturation * (1 - lengthShare + lengthShare * ratio);
      field[document] =
        (field[document] ?? 0) + (value * count * (saturation + 1)) / (count + norm);
      if (!isJoint) scores.coverage[document] = (scores.coverage[document] ?? 0) + value;
      addWindows(windows, { document, at, hits, value: isJoint ? value * 0.5 : value });
    }
    for (let at = 0; at < defined.documents.length; at++) {
      const document = defined.documents[at] ?? 0;
      const count = defined.counts[at] ?? 0;
      definitions[document] = (definitions[document] ?? 0) + (value * count) / (count + 0.6);
    }
  }
  for (const [document, values] of windows) {
    let best = 0;
    for (let at = 1; at < values.length; at++)
      if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
    scores.window[document] = values[best] ?? 0;
    scores.windowStart[document] = best;
  }
  return scores;
}

/** Adds one term to each window of a document that it stands in. */
function addWindows(
  windows: Map<number, Float64Array>,
  hit: {
    readonly document: number;
    readonly at: number;
    readonly hits: TermHits;
    readonly value: number;
  },
): void {
  const { document, at, hits, value } = hit;
  const start = hits.starts[at] ?? 0;
  const end = hits.starts[at + 1] ?? start;
  const last = hits.blocks[end - 1] ?? 0;
  const known = windows.get(document) ?? new Float64Array(last + 1);
  const values = known.length > last ? known : widened(known, last + 1);
  windows.set(document, values);
  let done = -1;
  for (let from = start; from < end; from++) {
    const block = hits.blocks[from] ?? 0;
    for (let w = Math.max(done + 1, block - windowBlocks + 1, 0); w <= block; w++) {
      let count = 0;
      for (let next = from; next < end && (hits.blocks[next] ?? 0) < w + windowBlocks; next++) {
        if ((hits.blocks[next] ?? 0) >= w) count += hits.blockCounts[next] ?? 0;
      }
      values[w] = (values[w] ?? 0) + (value * count) / (count + windowSaturation);
      done = w;
    }
  }
}

function widened(values: Float64Array, length: number): Float64Array {
  const wider = new Float64Array(length);
  wider.set(values);
  return wider;
}
