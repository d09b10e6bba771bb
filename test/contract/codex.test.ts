import { describe, expect, test } from 'vitest';
import { strictSchema } from '../../src/agents/strict-schema.ts';
import type { FailureCategory } from '../../src/model/failure.ts';
import { runToEnd, until } from '../agents/agent-room.ts';
import { commandLines } from './cli-room.ts';
import { answerOf, codexBench, forms, shell, text } from './codex-room.ts';
import type { Reply } from './model-server/reply.ts';

const bench = codexBench();

describe('answers', () => {
  test('a text comes with its session, thinking and tokens', async () => {
    const { events, end } = await bench.ask(
      bench.scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' }),
    );
    expect(answerOf(end)).toBe('Do this.');
    expect(events.map(({ kind }) => kind)).toEqual([
      'started',
      'thinking',
      'message',
      'usage',
      'completed',
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^[\da-f-]{36}$/),
      tokens: { input: 1000, output: 50, cached: 400 },
      costUsd: null,
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
    bench.keep('text');
  });

  test('a long text comes whole, and so does one that takes its time', async () => {
    const long = 'A sentence of the answer. '.repeat(20_000);
    expect(answerOf((await bench.ask(bench.scripted(text(long)))).end)).toBe(long);
    const slow = await bench.ask(bench.scripted({ kind: 'slow', text: 'Late.', delayMs: 3_000 }));
    expect(answerOf(slow.end)).toBe('Late.');
  });

  test('a schema reaches the provider in its strict form', async () => {
    const schema = {
      type: 'object',
      properties: { sum: { type: 'integer', minimum: 0 }, note: { type: 'string' } },
      required: ['sum'],
    };
    const prompt = bench.scripted({ kind: 'structured', value: { sum: 4, note: null } });
    const { end } = await bench.ask(prompt, { schema });
    expect(answerOf(end)).toBe('{"sum":4,"note":null}');
    bench.keep('schema');
    expect(bench.server.log.at(-1)?.schema).toEqual(strictSchema(schema));
  });

  test('role and model reach the provider', async () => {
    const role = 'Be a "critic"\nof C:\\paths and ’quotes’ \u007f.';
    await bench.ask(bench.scripted(text('Yes.')), { role, model: 'some-model' });
    expect(bench.server.log.at(-1)).toMatchObject({
      model: 'some-model',
      system: expect.stringContaining(role),
    });
  });

  test.each(forms)('tools that read are run and told ($form)', async ({ form, model }) => {
    const read: Reply = { kind: 'tool', tool: 'read', target: 'src/list.js' };
    const prompt = bench.scripted(read, shell('echo out; exit 3'), text('Done.'));
    const { events, end } = await bench.ask(prompt, { model });
    expect(answerOf(end)).toBe('Done.');
    expect(bench.server.log.at(-1)?.toolResults.join()).toContain('export const list');
    expect(events.filter(({ kind }) => kind === 'command')).toEqual([
      { kind: 'command', command: expect.stringContaining('cat'), exit_code: 0 },
      { kind: 'command', command: expect.stringContaining('echo out'), exit_code: 3 },
    ]);
    expect(end.facts.tokens).toEqual({ input: 3000, output: 150, cached: 1200 });
    bench.keep(form.replace(' ', '-'));
  });
});

test('it is ready, with its version', async () => {
  expect(await bench.agent().ready(new AbortController().signal)).toMatchObject({
    state: 'ready',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
});

describe('prompts', () => {
  test('the largest one arrives whole, and in the arguments of no process', async () => {
    const filler = 'word-of-the-prompt '.repeat(55_000);
    const prompt = `${bench.scripted({ kind: 'slow', text: 'Read.', delayMs: 2_000 })}\n${filler}`;
    const asked = bench.server.log.length;
    const running = bench.ask(prompt);
    await until('the model is asked', () => bench.server.log.length > asked);
    const lines = commandLines();
    expect(lines.some((line) => line.includes('--ignore-user-config'))).toBe(true);
    expect(lines.filter((line) => line.includes('word-of-the-prompt'))).toEqual([]);
    expect(answerOf((await running).end)).toBe('Read.');
    expect(bench.server.log.at(-1)?.prompt).toContain(prompt);
  });

  test('one that it would not take is refused before it is started', async () => {
    const asked = bench.server.log.length;
    const { end } = await bench.ask('x'.repeat(6_000_000));
    expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
    expect(bench.server.log.length).toBe(asked);
  });

  test('one that looks like a flag is a prompt all the same', async () => {
    const prompt = `--help ${bench.scripted(text('Answered.'))}`;
    expect(answerOf((await bench.ask(prompt)).end)).toBe('Answered.');
    expect(bench.server.log.at(-1)?.prompt).toContain('--help');
  });

  test('the longest one that it takes is let through', async () => {
    const atLimit = (bytes: number) => {
      const prompt = bench.scripted(text('Taken.'));
      return prompt + 'x'.repeat(bytes - prompt.length);
    };
    expect(answerOf((await bench.ask(atLimit(1_048_576))).end)).toBe('Taken.');
  });
});

describe('sessions', () => {
  test('one is gone on with from its id, and only the new tokens count', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const { agentSession, tokens } = first.end.facts;
    const resume = { agentSession: agentSession ?? '', cwd: bench.room.repo };
    const { end } = await bench.ask(bench.scripted(text('Two.')), {
      resume: { ...resume, ...(tokens === null ? {} : { spent: tokens }) },
    });
    expect(answerOf(end)).toBe('Two.');
    expect(end.facts).toMatchObject({ agentSession, tokens });
    expect(bench.server.log.at(-1)?.prompt).toMatch(/scenario.*scenario/s);
    bench.keep('resumed');
  });

  test.each(['01a1fd7a-0000-7000-8000-000000000000', 'no-such-session'])(
    'an unknown one is lost, not begun anew: %s',
    async (agentSession) => {
      const asked = bench.scripted({ kind: 'slow', text: 'Paid in vain.', delayMs: 5_000 });
      const { end } = await bench.ask(asked, { resume: { agentSession, cwd: bench.room.repo } });
      expect(answerOf(end)).toMatchObject({ category: 'session-lost' });
      expect(end.facts.durationMs).toBeLessThan(4_000);
    },
  );
});

const status = (code: number, retryAfter?: number): Reply => ({
  kind: 'status',
  status: code,
  message: 'in the words of the provider',
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

describe('failures', () => {
  const cells: readonly [string, Reply, FailureCategory][] = [
    ['400', status(400), 'request-refused'],
    ['401', status(401), 'not-logged-in'],
    ['403', status(403), 'not-logged-in'],
    ['404', status(404), 'request-refused'],
    ['429', status(429), 'rate-limited'],
    ['429 that names its wait', status(429, 1), 'rate-limited'],
    ['500', status(500), 'network'],
    ['529', status(529), 'rate-limited'],
    ['a dropped connection', { kind: 'drop', when: 'before' }, 'network'],
    ['a connection dropped in the middle', { kind: 'drop', when: 'middle' }, 'network'],
    ['garbage', { kind: 'garbage' }, 'network'],
    ['no answer', { kind: 'empty' }, 'empty-answer'],
  ];

  test.each(cells)('%s ends within ten seconds, rightly named', async (name, reply, category) => {
    const { end } = await bench.ask(bench.scripted(reply), { limits: { totalMs: 10_000 } });
    expect(answerOf(end)).toMatchObject({ category, agent: 'codex' });
    bench.keep(`failed-${name.replaceAll(' ', '-')}`);
  });

  test.each(['before', 'middle'] as const)('a model that hangs (%s) is left', async (when) => {
    const { end } = await bench.ask(bench.scripted({ kind: 'hang', when }), {
      limits: { idleMs: 2_000 },
    });
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(end.facts.durationMs).toBeLessThan(6_000);
  });

  test('a wait of an hour is not waited for, and named for what it is', async () => {
    const { end } = await bench.ask(bench.scripted(status(429, 3600)), {
      limits: { idleMs: 2_000 },
    });
    expect(answerOf(end)).toMatchObject({ category: 'rate-limited', retry_after_ms: null });
    expect(end.facts.durationMs).toBeLessThan(6_000);
  });

  test('a failure that it gets over is told and no failure', async () => {
    const { events, end } = await bench.ask(
      bench.scripted({ kind: 'drop', when: 'middle' }, text('At last.')),
    );
    expect(answerOf(end)).toBe('At last.');
    expect(events).toContainEqual({
      kind: 'retrying',
      reason: expect.stringContaining('disconnected'),
      delay_ms: null,
    });
    bench.keep('got-over');
  });

  test('no network ends in time, though it would wait for one', async () => {
    const closed = bench.agent('http://127.0.0.1:9');
    const { end } = await runToEnd(closed, bench.room.request('Hello?'));
    expect(answerOf(end)).toMatchObject({ category: 'network' });
    expect(end.facts.durationMs).toBeLessThan(15_000);
  });
});
