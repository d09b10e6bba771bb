// Tests how a model behind an API reads the repository, and what it is refused.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import { providerNames } from '../../../src/model/agent-settings.ts';
import { runToEnd } from '../agent-room.ts';
import type { LoggedRequest } from '../../contract/model-server/server.ts';
import type { Reply } from '../../contract/model-server/reply.ts';
import { type ApiRoom, apiRoom } from './room.ts';

type Tool = Extract<Reply, { kind: 'tool' }>['tool'];

/** A model that makes these calls, one a turn, and then says what the last one told. */
function calling(room: ApiRoom, calls: readonly (readonly [tool: Tool, target: string])[]): void {
  room.server.fallback((asked) => {
    const next = calls[room.server.log.length - 1];
    if (next !== undefined) return { kind: 'tool', tool: next[0], target: next[1] };
    return { kind: 'text', text: JSON.stringify({ told: asked.toolResults }) };
  });
}

/** What the tools told, call by call. */
const toldIn = (log: readonly LoggedRequest[]) =>
  log.flatMap(({ toolResults }) => toolResults.at(-1) ?? []).join('\n');
const kinds = (events: readonly AgentEvent[]) => events.map(({ type }) => type);

describe.each(providerNames)('a model of %s', (provider) => {
  test('finds a file that its prompt does not hold, and answers in the schema', async () => {
    const room = await apiRoom();
    room.write('src/deep/limiter.ts', 'export const burst = 7;\n');
    room.write('src/other.ts', 'export const nothing = 0;\n');
    const agent = await room.agent(provider);
    calling(room, [
      ['list', 'src'],
      ['search', 'BURST'],
      ['read', 'src/deep/limiter.ts'],
    ]);
    const schema = { type: 'object', properties: { told: { type: 'string' } }, required: ['told'] };
    const { end, events } = await runToEnd(agent, room.request('Raise the limit.', { schema }));
    expect(end).toMatchObject({ ok: true });
    const { log } = room.server;
    expect(log[0]?.prompt).not.toContain('limiter');
    expect(log[0]?.tools).toEqual(['list_files', 'read_file', 'search_text']);
    expect(log[0]?.schema).toMatchObject({ type: 'object', additionalProperties: false });
    const told = toldIn(log);
    expect(told).toContain('src/deep/limiter.ts');
    expect(told).toContain('src/deep/limiter.ts:1: export const burst = 7;');
    expect(told).toContain('1: export const burst = 7;');
    expect(kinds(events).filter((kind) => kind !== 'usage' && kind !== 'message')).toEqual([
      'started',
      'tool_call',
      'tool_call',
      'tool_call',
      'tool_call',
      'tool_call',
      'file_read',
      'completed',
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'file_read', path: 'src/deep/limiter.ts' }),
    );
    // What four requests used is summed.
    const own = log.reduce((sum, { prompt }) => sum + Math.ceil(prompt.length / 4), 0);
    const used = { anthropic: 4 * 19, compatible: own, openai: 4_000, google: 4_000, xai: 4_000 };
    expect(end.facts.tokens?.input).toBe(used[provider]);
    expect(room.server.log).toHaveLength(4);
  });
});

const nothing = () => undefined;

const read = async (
  prepare: (room: ApiRoom) => void,
  ...calls: readonly (readonly [tool: Tool, target: string])[]
) => {
  const room = await apiRoom();
  room.write('src/a.ts', 'const a = 1;\n');
  prepare(room);
  const agent = await room.agent('compatible');
  calling(room, calls);
  const { end, events } = await runToEnd(agent, room.request('Look.'));
  return { end, events, told: toldIn(room.server.log), log: room.server.log };
};

