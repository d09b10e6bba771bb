import { describe, expect, test } from 'vitest';
import { strictSchema } from '../../src/agents/strict-schema.ts';
import { answerOf, cliBench, read, shell, status, text } from './cli-bench.ts';
import { forms, realClis } from './real-clis.ts';

const bench = cliBench(realClis.codex);

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

  test('model and effort are those of the user’s own settings, and the thread tells who answered', async () => {
    bench.room.write(
      'home/.codex/config.toml',
      'model = "gpt-5.5"\nmodel_reasoning_effort = "xhigh"\n',
    );
    const { end } = await bench.ask(bench.scripted(text('Yes.')));
    expect(bench.server.log.at(-1)).toMatchObject({ model: 'gpt-5.5', effort: 'xhigh' });
    expect(end.facts.model).toBe('gpt-5.5');
    bench.room.write('home/.codex/config.toml', '');
    const usual = await bench.ask(bench.scripted(text('Yes.')));
    expect(usual.end.facts.model).toBe(bench.server.log.at(-1)?.model);
  });

  test.each(forms)('tools that read are run and told ($form)', async ({ form, model }) => {
    const prompt = bench.scripted(read('src/list.js'), shell('echo out; exit 3'), text('Done.'));
    const { events, end } = await bench.ask(prompt, { model });
    expect(answerOf(end)).toBe('Done.');
    expect(bench.server.log.at(-1)?.toolResults.join()).toContain('export const list');
    expect(events.filter(({ kind }) => kind === 'command')).toEqual([
      {
        kind: 'command',
        command: expect.stringContaining('cat'),
        exit_code: 0,
        output: 'export const list = [];',
      },
      {
        kind: 'command',
        command: expect.stringContaining('echo out'),
        exit_code: 3,
        output: 'out',
      },
    ]);
    expect(end.facts.tokens).toEqual({ input: 3000, output: 150, cached: 1200 });
    bench.keep(form.replace(' ', '-'));
  });
});

test('it is ready, with its version', async () => {
  expect(await bench.room.agent().ready(new AbortController().signal)).toMatchObject({
    state: 'ready',
    version: realClis.codex.version,
  });
});

describe('failures', () => {
  test('a wait of an hour is not waited for, and named for what it is', async () => {
    const { end } = await bench.ask(bench.scripted(status(429, { retryAfter: 3_600 })), {
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
});
