import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isShort } from './extent.ts';
import { gemini } from '../../src/agents/gemini.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, status, text } from './cli-bench.ts';
import { realClis } from './real-clis.ts';

const bench = cliBench(realClis.gemini);

describe('answers', () => {
  test('a text comes with its session, model and tokens, thoughts among them', async () => {
    const prompt = bench.scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' });
    const { events, end } = await bench.ask(prompt);
    bench.keep('text');
    expect(answerOf(end)).toBe('Do this.');
    expect(events).toEqual([
      expect.objectContaining({ kind: 'started' }),
      { kind: 'message', text: 'Do this.', partial: true },
      expect.objectContaining({ kind: 'usage' }),
      { kind: 'completed', text: null, model: expect.stringMatching(/^gemini-/) },
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^[\da-f-]{36}$/),
      model: bench.server.log.at(-1)?.model,
      // Where nobody chose a model, one is asked which to ask.
      tokens: { input: 2000, output: 31, cached: 800 },
      costUsd: null,
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
    expect(gemini.vendorOf(end.facts.model)).toBe('google');
  });

  test('a long text comes whole, and so does one that takes its time', async () => {
    const long = 'A sentence of the answer. '.repeat(40_000);
    const { end } = await bench.ask(bench.scripted(text(long)));
    expect(answerOf(end) === long).toBe(true);
    const prompt = bench.scripted({ kind: 'slow', text: 'Late.', delayMs: 3_000 });
    expect(answerOf((await bench.ask(prompt)).end)).toBe('Late.');
  });

  test('a schema is said to be nothing for it, and does not reach the provider', async () => {
    expect(gemini.can.schema).toBe(false);
    const schema = { type: 'object', properties: { sum: { type: 'integer' } } };
    const { end } = await bench.ask(bench.scripted({ kind: 'structured', value: { sum: 4 } }), {
      schema,
    });
    expect(answerOf(end)).toBe('{"sum":4}');
    expect(bench.server.log.at(-1)?.schema).toBe(null);
  });

  test('the model is that of the user’s own settings', async () => {
    const own = bench.roomFor(gemini);
    own.write(
      'home/.gemini/settings.json',
      `{ "security": { "auth": { "selectedType": "gemini-api-key" } },
        // As it may be written by hand.
        "model": { "name": "gemini-2.5-flash" } }`,
    );
    const { end } = await runToEnd(own.agent(), own.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
    expect(bench.server.log.at(-1)?.model).toBe('gemini-2.5-flash');
    expect(end.facts.model).toBe('gemini-2.5-flash');
  });

  test('role and model reach the provider', async () => {
    const role =
      'Be a "critic" of @src/list.js\nof C:\\paths and ’quotes’; --not-an-option {{args}}.';
    const prompt = bench.scripted(text('Yes.'));
    const { end } = await bench.ask(prompt, { role, model: 'gemini-3-flash-preview' });
    expect(end.facts.model).toBe('gemini-3-flash-preview');
    expect(bench.server.log.at(-1)).toMatchObject({
      model: 'gemini-3-flash-preview',
      prompt: expect.stringContaining(`${role}\n\n${prompt}`),
    });
  });

  test('files are read, in further folders too, and nowhere else', async () => {
    bench.room.write('extra, and more/notes.txt', 'noted there');
    bench.room.write('home/private.txt', 'nobody’s business');
    const [extra, own] = [
      join(bench.room.base, 'extra, and more'),
      join(bench.room.repo, 'src/list.js'),
    ];
    const targets = ['src/list.js', join(extra, 'notes.txt'), join(bench.room.home, 'private.txt')];
    const asked = bench.server.log.length;
    const prompt = bench.scripted(...[own, ...targets].map(read), text('Read.'));
    const { events, end } = await bench.ask(prompt, { extraDirs: [extra] });
    bench.keep('reading');
    expect(answerOf(end)).toBe('Read.');
    const seen = bench.server.log.slice(asked).flatMap(({ toolResults }) => toolResults);
    expect(seen.join('\n')).toMatch(/export const list[^]*noted there/);
    expect(seen.join('\n')).not.toContain('nobody’s business');
    expect(events).toContainEqual({ kind: 'file-read', path: join(extra, 'notes.txt') });
    expect(events).toContainEqual({
      kind: 'warning',
      text: expect.stringContaining('not in workspace'),
    });
  });
});

describe('its lock', () => {
  test('a lock that another run left behind does not hold it up', async () => {
    mkdirSync(join(bench.room.home, '.gemini/projects.json.lock'));
    const { end } = await bench.ask(bench.scripted(text('Yes.')));
    expect(answerOf(end)).toBe('Yes.');
    expect(end.facts.durationMs).toBeLessThan(10_000);
  });

  test('one run after the other, and two at once, none waits for a lock', async () => {
    const runs = ['a', 'b'].map((name) => async () => {
      mkdirSync(join(bench.room.base, name));
      const rawOutput = join(bench.room.base, name, 'events.jsonl');
      const first = await bench.ask(bench.scripted(text('Yes.')), { rawOutput });
      const second = await bench.ask(bench.scripted(text('Yes.')), { rawOutput });
      return Math.max(first.end.facts.durationMs, second.end.facts.durationMs);
    });
    const longest = Math.max(...(await Promise.all(runs.map((run) => run()))));
    expect(longest).toBeLessThan(10_000);
  });
});

describe('failures', () => {
  test('a conversation that has become too long is refused, not empty', async () => {
    const role = 'r'.repeat(600_000);
    const { end } = await bench.ask('x'.repeat(gemini.maxPromptBytes), { role });
    expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
  });

  test('the wait that a rate limit asks for is told', async () => {
    const message = 'You exceeded your current quota';
    const { end } = await bench.ask(bench.scripted(status(429, { message, retryAfter: 3_600 })));
    expect(answerOf(end)).toMatchObject({ retry_after_ms: 3_600_000 });
  });

  test('a model that never comes to an end is stopped after a hundred turns', async () => {
    const asked = bench.server.log.length;
    const { end } = await bench.ask(bench.scripted(read('src/list.js')));
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(bench.server.log.length - asked).toBe(100);
  });

  const passing = [
    ['an empty answer', { kind: 'empty' }],
    ['500', status(500)],
    ['429', status(429, { message: 'Resource has been exhausted' })],
  ] as const;
  test.each(isShort ? passing.slice(0, 1) : passing)(
    'one failure in between is no failure: %s',
    async (_name, reply) => {
      expect(answerOf((await bench.ask(bench.scripted(reply, text('At last.')))).end)).toBe(
        'At last.',
      );
    },
  );

  test('no report of an error is left behind', async () => {
    const reported = bench.roomFor(gemini, { TMPDIR: join(bench.room.base, 'reports') });
    mkdirSync(join(bench.room.base, 'reports'));
    await runToEnd(reported.agent(), reported.request(bench.scripted(status(401))));
    expect(Object.keys(reported.tree()).filter((path) => path.endsWith('.files'))).toEqual([]);
    expect(readdirSync(join(bench.room.base, 'reports'))).toEqual([]);
  });
});
