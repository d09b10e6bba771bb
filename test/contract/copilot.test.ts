import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copilot } from '../../src/agents/copilot.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, shell, text, write } from './cli-bench.ts';
import { harm } from './harm.ts';
import { realClis } from './real-clis.ts';

const cli = realClis.copilot;
const bench = cliBench(cli);

describe('answers', () => {
  test('a text comes with its thoughts, session, model and tokens', async () => {
    const prompt = bench.scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' });
    const request = bench.room.request(prompt);
    const { events, end } = await runToEnd(bench.room.agent(), request);
    bench.keep('text');
    expect(answerOf(end)).toBe('Do this.');
    expect(events).toEqual([
      { kind: 'started', agent_session: null, model: cli.model, version: null },
      { kind: 'message', text: 'Do this.', partial: true },
      { kind: 'message', text: 'Do this.', partial: false },
      { kind: 'thinking', text: 'Well, so.' },
      expect.objectContaining({ kind: 'started', agent_session: expect.any(String) }),
      { kind: 'completed', text: null },
      expect.objectContaining({ kind: 'usage' }),
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^[\da-f-]{36}$/),
      model: cli.model,
      tokens: { input: 1000, output: 50, cached: 400 },
      costUsd: null,
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
    expect(copilot.argv(request)).toContain(`--session-id=${end.facts.agentSession}`);
  });

  test('a long text comes whole; a schema does not reach the provider', async () => {
    const long = 'A sentence of the answer. '.repeat(40_000);
    const { end } = await bench.ask(bench.scripted(text(long)), { schema: { type: 'object' } });
    expect(answerOf(end) === long).toBe(true);
    expect(bench.server.log.at(-1)?.schema).toBe(null);
  });

  test('role, model and effort reach the provider', async () => {
    const prompt = bench.scripted(text('Yes.'));
    const more = { role: 'Be a "critic".', model: 'gpt-6.1-sol', effort: 'high' };
    const { end } = await bench.ask(prompt, more);
    expect(end.facts.model).toBe('gpt-6.1-sol');
    expect(bench.server.log.at(-1)).toMatchObject({
      model: 'gpt-6.1-sol',
      prompt: expect.stringContaining(`Be a "critic".\n\n${prompt}`),
    });
  });

  test('the model is that of the user’s own settings', async () => {
    const own = bench.roomFor(copilot, { COPILOT_MODEL: undefined });
    own.write(
      'home/.copilot/settings.json',
      '{ // As written by hand.\n "model": "claude-opus-5" }',
    );
    const { end } = await runToEnd(own.agent(), own.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
    expect(end.facts.model).toBe('claude-opus-5');
    expect(copilot.vendorOf(end.facts.model)).toBe('anthropic');
  });

  test('with a provider of the user’s own and no model, the request is refused', async () => {
    const none = bench.roomFor(copilot, { COPILOT_MODEL: undefined });
    const { end } = await runToEnd(none.agent(), none.request('Hello?'));
    expect(answerOf(end)).toMatchObject({
      category: 'request-refused',
      detail: expect.stringContaining('require an explicit model'),
    });
  });

  test('files are read, in further folders too, and nowhere else', async () => {
    bench.room.write('extra, and more/notes.txt', 'noted there');
    bench.room.write('home/private.txt', 'nobody’s business');
    const extra = join(bench.room.base, 'extra, and more');
    const paths = ['src/list.js', join(extra, 'notes.txt'), join(bench.room.home, 'private.txt')];
    const prompt = bench.scripted(...paths.map(read), text('Read.'));
    const { events, end } = await bench.ask(prompt, { extraDirs: [extra] });
    bench.keep('reading');
    expect(answerOf(end)).toBe('Read.');
    expect(events.filter(({ kind }) => kind === 'file-read')).toEqual(
      paths.map((path) => ({ kind: 'file-read', path })),
    );
    const [list, notes, secret] = bench.server.log.at(-1)?.toolResults ?? [];
    expect([list, notes]).toEqual([
      expect.stringContaining('export const list'),
      expect.stringContaining('noted there'),
    ]);
    expect(secret).toMatch(/permission denied/i);
  });

  test('what it may do, it tells: a command with its exit code, a changed file', async () => {
    const free = bench.roomFor(cli.unbound);
    const script = [shell("sh -c 'exit 3'"), write(join(free.repo, 'made.txt')), text('Done.')];
    const { events, end } = await runToEnd(free.agent(), free.request(bench.scripted(...script)));
    bench.keep('writing', free);
    expect(answerOf(end)).toBe('Done.');
    const call = { kind: 'tool-call', name: 'bash', detail: "sh -c 'exit 3'" };
    expect(events).toContainEqual(expect.objectContaining(call));
    const change = { kind: 'file-change', change: 'add', diff: '@@ -1,0 +1,1 @@\n+made' };
    expect(events).toContainEqual(expect.objectContaining(change));
    expect(events).toContainEqual({ kind: 'command', command: '', exit_code: 3 });
    expect(end.facts.filesChanged).toEqual([join(free.repo, 'made.txt')]);
  });
});

describe('isolation', () => {
  test('nothing that writes is offered, and the call of one does nothing', async () => {
    const before = bench.room.tree();
    const tries = harm(bench.room);
    const { events, end } = await bench.ask(bench.scripted(...tries, text('Done.')));
    bench.keep('refused');
    expect(answerOf(end)).toBe('Done.');
    expect(bench.server.log.at(-1)?.tools).toEqual(['view', 'grep', 'glob']);
    expect(events.filter(({ kind }) => kind === 'warning')).toHaveLength(tries.length);
    expect(end.facts.filesChanged).toEqual([]);
    expect(bench.room.tree()).toEqual(before);
  });

  test('servers, hooks and instructions of user and project stay out, trusted or not', async () => {
    const { room } = bench;
    const witness = join(room.base, 'was-run');
    const hook = {
      version: 1,
      hooks: { sessionStart: [{ type: 'command', bash: `touch ${witness}` }] },
    };
    const servers = {
      mcpServers: { x: { type: 'local', command: 'touch', args: [witness], tools: ['*'] } },
    };
    const [hooks, mcp] = [JSON.stringify(hook), JSON.stringify(servers)];
    room.write('repo/.github/hooks/mine.json', hooks);
    room.write(
      'repo/.github/copilot/settings.json',
      JSON.stringify({ ...hook, disableAllHooks: false }),
    );
    for (const path of ['.mcp.json', '.github/mcp.json']) room.write(`repo/${path}`, mcp);
    room.write('home/.copilot/mcp-config.json', mcp);
    room.write('home/.copilot/hooks/mine.json', hooks);
    room.write('home/.copilot/settings.json', hooks);
    room.write('home/.copilot/copilot-instructions.md', 'note-of-user');
    room.write('home/.copilot/config.json', JSON.stringify({ trustedFolders: [room.repo] }));
    const before = room.tree();
    const trusting = bench.roomFor(copilot, { COPILOT_ALLOW_ALL: 'true' });
    trusting.write('repo/.github/hooks/mine.json', hooks);
    for (const where of [room, trusting]) {
      const { end } = await runToEnd(where.agent(), where.request(bench.scripted(text('Yes.'))));
      expect(answerOf(end)).toBe('Yes.');
    }
    expect(room.tree()).toEqual(before);
    expect(bench.server.log.at(-2)?.system).not.toContain('note-of-user');
  });

  test('without a login it is not-logged-in', async () => {
    const bare = bench.roomFor(copilot, {
      COPILOT_PROVIDER_BASE_URL: undefined,
      COPILOT_OFFLINE: undefined,
      // So that nobody is asked.
      HTTPS_PROXY: 'http://127.0.0.1:9',
    });
    const { end } = await runToEnd(bare.agent(), bare.request('Hello?'));
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining('(to log in: copilot login)'),
    });
  });

  test('its readiness is its version, and leaves nothing behind', async () => {
    const before = bench.room.tree();
    const ready = await bench.room.agent().ready(new AbortController().signal);
    expect(ready).toMatchObject({ state: 'ready', version: cli.version });
    expect(bench.room.tree()).toEqual(before);
  });
});
