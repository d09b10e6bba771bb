import type { ProviderFall, RelevantFile } from '../model/context.ts';
import { plainPath } from './paths.ts';
import type { ContextProvider, ContextQuery, SearchLimits } from './provider.ts';
import { timeLimit } from './time-limit.ts';

/** What phase 1 found, and who found it. */
interface ChainResult {
  /** The provider that answered; `none` where every one fell. */
  readonly provider: string;
  readonly files: readonly RelevantFile[];
  /** The first provider did not answer. */
  readonly degraded: boolean;
  readonly falls: readonly ProviderFall[];
  readonly durationMs: number;
}

/**
 * Asks the providers in turn until one finds something, each within its own time. Rejects with the
 * reason of the caller’s signal when that is aborted.
 */
export async function searchChain(search: {
  readonly providers: readonly ContextProvider[];
  readonly query: ContextQuery;
  readonly limits: SearchLimits;
}): Promise<ChainResult> {
  const { providers } = search;
  const started = performance.now();
  const falls: ProviderFall[] = [];
  const end = (provider: string, files: readonly RelevantFile[]): ChainResult => ({
    provider,
    files,
    degraded: files.length === 0 || falls.length > 0,
    falls,
    durationMs: Math.round(performance.now() - started),
  });
  for (const provider of providers) {
    const found = await ask(provider, search);
    if (typeof found !== 'string') return end(provider.name, found);
    falls.push({ provider: provider.name, reason: found });
  }
  if (providers.length === 0) falls.push({ provider: 'none', reason: 'no provider is configured' });
  return end('none', []);
}

/** The files, at least one, or one clause on why there are none. */
async function ask(
  provider: ContextProvider,
  { query, limits }: { readonly query: ContextQuery; readonly limits: SearchLimits },
): Promise<readonly RelevantFile[] | string> {
  limits.signal.throwIfAborted();
  const time = timeLimit(limits.timeoutMs);
  const signal = AbortSignal.any([limits.signal, time]);
  try {
    const result = await untilAborted(provider.search(query, { ...limits, signal }), signal);
    if (!result.ok) return result.failure.reason;
    const files = cleaned(result.value, limits.maxFiles);
    return files.length > 0 ? files : 'found nothing';
  } catch (error) {
    limits.signal.throwIfAborted();
    if (!time.aborted) throw error;
    return `took longer than ${limits.timeoutMs / 1000} s`;
  }
}

/** For a provider that does not watch its signal. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
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
