import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lenientSchema, strictSchema } from '../../src/agents/cli/strict-schema.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, text } from './cli-bench.ts';
import { isShort } from './extent.ts';
import { type CliName, cliNames, realClis } from './real-clis.ts';

const usual = { tokens: { input: 1000, output: 50, cached: 400 }, costUsd: null };
const kinds = ['started', 'thinking', 'message', 'usage', 'completed'];
const schema = {
  type: 'object',
  properties: { sum: { type: 'integer', minimum: 0 }, note: { type: 'string' } },
  required: ['sum'],
};

interface Told {
  readonly kinds: readonly string[];
  readonly facts: object;
  /** How often a sentence is repeated that comes whole. */
  readonly sentences: number;
  /** The form of a schema that reaches the provider. */
  readonly schema: unknown;
}

const told: Readonly<Record<CliName, Told>> = {
  claude: {
    kinds,
    facts: { tokens: { input: 19, output: 7, cached: 5 }, costUsd: expect.closeTo(0, 2) },
    sentences: 40_000,
    schema: lenientSchema(schema),
  },
  codex: { kinds, facts: usual, sentences: 20_000, schema: strictSchema(schema) },
  gemini: {
    kinds: ['started', 'message', 'usage', 'message', 'completed'],
    // Where nobody chose a model, one is asked which to ask.
    facts: { tokens: { input: 2000, output: 31, cached: 800 }, costUsd: null },
    sentences: 40_000,
    schema: null,
  },
  copilot: {
    kinds: ['started', 'message', 'message', 'thinking', 'started', 'completed', 'usage'],
    facts: usual,
    sentences: 40_000,
    schema: null,
  },
  opencode: { kinds, facts: usual, sentences: 10_000, schema: null },
};

/** Where the user names a model in settings of the CLI, and what it is called then. */
const chosen = {
  claude: {
    path: '.claude/settings.json',
    settings: '{"apiKeyHelper":"echo key-of-the-helper","model":"haiku"}',
    environment: { ANTHROPIC_API_KEY: undefined },
    model: /haiku/,
  },
  codex: {
    path: '.codex/config.toml',
    settings: 'model = "gpt-5.5"\nmodel_reasoning_effort = "xhigh"\n',
    environment: {},
    model: /^gpt-5\.5$/,
  },
  gemini: {
    path: '.gemini/settings.json',
    settings: `{ "security": { "auth": { "selectedType": "gemini-api-key" } },
      // As it may be written by hand.
      "model": { "name": "gemini-2.5-flash" } }`,
    environment: {},
    model: /^gemini-2\.5-flash$/,
  },
  copilot: {
    path: '.copilot/settings.json',
    settings: '{ // As written by hand.\n "model": "claude-opus-5" }',
    environment: { COPILOT_MODEL: undefined },
    model: /^claude-opus-5$/,
  },
};

describe.each(cliNames)('%s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const expected = told[name];

  test('is ready, and answers with its session, model, version, thoughts and tokens', async () => {
    const agent = bench.room.agent();
    const before = bench.room.tree();
    const { version } = cli;
    const ready = await agent.ready(new AbortController().signal);
    expect(ready).toMatchObject({ state: 'ready', version });
    expect(bench.room.tree()).toEqual(before);
    const prompt = bench.scripted({ kind: 'text', text: 'Do this.', thinking: 'Well, so.' });
    const { events, end } = await runToEnd(agent, bench.room.request(prompt));
    bench.keep('text');
    expect(answerOf(end)).toBe('Do this.');
    expect(events.map(({ type }) => type)).toEqual(expected.kinds);
    // On a busy machine, codex still has processes in the background when it has answered.
    const notes = end.facts.notes.filter((note) => !note.endsWith('left running had to be ended'));
    expect({ ...end.facts, notes }).toMatchObject({
      agentSession: expect.stringMatching(/^(?:[\da-f-]{36}|ses_\w+)$/),
      version,
      exitCode: 0,
      unknownEvents: 0,
      notes: [],
      ...expected.facts,
    });
    expect(cli.adapter.vendorOf(end.facts.model)).toBe(cli.vendor);
    expect(end.facts.model).toContain(bench.server.log.at(-1)?.model);
  });

  test.skipIf(isShort)('gives a long text whole, and one that takes its time', async () => {
    const long = 'A sentence of the answer. '.repeat(expected.sentences);
    expect(answerOf((await bench.ask(bench.scripted(text(long)))).end) === long).toBe(true);
    const slow = bench.scripted({ kind: 'slow', text: 'Late.', delayMs: 3_000 });
    expect(answerOf((await bench.ask(slow)).end)).toBe('Late.');
  });

  test.skipIf(isShort)('is given a schema in the form that it takes, or none', async () => {
    const value = { sum: 4, note: null };
    const prompt = bench.scripted({ kind: 'structured', value });
    const { end } = await bench.ask(prompt, { schema });
    bench.keep('schema');
    expect(answerOf(end)).toBe('{"sum":4,"note":null}');
    expect(bench.server.log.at(-1)?.schema ?? null).toEqual(expected.schema);
  });

  test.skipIf(isShort)('passes role and model on', async () => {
    const role =
      'Be a "critic" of @src/list.js\nof C:\\paths and ’quotes’; --no-option {{args}} {env:HOME}.';
    const prompt = bench.scripted(text('Yes.'));
    const { end } = await bench.ask(prompt, { role, model: cli.model });
    expect(end.facts.model).toBe(cli.model);
    const { model, system, prompt: received } = bench.server.log.at(-1) ?? {};
    expect(model).toBe(cli.model.split('/').at(-1));
    expect(`${system}\n${received}`).toContain(role);
  });

  test.skipIf(isShort)('reads files, in further folders too, and nowhere else', async () => {
    const { room, server } = bench;
    const extra = join(room.base, name === 'claude' ? 'extra' : 'extra, and more');
    room.write(`${extra.slice(room.base.length + 1)}/notes.txt`, 'noted there');
    room.write('home/private.txt', 'nobody’s business');
    const paths = [
      join(room.repo, 'src/list.js'),
      join(extra, 'notes.txt'),
      join(room.home, 'private.txt'),
    ];
    const asked = server.log.length;
    const prompt = bench.scripted(...paths.map(read), text('Read.'));
    const { events, end } = await bench.ask(prompt, { extraDirs: [extra] });
    bench.keep('reading');
    expect(answerOf(end)).toBe('Read.');
    const seen = server.log.slice(asked).flatMap(({ toolResults }) => toolResults);
    expect(seen.join('\n')).toMatch(/export const list[^]*noted there/);
    // The sandbox of codex forbids writing alone.
    if (name === 'codex') return;
    expect(seen.join('\n')).not.toContain('nobody’s business');
    const wasRead = { type: 'file_read', path: join(extra, 'notes.txt') };
    expect(events).toContainEqual(expect.objectContaining(wasRead));
  });
});

describe.skipIf(isShort).each(['claude', 'codex', 'gemini', 'copilot'] as const)('%s', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);
  const { path, settings, environment, model } = chosen[name];

  test('asks the model that the user named in its own settings, with their login', async () => {
    const room = bench.roomFor(cli.adapter, environment);
    room.write(`home/${path}`, settings);
    const { end } = await runToEnd(room.agent(), room.request(bench.scripted(text('Yes.'))));
    expect(answerOf(end)).toBe('Yes.');
    expect(bench.server.log.at(-1)?.model).toMatch(model);
    expect(end.facts.model).toMatch(model);
    const effort = name === 'codex' ? bench.server.log.at(-1)?.effort : 'xhigh';
    expect(effort).toBe('xhigh');
  });
});
