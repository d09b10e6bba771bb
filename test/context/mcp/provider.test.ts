import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { searchChain } from '../../../src/context/chain.ts';
import { contextProviders } from '../../../src/context/provider-list.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { isAlive, until } from '../../agents/agent-room.ts';
import { tempRepository, type TempRepository } from '../../git/temp-repository.ts';
import { heldTime } from '../../helpers/held-time.ts';
import { mcpRoom, saying, type McpRoom } from './mcp-room.ts';

let repo: TempRepository;
let repository: Repository;
let room: McpRoom;

beforeAll(async () => {
  repo = await tempRepository();
  await repo.commit('start', {
    '.gitignore': 'ignored.ts\n',
    'src/date.ts': 'export function parseDate() {\n  return 1;\n}\n',
    'src/zone.ts': 'export const zone = 1;\n',
    'docs/a b.md': '# A\n',
  });
  await repo.write({ 'ignored.ts': 'secret' });
  repository = await repo.open();
});
beforeEach(async () => {
  room = await mcpRoom();
});
afterEach(async () => {
  const left = room.pids().filter(isAlive);
  if (left.length > 0) throw new Error(`still alive: ${left.join(', ')}`);
  await room[Symbol.asyncDispose]();
});
afterAll(() => repo[Symbol.asyncDispose]());

type Server = Parameters<McpRoom['provider']>[1];

/** The chain of this server and the search, asked for `parseDate`. */
async function search(server: Server, signal = new AbortController().signal) {
  return searchChain({
    providers: [room.provider(repository, server), ...contextProviders(['search'], { repository })],
    query: { root: repo.root, task: 'fix parseDate', keywords: ['parseDate'] },
    limits: { maxFiles: 5, timeoutMs: 60_000, signal },
  });
}

/** What the server alone finds. */
async function alone(server: Server) {
  const query = { root: repo.root, task: 'fix parseDate', keywords: ['parseDate', 'x'] };
  const { signal } = new AbortController();
  return room.provider(repository, server).search(query, { maxFiles: 5, timeoutMs: 1, signal });
}

/** The calls that the server got. */
const calls = () => room.log().filter(({ method }) => method === 'tools/call');

const places = (found: Awaited<ReturnType<typeof alone>>) =>
  found.ok ? found.value.map(({ path, start, end }) => `${path}:${start}-${end}`) : found.failure;

describe('a server that answers well', () => {
  test('is fused with the next provider, and both give their reasons', async () => {
    const found = await search({ result: saying('Path: src/zone.ts\nPath: src/date.ts:1-3') });
    expect(found).toMatchObject({ provider: 'mcp+search', degraded: false, falls: [] });
    expect(found.files.map(({ path }) => path)).toEqual(['src/date.ts', 'src/zone.ts']);
    expect(found.files[0]?.reasons.at(-1)).toBe('named by the MCP tool find');
    expect(found.files[0]?.reasons.length).toBeGreaterThan(1);
    expect(found.files[1]).toMatchObject({ start: 1, end: 2, symbols: ['zone'] });
  });

  test('is greeted first, and gets only the arguments that its tool lists', async () => {
    await alone({ result: saying('src/date.ts') });
    const [, hello, ready, list, call] = room.log();
    expect(hello).toMatchObject({ method: 'initialize', clientInfo: { name: 'conclave' } });
    expect(ready).toMatchObject({ method: 'notifications/initialized' });
    expect(list).toMatchObject({ method: 'tools/list' });
    expect(call).toEqual({
      method: 'tools/call',
      name: 'find',
      arguments: { q: 'fix parseDate', root: repo.root, most: 5 },
    });
  });

  test('gets all arguments where its tool lists none', async () => {
    await alone({ result: saying('src/date.ts'), ways: ['loose'] });
    expect(room.log().at(-1)).toMatchObject({ arguments: { unheard_of: 'x' } });
  });

  test('may answer with data, with links or with JSON as text', async () => {
    const data = { results: [{ file_path: 'src/date.ts', score: 1 }] };
    const file = { uri: `file://${encodeURI(repo.root)}/docs/a%20b.md` };
    const answers = [
      { content: [], structuredContent: data },
      { content: [{ type: 'resource_link', name: 'a b', ...file }] },
      { content: [{ type: 'resource', resource: { ...file, text: '' } }] },
      saying(JSON.stringify(data)),
    ];
    const found = await Promise.all(answers.map((result) => alone({ result })));
    const date = ['src/date.ts:1-4'];
    expect(found.map(places)).toEqual([date, ['docs/a b.md:1-2'], ['docs/a b.md:1-2'], date]);
  });

  test('may be asked several things, and what is named more often comes first', async () => {
    const one = saying('Path: src/zone.ts\nPath: src/QUERY.ts');
    const found = await alone({ result: one, queries: ['date', 'zone', '{keyword} {keywords}'] });
    expect(calls()).toHaveLength(3);
    expect(calls()[2]).toMatchObject({ arguments: { q: 'parseDate parseDate, x' } });
    expect(places(found)).toEqual(['src/zone.ts:1-2', 'src/date.ts:1-4']);
    const reasons = found.ok ? found.value.flatMap((file) => file.reasons) : [];
    expect(reasons[0]).toBe('named by the MCP tool find for 3 of 3 queries');
  });

  test('keeps what came in time when the time is over', async () => {
    const ways = ['hang-second'];
    const queries = ['first', 'second'];
    const result = saying('src/zone.ts');
    const time = heldTime();
    const searching = search({ result, queries, ways });
    await until('it was asked the second', () => calls().length === 2);
    time.pass(60_000);
    const found = await searching;
    expect(found.provider).toBe('mcp+search');
    const zone = found.files.find(({ path }) => path === 'src/zone.ts');
    expect(zone?.reasons).toEqual(['named by the MCP tool find for 1 of 2 queries']);
  });

  test('may print other lines, and ask things itself', async () => {
    const found = await alone({ result: saying('src/zone.ts'), ways: ['garbage', 'asks'] });
    expect(places(found)).toEqual(['src/zone.ts:1-2']);
    expect(room.log()).toContainEqual({ id: 'p', jsonrpc: '2.0', result: {} });
  });

  test('sees only the allowed part of the environment, in the repository', async () => {
    await alone({ result: saying('src/zone.ts'), variables: ['ACE_*'] });
    const [first] = room.log();
    expect(first?.['env']).toEqual(expect.arrayContaining(['ACE_TOKEN', 'MCP_LOG', 'PATH']));
    expect(first?.['env']).not.toContain('SECRET_OF_ANOTHER');
    expect(first?.['cwd']).toBe(repo.root);
  });
});

