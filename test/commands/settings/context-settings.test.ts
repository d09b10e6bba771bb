import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Place, makePlace } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const context = async (toml: string) => {
  place.user(toml);
  return (await place.load()).context;
};

test('without a server nobody asks one', async () => {
  const { providers, mcp } = await context('');
  expect(providers).toEqual(['search']);
  expect(mcp).toBeNull();
});

test('a known server only needs its program', async () => {
  const { providers, mcp } = await context('[context.mcp]\npreset = "ace"\ncommand = "ace"');
  expect(providers).toEqual(['mcp', 'search']);
  expect(mcp).toMatchObject({
    command: 'ace',
    tool: 'search_context',
    arguments: { project_root_path: '{root}', query: '{query}' },
    timeoutMs: 30_000,
  });
  expect(mcp?.queries).toHaveLength(4);
});

test.each([
  ['augment', 'codebase-retrieval', 'information_request'],
  ['claude-context', 'search_code', 'query'],
])('the preset %s calls %s', async (preset, tool, argument) => {
  const { mcp } = await context(`[context.mcp]\npreset = "${preset}"\ncommand = "x"`);
  expect(mcp).toMatchObject({ tool, queries: ['{task}'] });
  expect(mcp?.arguments).toMatchObject({ [argument]: '{query}' });
});

test('any other server is described by hand', async () => {
  const { mcp } = await context(`[context.mcp]
command = "./bin/server"
args = ["--root", "{root}"]
tool = "find"
arguments = { text = "{task}", most = "{limit}", deep = true }
queries = ["{keyword}"]
timeout = 5
max_bytes = 2000
env = { TOKEN = "x" }`);
  expect(mcp).toMatchObject({
    args: ['--root', '{root}'],
    arguments: { text: '{task}', most: '{limit}', deep: true },
    queries: ['{keyword}'],
    timeoutMs: 5_000,
    maxBytes: 2_000,
    env: { TOKEN: 'x' },
  });
  expect(mcp?.command).toMatch(/^\/.*\/bin\/server$/);
});

test('a server is left out that is switched off, or is not among the providers', async () => {
  const server = '[context.mcp]\npreset = "ace"\ncommand = "x"\n';
  expect((await context(`${server}enabled = false`)).mcp).toBeNull();
  expect((await context(`${server}[context]\nproviders = ["search"]`)).mcp).toBeNull();
});
