import { expect, test } from 'vitest';
import { searchChain } from '../../src/context/chain.ts';
import type { ContextProvider } from '../../src/context/provider.ts';
import type { RelevantFile } from '../../src/model/context.ts';

const query = { root: '/nowhere', task: 'x', keywords: ['x'] };
const limits = { maxFiles: 2, timeoutMs: 5000, signal: new AbortController().signal };

function file(path: string): RelevantFile {
  return { path, start: 1, end: 2, symbols: [], score: 1, reasons: [] };
}

function answering(name: string, paths: readonly string[]): ContextProvider {
  return { name, search: async () => ({ ok: true, value: paths.map(file) }) };
}

const failing: ContextProvider = {
  name: 'failing',
  search: async () => ({ ok: false, failure: { reason: 'the server did not start' } }),
};

test('the first provider that finds something answers', async () => {
  const providers = [answering('one', ['a.ts']), answering('two', ['b.ts'])];
  const result = await searchChain({ providers, query, limits });
  expect(result).toMatchObject({ provider: 'one', degraded: false, falls: [] });
  expect(result.durationMs).toBeGreaterThanOrEqual(0);
});

test('each provider that falls is named with its reason', async () => {
  const providers = [failing, answering('empty', []), answering('last', ['a.ts'])];
  const result = await searchChain({ providers, query, limits });
  expect(result).toMatchObject({
    provider: 'last',
    degraded: true,
    falls: [
      { provider: 'failing', reason: 'the server did not start' },
      { provider: 'empty', reason: 'found no file for this task' },
    ],
  });
});

test.each([
  [true, 'an answer that could be better is degraded'],
  [false, 'a note on an answer as good as ever is only a note'],
])('weaker %s: %s', async (isWeaker) => {
  const noting: ContextProvider = {
    name: 'noting',
    async search(_, { onNote }) {
      onNote?.({ text: 'Not all was read.', isWeaker });
      return { ok: true, value: [file('a.ts')] };
    },
  };
  const result = await searchChain({ providers: [noting], query, limits });
  expect(result).toMatchObject({ degraded: isWeaker, falls: [], notes: ['Not all was read.'] });
});

test('when every provider falls there are no files and nobody answered', async () => {
  const result = await searchChain({ providers: [failing], query, limits });
  expect(result).toMatchObject({ provider: 'none', files: [], degraded: true });
  expect(result.falls).toHaveLength(1);
  const without = await searchChain({ providers: [], query, limits });
  expect(without).toMatchObject({ provider: 'none', degraded: true });
  expect(without.falls[0]?.reason).toBe('no provider is configured');
});

test('what never stands alone is fused with the next answer, and both are named', async () => {
  const server = { ...answering('mcp', ['m.ts', 'b.ts']), neverAlone: true };
  const providers = [server, failing, answering('last', ['a.ts', 'b.ts'])];
  const result = await searchChain({ providers, query, limits: { ...limits, maxFiles: 3 } });
  expect(result).toMatchObject({ provider: 'mcp+last', degraded: true });
  expect(result.files.map(({ path }) => path)).toEqual(['b.ts', 'a.ts', 'm.ts']);
});

test('what never stands alone is not used where nobody else finds anything', async () => {
  const server = { ...answering('mcp', ['m.ts']), neverAlone: true };
  const result = await searchChain({ providers: [server, failing], query, limits });
  expect(result).toMatchObject({ provider: 'none', files: [], degraded: true });
  expect(result.falls.at(-1)).toMatchObject({
    provider: 'mcp',
    reason: 'found 1 file, but nobody else found any, and it is never used alone',
  });
});

test('a provider that takes longer than its own time falls, once it has cleaned up', async () => {
  let cleanedUp = false;
  const cleaning: ContextProvider = {
    name: 'cleaning',
    timeoutMs: 20,
    search: async (_, { signal }) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      cleanedUp = true;
      throw signal.reason;
    },
  };
  const result = await searchChain({ providers: [cleaning], query, limits });
  expect(result.falls[0]).toMatchObject({ reason: 'took longer than 0.02 s' });
  expect(cleanedUp).toBe(true);
});

test('an interrupt and a bug reject', async () => {
  const signal = AbortSignal.abort(new Error('interrupted'));
  const run = searchChain({ providers: [failing], query, limits: { ...limits, signal } });
  await expect(run).rejects.toThrow('interrupted');
  const broken: ContextProvider = {
    name: 'broken',
    search: async () => {
      throw new TypeError('a bug');
    },
  };
  await expect(searchChain({ providers: [broken], query, limits })).rejects.toThrow('a bug');
});
