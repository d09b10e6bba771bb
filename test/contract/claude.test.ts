import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { lenientSchema } from '../../src/agents/strict-schema.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, status, text } from './cli-bench.ts';
import type { Reply } from './model-server/reply.ts';
import { realClis } from './real-clis.ts';

const bench = cliBench(realClis.claude);

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
    const long = 'A sentence of the answer. '.repeat(40_000);
    const { end } = await bench.ask(bench.scripted(text(long)));
    expect(end.ok && end.text === long).toBe(true);
    const prompt = bench.scripted({ kind: 'slow', text: 'Late.', delayMs: 3_000 });
    expect(answerOf((await bench.ask(prompt)).end)).toBe('Late.');
  });

  test('one by a schema is the JSON, and claude refuses no slip in it by itself', async () => {
    const schema = {
      type: 'object',
      properties: { sum: { type: 'integer' } },
      required: ['sum'],
      additionalProperties: false,
    };
    const wrong: Reply = { kind: 'structured', value: { sum: 'four', more: 1 } };
    const asked = bench.server.log.length;
    const { events, end } = await bench.ask(bench.scripted(wrong), { schema });
    bench.keep('schema');
    expect(answerOf(end)).toBe('{"sum":"four","more":1}');
    expect(bench.server.log.slice(asked)).toMatchObject([{ schema: lenientSchema(schema) }]);
    expect(events.map(({ kind }) => kind)).toEqual([
      'started',
      'tool-output',
      'usage',
      'completed',
    ]);
  });

  test('one in plain words where a schema was given is left to us', async () => {
    const schema = { type: 'object', properties: { sum: { type: 'integer' } } };
    const { end } = await bench.ask(bench.scripted(text('{"sum": 4}')), { schema });
    expect(answerOf(end)).toBe('{"sum": 4}');
  });

  test.each(['proposal', 'examination', 'plan-answer'] as const)(
    'the schema of our own reaches the model, and is no reason to refuse an answer: %s',
    async (name) => {
      const schema = (await schemaCheck({})).schema(name);
      const prompt = bench.scripted({ kind: 'structured', value: {} }, text('not reached'));
      const asked = bench.server.log.length;
      const { end } = await bench.ask(prompt, { schema });
      expect(answerOf(end)).toBe('{}');
      expect(bench.server.log.slice(asked)).toMatchObject([{ schema: lenientSchema(schema) }]);
    },
  );

  test('an effort is taken', async () => {
    const agent = bench.room.agent({ effort: 'low' });
    const { end } = await runToEnd(agent, bench.room.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
  });

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
      kind: 'approval-needed',
      tool: 'Read',
      what: join(bench.room.home, 'private.txt'),
      answer: 'denied',
    });
  });
});

test('a slash at the begin of the longest prompt is no command, and costs it nothing', async () => {
  const marker = bench.scripted(text('Taken.'));
  const atLimit = `/${marker}${'x'.repeat(claude.maxPromptBytes - marker.length - 1)}`;
  expect(answerOf((await bench.ask(atLimit)).end)).toBe('Taken.');
  expect(bench.server.log.at(-1)?.prompt.includes(atLimit)).toBe(true);
});

describe('failures', () => {
  test('its own time limit, where the user set one, is a time limit', async () => {
    const hasty = bench.roomFor(claude, { API_TIMEOUT_MS: '500' });
    const { end } = await runToEnd(
      hasty.agent(),
      hasty.request(bench.scripted({ kind: 'hang', when: 'before' })),
    );
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
  });

  test('a failure that it gets over is told and no failure', async () => {
    const { events, end } = await bench.ask(bench.scripted(status(500), text('At last.')));
    bench.keep('retried');
    expect(answerOf(end)).toBe('At last.');
    expect(events).toContainEqual({
      kind: 'retrying',
      reason: 'server_error (500)',
      delay_ms: expect.any(Number),
    });
  });
});
