import { describe, expect, test } from 'vitest';
import { claude } from '../../src/agents/cli/claude.ts';
import { lenientSchema } from '../../src/agents/cli/strict-schema.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, read, status, text, windowsIn } from './cli-bench.ts';
import type { Reply } from './model-server/reply.ts';
import { realClis } from './real-clis.ts';

const bench = cliBench(realClis.claude);

describe('an answer by a schema', () => {
  test('is the JSON, and claude refuses no slip in it by itself', async () => {
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
    expect(events.map(({ type }) => type)).toEqual(['started', 'tool_call', 'usage', 'completed']);
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
});

test('a slash at the begin of the longest prompt is no command, and costs it nothing', async () => {
  const marker = bench.scripted(text('Taken.'));
  const atLimit = `/${marker}${'x'.repeat(claude.maxPromptBytes - marker.length - 1)}`;
  expect(answerOf((await bench.ask(atLimit)).end)).toBe('Taken.');
  expect(bench.server.log.at(-1)?.prompt.includes(atLimit)).toBe(true);
});

test('a failure that it gets over is told and no failure', async () => {
  const { events, end } = await bench.ask(bench.scripted(status(500), text('At last.')));
  bench.keep('retried');
  expect(answerOf(end)).toBe('At last.');
  expect(events).toContainEqual({
    type: 'retrying',
    reason: 'server_error (500)',
    delay: expect.any(Number),
  });
});

test('inside another session of it, it is a session of its own', async () => {
  const inner = bench.roomFor(claude, {
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_SSE_PORT: '1',
    CLAUDE_CODE_SESSION_ID: '11111111-1111-4111-8111-111111111111',
  });
  const { end } = await runToEnd(inner.agent(), inner.request(bench.scripted(text('Yes.'))));
  expect(answerOf(end)).toBe('Yes.');
});

describe('with the login of a plan', () => {
  const plan = cliBench({
    ...realClis.claude,
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, CLAUDE_CODE_OAUTH_TOKEN: 'token-of-nobody' }),
  });

  test('what is used of a window is told where much of it is', async () => {
    const resets = 1_900_000_000;
    const told = (share: string, more = {}) => ({
      headers: {
        'anthropic-ratelimit-unified-status': 'allowed',
        'anthropic-ratelimit-unified-5h-utilization': share,
        'anthropic-ratelimit-unified-5h-reset': String(resets),
        ...more,
      },
    });
    const much = { 'anthropic-ratelimit-unified-5h-surpassed-threshold': '0.5' };
    const { events } = await plan.ask(
      plan.scripted(
        { ...read('src/list.js'), ...told('0.4') },
        { ...read('src/list.js'), ...told('0.6', much) },
        { ...text('Done.'), ...told('0.66', much) },
      ),
    );
    const window = { name: '5-hour window', resets_at: resets * 1_000 };
    expect(windowsIn(events)).toEqual([
      { ...window, used: 0.6 },
      { ...window, used: 0.66 },
    ]);
  });
});

test('the tokens of a sub-agent that it starts are counted', async () => {
  const room = bench.roomFor({
    ...claude,
    argv: (request) => [
      ...claude.argv(request).filter((part) => !part.startsWith('--tools=')),
      '--tools=Agent,Read',
    ],
  });
  const task = bench.scripted(text('It is a list.'));
  const call = { description: 'look', prompt: task, subagent_type: 'general-purpose' };
  const start: Reply = { kind: 'tool', tool: 'read', target: '', call: ['Agent', call] };
  const alone = await bench.ask(bench.scripted(read('src/list.js'), text('Done.')));
  const prompt = bench.scripted(start, text('Done.'));
  const { end } = await runToEnd(room.agent(), room.request(prompt));
  expect(answerOf(end)).toBe('Done.');
  const [two, three] = [alone.end, end].map(({ facts }) => facts.tokens?.output ?? 0);
  expect([two, three]).toEqual([14, 21]);
});
