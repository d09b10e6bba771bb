import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultModel, gemini } from '../../src/agents/gemini.ts';
import { runToEnd, until } from '../agents/agent-room.ts';
import { commandLines } from './cli-room.ts';
import { answerOf, geminiBench, read, text } from './gemini-room.ts';

const bench = geminiBench();

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
      { kind: 'completed', text: null },
    ]);
    expect(end.facts).toMatchObject({
      agentSession: expect.stringMatching(/^[\da-f-]{36}$/),
      model: defaultModel,
      tokens: { input: 1000, output: 25, cached: 400 },
      costUsd: null,
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
    });
    expect(bench.server.log.at(-1)?.model).toBe(defaultModel);
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

describe('prompts', () => {
  test.each([1, 3])('one of %i MB arrives whole, and in no process’s arguments', async (size) => {
    const filler = 'word-of-the-prompt '.repeat(size * 53_000);
    const prompt = `${bench.scripted({ kind: 'slow', text: 'Read.', delayMs: 1_000 })}\n${filler}.`;
    const asked = bench.server.log.length;
    const running = bench.ask(prompt);
    await until('the model is asked', () => bench.server.log.length > asked);
    const lines = commandLines();
    expect(lines.some((line) => line.includes('--output-format=stream-json'))).toBe(true);
    expect(lines.filter((line) => line.includes('word-of-the-prompt'))).toEqual([]);
    expect(answerOf((await running).end)).toBe('Read.');
    expect(bench.server.log.at(-1)?.prompt.includes(prompt)).toBe(true);
  });

  test('the largest one arrives whole, with a role; a larger one is refused', async () => {
    const role = 'r'.repeat(100_000);
    const marker = bench.scripted(text('Taken.'));
    const atLimit = marker + 'x'.repeat(gemini.maxPromptBytes - marker.length - 1);
    expect(answerOf((await bench.ask(`${atLimit}!`, { role })).end)).toBe('Taken.');
    expect(bench.server.log.at(-1)?.prompt.endsWith(`${atLimit}!`)).toBe(true);
    const asked = bench.server.log.length;
    for (const larger of [`${atLimit}!!`, 'x'.repeat(6_000_000)]) {
      const { end } = await bench.ask(larger);
      expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
    }
    expect(bench.server.log.length).toBe(asked);
  });

  test('a conversation that has become too long is refused, not empty', async () => {
    const role = 'r'.repeat(600_000);
    const { end } = await bench.ask('x'.repeat(gemini.maxPromptBytes), { role });
    expect(answerOf(end)).toMatchObject({ category: 'request-refused' });
  });

  test.each([
    [
      'names of files',
      '@src/list.js and @src\n\n  "@src/list.js"\tto nobody@src/list.js, @types/x',
    ],
    ['what commands are made of', '!{touch made} @{src/list.js} {{args}} !ls'],
    ['an option', '--version'],
    ['a command', '/help me /clear'],
  ])('one that holds %s arrives as it is, and nothing else with it', async (_what, words) => {
    const before = bench.room.tree();
    const prompt = `${words}\n${bench.scripted(text('Understood.'))}\n${words}`;
    expect(answerOf((await bench.ask(prompt)).end)).toBe('Understood.');
    expect(bench.server.log.at(-1)?.prompt.endsWith(`\n${prompt}`)).toBe(true);
    expect(bench.server.log.at(-1)?.prompt).not.toContain('export const list');
    expect(bench.room.tree()).toEqual(before);
  });
});

describe('sessions', () => {
  test('one is gone on with from its id, and only the new tokens count', async () => {
    const first = await bench.ask(bench.scripted(text('One.')));
    const { agentSession, tokens } = first.end.facts;
    const resume = { agentSession: agentSession ?? '', cwd: bench.room.repo };
    const { end } = await bench.ask(bench.scripted(text('Two.')), { resume, role: 'Be brief.' });
    bench.keep('resumed');
    expect(answerOf(end)).toBe('Two.');
    expect(end.facts).toMatchObject({ agentSession, tokens });
    expect(bench.server.log.at(-1)?.prompt).toMatch(/scenario[^]*Be brief\.[^]*scenario/);
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
      const resume = { agentSession, cwd: bench.room.repo };
      const asked = bench.server.log.length;
      expect(answerOf((await bench.ask('Hello?', { resume })).end)).toMatchObject({
        category: 'session-lost',
      });
      expect(bench.server.log.length).toBe(asked);
      await bench.ask(bench.scripted(text('One.')));
      expect(answerOf((await bench.ask('Hello?', { resume })).end)).toMatchObject({
        category: 'session-lost',
      });
    },
  );

  test('a conversation has an id of ours, another for each run', async () => {
    const request = bench.room.request(bench.scripted(text('One.')));
    const { end } = await runToEnd(bench.room.agent(), request);
    expect(gemini.argv(request)).toContain(`--session-id=${end.facts.agentSession}`);
    expect(gemini.argv(bench.room.request('x'))).not.toEqual(gemini.argv(request));
  });

  test('a lock that another run left behind does not hold it up', async () => {
    mkdirSync(join(bench.room.home, '.gemini/projects.json.lock'));
    const { end } = await bench.ask(bench.scripted(text('Yes.')));
    expect(answerOf(end)).toBe('Yes.');
    expect(end.facts.durationMs).toBeLessThan(10_000);
  });

  test('one run after the other, and two at once, none waits for a lock', async () => {
    const runs = ['a', 'b'].map((name) => async () => {
      const rawOutput = join(bench.room.base, `${name}.jsonl`);
      const first = await bench.ask(bench.scripted(text('Yes.')), { rawOutput });
      const second = await bench.ask(bench.scripted(text('Yes.')), { rawOutput });
      return Math.max(first.end.facts.durationMs, second.end.facts.durationMs);
    });
    const longest = Math.max(...(await Promise.all(runs.map((run) => run()))));
    expect(longest).toBeLessThan(10_000);
  });
});
