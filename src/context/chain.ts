// Asks the providers in turn, each within its time limit, and joins ranked answers into one.
import type { ProviderFall, RelevantFile } from '../model/context.ts';
import { counted } from '../model/wording.ts';
import {
  type ContextProvider,
  type ContextQuery,
  type SearchFailure,
  type SearchLimits,
  type SearchNote,
  timeLimit,
} from './provider.ts';

/** The files that phase 1 found, and the provider that found them. */
interface ChainResult {
  /** The provider that answered, `mcp+search` if two did; `none` if every one failed. */
  readonly provider: string;
  readonly files: readonly RelevantFile[];
  /** True if an earlier provider did not answer, or the answer is not as good as it could be. */
  readonly degraded: boolean;
  readonly falls: readonly ProviderFall[];
  /** Remarks of the providers, as sentences. */
  readonly notes: readonly string[];
  readonly durationMs: number;
}

interface Search {
  readonly providers: readonly ContextProvider[];
  readonly query: ContextQuery;
  readonly limits: Omit<SearchLimits, 'onNote'>;
}

/**
 * Asks the providers in turn until one finds something, each within its own time. The result of a
 * provider that may not stand alone is fused with that of the next one. Rejects with the reason of
 * the caller’s signal when that is aborted.
 */
export async function searchChain({ providers, query, limits }: Search): Promise<ChainResult> {
  const started = performance.now();
  const falls: ProviderFall[] = [];
  const notes: SearchNote[] = [];
  const onNote = (note: SearchNote): void => void notes.push(note);
  const names: string[] = [];
  let files: readonly RelevantFile[] = [];
  let isDone = false;
  for (const provider of providers) {
    const asked = performance.now();
    const found = await ask(provider, { query, limits: { ...limits, onNote } });
    if (found.ok) {
      files = names.length === 0 ? found.value : fuse(found.value, files, limits.maxFiles);
      names.push(provider.name);
      isDone = provider.neverAlone !== true;
    } else {
      falls.push({ provider: provider.name, reason: found.failure.reason, ms: since(asked) });
    }
    if (isDone) break;
  }
  if (!isDone && names.length > 0) {
    const few = counted(files.length, 'file');
    const reason = `found ${few}, but nobody else found any, and it is never used alone`;
    falls.push({ provider: names.join('+'), reason, ms: since(started) });
  }
  if (providers.length === 0) {
    falls.push({ provider: 'none', reason: 'no provider is configured', ms: 0 });
  }
  return {
    provider: isDone ? names.join('+') : 'none',
    files: isDone ? files : [],
    degraded: !isDone || falls.length > 0 || notes.some(({ isWeaker }) => isWeaker),
    falls,
    notes: notes.map(({ text }) => text),
    durationMs: since(started),
  };
}

const since = (start: number): number => Math.round(performance.now() - start);

/** The files, at least one, or why there are none. */
async function ask(
  provider: ContextProvider,
  { query, limits }: { readonly query: ContextQuery; readonly limits: SearchLimits },
): ReturnType<ContextProvider['search']> {
  limits.signal.throwIfAborted();
  const timeoutMs = provider.timeoutMs ?? limits.timeoutMs;
  const time = timeLimit(timeoutMs);
  const signal = AbortSignal.any([limits.signal, time]);
  try {
    const found = await provider.search(query, { ...limits, timeoutMs, signal });
    return found.ok && found.value.length === 0 ? fallen('found no file for this task') : found;
  } catch (error) {
    limits.signal.throwIfAborted();
    if (!time.aborted) throw error;
    return fallen(`took longer than ${timeoutMs / 1000} s`);
  }
}

function fallen(reason: string): { readonly ok: false; readonly failure: SearchFailure } {
  return { ok: false, failure: { reason } };
}

/** Softens the difference between the first places; 60 is the usual constant of the method. */
const softness = 60;

/** Fuses ranked lists into paths with a joint score, best first; 1 means first in every list. */
export function fusePaths(
  lists: readonly (readonly string[])[],
): readonly { readonly path: string; readonly score: number }[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [index, path] of list.entries()) {
      const share = (softness + 1) / (softness + index + 1) / lists.length;
      scores.set(path, (scores.get(path) ?? 0) + share);
    }
  }
  return [...scores]
    .map(([path, score]) => ({ path, score }))
    .toSorted((one, other) => other.score - one.score);
}

/**
 * Fuses two answers by reciprocal rank. Of two equally good files, that of `first` comes first; a
 * file in both keeps the part and the symbols that `first` gives, with the reasons of both. The
 * best file of `first` is kept unless `most` is smaller than the length of both answers.
 */
export function fuse(
  first: readonly RelevantFile[],
  second: readonly RelevantFile[],
  most: number,
): readonly RelevantFile[] {
  const files = new Map(second.map((file) => [file.path, file]));
  for (const file of first) {
    const also = files.get(file.path)?.reasons ?? [];
    files.set(file.path, { ...file, reasons: [...file.reasons, ...also] });
  }
  const lists = [first, second].map((list) => list.map(({ path }) => path));
  return fusePaths(lists)
    .slice(0, most)
    .flatMap(({ path, score }) => {
      const file = files.get(path);
      return file === undefined ? [] : [{ ...file, score }];
    });
}