describe('of what a server names counts only', () => {
  test('a file of the repository', async () => {
    const lies = [
      '/etc/passwd',
      '../../etc/passwd',
      'src/../../x.ts',
      'src/none.ts',
      'ignored.ts',
      '.git/config',
      'src',
      'file://elsewhere/src/date.ts',
      'file:///%FF',
    ];
    const text = lies.map((path) => `Path: ${path}`).join('\n');
    const nothing = await alone({ result: saying(text) });
    expect(nothing).toMatchObject({
      failure: { reason: 'its server named no file that is in the repository' },
    });
    const one = await alone({ result: saying(`${text}\nPath: ROOT/src/zone.ts`) });
    expect(places(one)).toEqual(['src/zone.ts:1-2']);
  });

  test('the lines that the file has', async () => {
    const result = saying('Path: src/date.ts:2-900\nPath: src/zone.ts:77-99');
    expect(places(await alone({ result }))).toEqual(['src/date.ts:2-4', 'src/zone.ts:1-2']);
  });
});

/** What goes wrong, and how it is told. */
const falls: readonly (readonly [what: string, server: Server, reason: string])[] = [
  ['says "Error:"', { result: saying('Error: no index') }, 'its server failed: "Error: no index"'],
  [
    'marks its answer as an error',
    { result: { isError: true, content: [{ type: 'text', text: 'src/zone.ts is broken' }] } },
    'its server failed: "src/zone.ts is broken"',
  ],
  ['says nothing', { result: saying('') }, 'its server named no file: an empty answer'],
  [
    'finds nothing',
    { result: saying('No results found\u001b[31m') },
    'its server named no file: "No results found"',
  ],
  [
    'answers in another form',
    { result: { content: 'src/zone.ts' } },
    'its server answered in an unknown form',
  ],
  [
    'does not start',
    { command: '/no/such/program', args: [] },
    'there is no program /no/such/program',
  ],
  [
    'ends at once',
    { ways: ['exit'] },
    'its server ended: exit code 3: no token was given: [secret]',
  ],
  ['hangs at the start', { ways: ['hang-initialize'], timeoutMs: 300 }, 'took longer than 0.3 s'],
  ['hangs in a call', { ways: ['hang-tools/call'], timeoutMs: 500 }, 'took longer than 0.5 s'],
  ['refuses', { ways: ['refuse-tools/call'] }, 'its server refused tools/call: not today'],
  ['has another tool', { tool: 'seek' }, 'its server has no tool seek; it has: find, search_code'],
  ['floods us', { ways: ['flood'] }, 'its server sent more than 1 MB'],
];

describe('the next provider goes on, with the reason, where a server', () => {
  test.each(falls)('%s', async (_, server, reason) => {
    const found = await search(server);
    expect(found).toMatchObject({ provider: 'search', degraded: true });
    expect(found.falls).toEqual([{ provider: 'mcp', reason, ms: expect.any(Number) }]);
    expect(found.files[0]?.path).toBe('src/date.ts');
  });
});

describe('nothing is left running of a server that', () => {
  test.each([
    ['answers but does not end', { result: saying('src/zone.ts'), ways: ['stay', 'ignore-term'] }],
    ['leaves a child behind', { result: saying('src/zone.ts'), ways: ['child'] }],
  ])('%s', async (_, server) => {
    await search(server);
    expect(room.pids().length).toBeGreaterThan(0);
    expect(room.pids().filter(isAlive)).toEqual([]);
  });

  test('hangs with a child', async () => {
    const time = heldTime();
    const run = search({ ways: ['hang-tools/call', 'child', 'ignore-term'] });
    await until('it was called', () => calls().length === 1);
    time.pass(60_000);
    expect((await run).falls).toMatchObject([{ reason: 'took longer than 60 s' }]);
    expect(room.pids()).toHaveLength(2);
    expect(room.pids().filter(isAlive)).toEqual([]);
  });

  test('is interrupted', async () => {
    const controller = new AbortController();
    const server = { ways: ['hang-tools/call', 'child', 'ignore-term'] };
    const run = search(server, controller.signal);
    await until('it was called', () => calls().length === 1);
    controller.abort(new Error('interrupted'));
    await expect(run).rejects.toThrow('interrupted');
    expect(room.pids()).toHaveLength(2);
    expect(room.pids().filter(isAlive)).toEqual([]);
  });
});