describe('a tool of a model', () => {
  test.each([
    ['../secret.txt', 'give a path inside the repository'],
    ['src/../../secret.txt', 'give a path inside the repository'],
    ['/etc/passwd', 'give a path inside the repository'],
    ['C:\\Windows\\win.ini', 'give a path inside the repository'],
    ['.git/config', 'give a path inside the repository'],
    ['.workflow/x/journal.jsonl', 'give a path inside the repository'],
    ['src', 'is a folder: list it, or read a file in it'],
    ['src/gone.ts', 'there is no file "src/gone.ts" to read'],
    ['', 'give a path inside the repository'],
  ])('refuses to read %s', async (path, why) => {
    const { end, events, told } = await read(nothing, ['read', path]);
    expect(told).toContain(why);
    expect(end.ok).toBe(true);
    expect(events).toContainEqual(expect.objectContaining({ type: 'warning', message: told }));
  });

  test('refuses what is ignored, binary, too large or a link', async () => {
    const { told } = await read(
      (room) => {
        room.write('.gitignore', 'build\n');
        room.write('build/out.ts', 'hidden words');
        writeFileSync(join(room.folder, 'data.bin'), Buffer.from([1, 0, 2]));
        room.write('picture.png', 'text in a picture');
        room.write('huge.ts', 'x'.repeat(2 * 1024 * 1024));
        symlinkSync('/etc/passwd', join(room.folder, 'link.ts'));
      },
      ['read', 'build/out.ts'],
      ['read', 'data.bin'],
      ['read', 'picture.png'],
      ['read', 'huge.ts'],
      ['read', 'link.ts'],
      ['search', 'hidden words'],
    );
    expect(told.split('\n')).toEqual([
      'there is no file "build/out.ts" to read',
      '"data.bin" is not text',
      '"picture.png" is not text',
      '"huge.ts" is too large to be read',
      expect.stringMatching(/"link\.ts"/),
      'No line holds "hidden words".',
    ]);
    expect(told).not.toContain('root:');
  });

  test('shows no secret of a file, and finds none', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const { told, end } = await read(
      (room) => room.write('src/key.ts', `const token = '${secret}';\nconst plain = 2;\n`),
      ['read', 'src/key.ts'],
      ['search', secret],
      ['search', 'const token'],
    );
    expect(told).toContain('2: const plain = 2;');
    expect(told.replace(`No line holds "${secret}".`, '')).not.toContain(secret);
    expect(JSON.stringify(end)).not.toContain(secret);
  });

  test('reads the base, whatever was changed since', async () => {
    const room = await apiRoom();
    room.write('src/a.ts', 'const before = 1;\n');
    const agent = await room.agent('compatible');
    room.write('src/a.ts', 'const after = 1;\n');
    calling(room, [
      ['read', 'src/a.ts'],
      ['search', 'const before'],
      ['search', 'const after'],
    ]);
    await runToEnd(agent, room.request('Look.'));
    const told = toldIn(room.server.log);
    expect(told).toContain('1: const before = 1;');
    expect(told).toContain('src/a.ts:1: const before = 1;');
    expect(told).toContain('No line holds "const after".');
  });

  test('works at most 40 times, and then the model has to answer', async () => {
    const room = await apiRoom();
    room.write('src/a.ts', 'const a = 1;\n');
    const agent = await room.agent('compatible');
    room.server.fallback(({ tools }) =>
      tools.length === 0
        ? { kind: 'text', text: '{"enough": true}' }
        : { kind: 'tool', tool: 'read', target: 'src/a.ts' },
    );
    const { end, events } = await runToEnd(agent, room.request('Look.'));
    expect(end).toMatchObject({ ok: true, text: '{"enough": true}' });
    expect(events.filter(({ type }) => type === 'file_read')).toHaveLength(40);
    expect(room.server.log).toHaveLength(41);
  });

  test('shares a limit of tokens with the others', async () => {
    const room = await apiRoom();
    room.write('src/long.ts', 'const a = 1; // many words\n'.repeat(5_000));
    const agent = await room.agent('compatible', { contextTokens: 20_000 });
    room.server.fallback(({ tools }) =>
      tools.length === 0
        ? { kind: 'text', text: '{"enough": true}' }
        : { kind: 'tool', tool: 'read', target: 'src/long.ts' },
    );
    const { end } = await runToEnd(agent, room.request('Look.'));
    expect(end.ok).toBe(true);
    // 20,000 without the answer and the prompt are some 44 KB, of which 24 KB are told at once.
    expect(room.server.log.length).toBeLessThanOrEqual(5);
  });

  test('that does not exist is an event, and the model may go on', async () => {
    const { end, events } = await read(nothing, ['shell', 'rm -rf .'], ['read', 'src/a.ts']);
    expect(end.ok).toBe(true);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'warning', message: expect.stringMatching(/run_shell/) }),
    );
  });
});

test('a model is never run where it may edit, and says why', async () => {
  const room = await apiRoom();
  const agent = await room.agent('openai');
  const { end } = await runToEnd(agent, room.request('Work.', { permission: 'edit' }));
  expect(end).toMatchObject({
    ok: false,
    failure: {
      category: 'permission-refused',
      detail: 'a model behind an API only reads: it has no tool that edits files or runs commands',
    },
  });
  expect(room.server.log).toEqual([]);
});

test.each([1, 2])('a model that may take %i turns answers in the last one', async (maxTurns) => {
  const room = await apiRoom();
  room.write('a.js', 'one\n');
  const agent = await room.agent('compatible');
  room.server.fallback(({ tools }) =>
    tools.length > 0 ? { kind: 'tool', tool: 'list', target: '' } : { kind: 'text', text: 'Done.' },
  );
  const { end } = await runToEnd(agent, room.request('Why?', { maxTurns }));
  expect(end).toMatchObject({ ok: true, text: 'Done.' });
  expect(room.server.log).toHaveLength(maxTurns);
});
