import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderFall, RelevantFile } from '../model/context.ts';
import { counted } from '../model/wording.ts';
import { fused } from './fusion.ts';
import { plainPath } from '../git/paths.ts';
import {
  foundNothing,
  type ContextProvider,
  type ContextQuery,
  type SearchFailure,
  type SearchLimits,
  type SearchNote,
} from './provider.ts';
import { timeLimit } from './time-limit.ts';

/** What phase 1 found, and who found it. */
export interface ChainResult {
  /** The provider that answered, `mcp+search` where two did; `none` where every one fell. */
  readonly provider: string;
  readonly files: readonly RelevantFile[];
  /** A provider before the one that answered did not, or its answer is not all that it could be. */
  readonly degraded: boolean;
  readonly falls: readonly ProviderFall[];
  /** What the providers had to say, as sentences. */
  readonly notes: readonly string[];
  readonly durationMs: number;
}

interface Search {
  readonly providers: readonly ContextProvider[];
  readonly query: ContextQuery;
  readonly limits: Omit<SearchLimits, 'onNote'>;
}

/** An answer that waits for another one to be fused with. */
interface Waiting {
  readonly names: readonly string[];
  readonly files: readonly RelevantFile[];
  readonly ms: number;
}

/**
 * Asks the providers in turn until one finds something, each within its own time. What a provider
 * finds that never stands alone is fused with what the next one finds. Rejects with the reason of the caller’s signal when
 * that is aborted.
 */
export async function searchChain(search: Search): Promise<ChainResult> {
  const { providers, query, limits } = search;
  const started = performance.now();
  const falls: ProviderFall[] = [];
  const notes: SearchNote[] = [];
  const onNote = (note: SearchNote): void => void notes.push(note);
  let waiting: Waiting = { names: [], files: [], ms: 0 };
  const end = (provider: string, files: readonly RelevantFile[]): ChainResult => ({
    provider,
    files,
    degraded: files.length === 0 || falls.length > 0 || notes.some(({ isWeaker }) => isWeaker),
    falls,
    notes: notes.map(({ text }) => text),
    durationMs: Math.round(performance.now() - started),
  });
  for (const provider of providers) {
    const asked = performance.now();
    const found = await ask(provider, { query, limits: { ...limits, onNote } });
    const ms = Math.round(performance.now() - asked);
    if (!found.ok) {
      falls.push({ provider: provider.name, reason: found.failure.reason, ms });
      continue;
    }
    const names = [...waiting.names, provider.name];
    const own = found.value;
    const files = names.length === 1 ? own : fused(own, waiting.files, limits.maxFiles);
    if (provider.neverAlone !== true) return end(names.join('+'), files);
    waiting = { names, files, ms: waiting.ms + ms };
  }
  if (waiting.names.length > 0) falls.push(alone(waiting));
  if (providers.length === 0) {
    falls.push({ provider: 'none', reason: 'no provider is configured', ms: 0 });
  }
  return end('none', []);
}

function alone({ names, files, ms }: Waiting): ProviderFall {
  const few = counted(files.length, 'file');
  const reason = `found ${few}, but nobody else found any, and it is never used alone`;
  return { provider: names.join('+'), reason, ms };
}

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
    const work = provider.search(query, { ...limits, timeoutMs, signal });
    const result = await untilAborted(work, { signal, endMs: provider.endMs ?? 0 });
    limits.signal.throwIfAborted();
    if (!result.ok) return result;
    const files = cleaned(result.value, limits.maxFiles);
    return files.length > 0 ? { ok: true, value: files } : fallen(foundNothing);
  } catch (error) {
    limits.signal.throwIfAborted();
    if (!time.aborted) throw error;
    return fallen(`took longer than ${timeoutMs / 1000} s`);
  }
}

function fallen(reason: string): { readonly ok: false; readonly failure: SearchFailure } {
  return { ok: false, failure: { reason } };
}

/** For a provider that does not watch its signal; one that cleans up gets the time to do so. */
async function untilAborted<T>(
  work: Promise<T>,
  { signal, endMs }: { readonly signal: AbortSignal; readonly endMs: number },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const settled = new AbortController();
  const abort = (): void => {
    if (endMs === 0) reject(signal.reason);
    else {
      const late = sleep(endMs, undefined, { signal: settled.signal });
      late.then(() => reject(signal.reason), reject);
    }
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    settled.abort();
  }
}

/** Once each, inside the root, with a sound range, the best ones. */
function cleaned(files: readonly RelevantFile[], most: number): readonly RelevantFile[] {
  const byPath = new Map<string, RelevantFile>();
  for (const file of files) {
    const path = plainPath(file.path);
    if (path === null || byPath.has(path) || file.start < 1) continue;
    byPath.set(path, { ...file, path, end: Math.max(file.start, file.end) });
  }
  return [...byPath.values()].slice(0, most);
}
