import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { until } from '../agents/agent-room.ts';
import { answerOf, claudeBench, read, text } from './claude-room.ts';
import { commandLines } from './cli-room.ts';
import type { Reply } from './model-server/reply.ts';

const bench = claudeBench();

describe('answers', () => {
  test('a text comes with its session, model, version, thinking, tokens and cost', async () => {
    const prompt = bench.scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' });
    const { events, end } = await bench.ask(prompt);
    bench.keep('text');
    expect(answerOf(end)).toBe('Do this.');
    expect(events).toEqual([
      expect.objectContaining({ kind: 'started' }),
      { kind: 'thinking', text: 'Well, so.' },
      { kind: 'message', text: 'Do this.', partial: false },
      expect.objectContaining({ kind: 'usage' }),
      { kind: 'completed', text: 'Do this.' },
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^[\da-f-]{36}$/),
      model: expect.stringMatching(/^claude-/),
      version: '2.1.197',
      tokens: { input: 19, output: 7, cached: 5 },
      costUsd: expect.closeTo(0, 2),
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
    expect(claude.vendorOf(end.facts.model)).toBe('anthropic');
  });

  test('a long text comes whole, and so does one that takes its time', async () => {
    const long = 'A sentence of the answer. '.repeat(20_000);
    const { end } = await bench.ask(bench.scripted(text(long)));
    expect(end.ok && end.text === long).toBe(true);
    const prompt = bench.scripted({ kind: 'slow', text: 'Late.', delayMs: 3_000 });
    expect(answerOf((await bench.ask(prompt)).end)).toBe('Late.');
  });

  test('one by a schema is the JSON, checked by claude itself', async () => {
    const schema = {
      type: 'object',
      properties: { sum: { type: 'integer' } },
      required: ['sum'],
      additionalProperties: false,
    };
    const wrong: Reply = { kind: 'structured', value: { sum: 'four' } };
    const right: Reply = { kind: 'structured', value: { sum: 4 } };
    const { events, end } = await bench.ask(bench.scripted(wrong, right), { schema });
    bench.keep('schema');
    expect(answerOf(end)).toBe('{"sum":4}');
    expect(bench.server.log.at(-1)).toMatchObject({
      schema,
      toolResults: [expect.stringContaining('must be integer')],
    });
    expect(events.map(({ kind }) => kind)).toEqual(['started', 'usage', 'completed']);
  });

  test('one in plain words where a schema was given is left to us', async () => {
    const schema = { type: 'object', properties: { sum: { type: 'integer' } } };
    const { end } = await bench.ask(bench.scripted(text('{"sum": 4}')), { schema });
    expect(answerOf(end)).toBe('{"sum": 4}');
  });

  test.each(['proposal', 'examination', 'plan-answer'] as const)(
    'the schema of our own that it answers by is taken: %s',
    async (name) => {
      const schema = (await schemaCheck({})).schema(name);
      const prompt = bench.scripted({ kind: 'structured', value: {} }, text('{}'));
      const asked = bench.server.log.length;
      const { end } = await bench.ask(prompt, { schema });
      expect(answerOf(end)).toBe('{}');
      const results = bench.server.log.slice(asked).flatMap(({ toolResults }) => toolResults);
      expect(results).toEqual([expect.stringMatching(/^Output does not match/)]);
    },
  );

  test('role and model reach the provider', async () => {
    const role = 'Be a "critic"\nof C:\\paths and ’quotes’; --not-an-option.';
    const { end } = await bench.ask(bench.scripted(text('Yes.')), {
      role,
      model: 'claude-haiku-4-5-20251001',
    });
    expect(end.facts.model).toBe('claude-haiku-4-5-20251001');
    expect(bench.server.log.at(-1)).toMatchObject({
      model: 'claude-haiku-4-5-20251001',
      system: expect.stringContaining(role),
    });
  });

  test('files are read, in further folders too, and nowhere else', async () => {
    bench.room.write('extra/notes.txt', 'noted there');
    bench.room.write('home/private.txt', 'nobody’s business');
    const [own, extra] = [
      join(bench.room.repo, 'src/list.js'),
      join(bench.room.base, 'extra/notes.txt'),
    ];
    const prompt = bench.scripted(
      ...[own, extra, join(bench.room.home, 'private.txt')].map(read),
      text('Read.'),
    );
    const asked = bench.server.log.length;
    const { events, end } = await bench.ask(prompt, {
      extraDirs: [join(bench.room.base, 'extra')],
    });
    bench.keep('reading');
    expect(answerOf(end)).toBe('Read.');
    const seen = bench.server.log.slice(asked).flatMap(({ toolResults }) => toolResults);
    expect(seen.join('\n')).toMatch(/export const list[^]*noted there/);
    expect(seen.join('\n')).not.toContain('nobody’s business');
    expect(events).toContainEqual({ kind: 'file-read', path: extra });
    expect(events).toContainEqual({
      kind: 'warning',
      text: 'it was not permitted to use Read',
    });
  });
});

describe('prompts', () => {
  test.each([1, 6])('one of %i MB arrives whole, and in no process’s arguments', async (size) => {
    const filler = 'word-of-the-prompt '.repeat(size * 53_000);
    const prompt = `${bench.scripted({ kind: 'slow', text: 'Read.', delayMs: 1_000 })}\n${filler}.`;
    const asked = bench.server.log.length;
    const running = bench.ask(prompt);
    await until('the model is asked', () => bench.server.log.length > asked);
    const lines = commandLines();
    expect(lines.some((line) => line.includes('--safe-mode'))).toBe(true);
    expect(lines.filter((line) => line.includes('word-of-the-prompt'))).toEqual([]);
    expect(answerOf((await running).end)).toBe('Read.');
    expect(bench.server.log.at(-1)?.prompt.includes(prompt)).toBe(true);
  });

  test('the limit is the one that claude has', async () => {
    const marker = bench.scripted(text('Taken.'));
    const atLimit = `/${marker}${'x'.repeat(claude.maxPromptBytes - marker.length - 1)}`;
    expect(answerOf((await bench.ask(atLimit)).end)).toBe('Taken.');
    const asked = bench.server.log.length;
    const { end } = await bench.ask(`${atLimit}x`);
    expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
    expect(bench.server.log.length).toBe(asked);
  });

  test('one that looks like an option is none', async () => {
    const prompt = `--version ${bench.scripted(text('Understood.'))}`;
    expect(answerOf((await bench.ask(prompt)).end)).toBe('Understood.');
  });

  test('one that looks like a command is none', async () => {
    const prompt = `/context ${bench.scripted(text('Understood.'))}`;
    expect(answerOf((await bench.ask(prompt)).end)).toBe('Understood.');
  });

  test('a file that is only mentioned is not sent', async () => {
    bench.room.write('home/private.txt', 'nobody’s business');
    const mention = `@${bench.room.home}/private.txt @src/list.js`;
    const prompt = `${mention} ${bench.scripted(text('Not seen.'))} ${mention}`;
    expect(answerOf((await bench.ask(prompt)).end)).toBe('Not seen.');
    expect(bench.server.log.at(-1)?.prompt).toContain(prompt);
    expect(bench.server.log.at(-1)?.prompt).not.toMatch(/nobody’s business|export const list/);
  });
});

describe('sessions', () => {
  test('one is gone on with from its id, and only the new tokens count', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const { agentSession, tokens } = first.end.facts;
    const resume = { agentSession: agentSession ?? '', cwd: bench.room.repo };
    const { end } = await bench.ask(bench.scripted(text('Two.')), {
      resume,
      role: 'Be brief.',
      model: 'opus',
    });
    bench.keep('resumed');
    expect(answerOf(end)).toBe('Two.');
    expect(end.facts).toMatchObject({ agentSession, tokens });
    expect(bench.server.log.at(-1)?.prompt).toMatch(/scenario[^]*scenario/);
    expect(bench.server.log.at(-1)?.system).toContain('Be brief.');
  });

  test('one is gone on with in the folder where it began', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const cwd = join(bench.room.repo, 'src');
    const resume = { agentSession: first.end.facts.agentSession ?? '', cwd: bench.room.repo };
    const { end } = await bench.ask(bench.scripted(read(join(cwd, 'list.js')), text('Two.')), {
      cwd,
      resume,
    });
    expect(answerOf(end)).toBe('Two.');
    expect(bench.server.log.at(-1)?.toolResults.join()).toContain('export const list');
  });

  test.each(['01a1fd7a-0000-4000-8000-000000000000', 'no-such-session'])(
    'an unknown one is lost, not begun anew: %s',
    async (agentSession) => {
      const asked = bench.server.log.length;
      const { end } = await bench.ask('Hello?', { resume: { agentSession, cwd: bench.room.repo } });
      expect(answerOf(end)).toMatchObject({ category: 'session-lost' });
      expect(bench.server.log.length).toBe(asked);
    },
  );

  test('a conversation has an id of ours, another for each run', async () => {
    const ids = [
      await bench.ask(bench.scripted(text('One.'))),
      await bench.ask(bench.scripted(text('Two.'))),
    ].map(({ end }) => end.facts.agentSession);
    expect(new Set(ids).size).toBe(2);
    expect(claude.argv(bench.room.request('x', { mark: 'm' }))).toEqual(
      claude.argv(bench.room.request('y', { mark: 'm' })),
    );
  });
});
