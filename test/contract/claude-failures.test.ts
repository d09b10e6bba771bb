import { expect, test } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import type { FailureCategory } from '../../src/model/failure.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, claudeBench, text } from './claude-room.ts';
import type { Reply } from './model-server/reply.ts';

const bench = claudeBench();

const status = (code: number, more: { retryAfter?: number; message?: string } = {}): Reply => ({
  kind: 'status',
  status: code,
  message: 'in the words of the provider',
  ...more,
});
const cells: readonly [string, Reply, FailureCategory][] = [
  ['400', status(400), 'request-refused'],
  [
    '400 for want of credit',
    status(400, { message: 'Your credit balance is too low to access the Anthropic API.' }),
    'rate-limited',
  ],
  [
    '400 for too long a prompt',
    status(400, { message: 'prompt is too long: 300000 tokens > 200000 maximum' }),
    'request-refused',
  ],
  ['401', status(401), 'not-logged-in'],
  ['403', status(403), 'not-logged-in'],
  ['404', status(404), 'request-refused'],
  ['413', status(413), 'request-refused'],
  ['429', status(429), 'rate-limited'],
  ['429 that names its wait', status(429, { retryAfter: 1 }), 'rate-limited'],
  ['429 that names a long wait', status(429, { retryAfter: 3_600 }), 'rate-limited'],
  ['500', status(500), 'network'],
  ['503', status(503), 'network'],
  ['529', status(529), 'rate-limited'],
  ['a dropped connection', { kind: 'drop', when: 'before' }, 'network'],
  ['a connection dropped in the middle', { kind: 'drop', when: 'middle' }, 'network'],
  ['garbage', { kind: 'garbage' }, 'network'],
  ['no answer', { kind: 'empty' }, 'empty-answer'],
];

test.each(cells)('%s ends within ten seconds, rightly named', async (name, reply, category) => {
  const { end } = await bench.ask(bench.scripted(reply), { limits: { totalMs: 10_000 } });
  bench.keep(`failed: ${name}`.replace(/\W+/g, '-'));
  expect(answerOf(end)).toMatchObject({ category, agent: 'claude' });
  expect(end.facts.exitCode).not.toBe(null);
});

test.each(['before', 'middle'] as const)('a model that hangs (%s) is left', async (when) => {
  const { end } = await bench.ask(bench.scripted({ kind: 'hang', when }), {
    limits: { idleMs: 2_000 },
  });
  expect(answerOf(end)).toMatchObject({ category: 'timed-out', detail: 'no output for 2 s' });
  expect(end.facts.durationMs).toBeLessThan(6_000);
});

test('its own time limit, where the user set one, is a time limit', async () => {
  const hasty = bench.roomFor(claude, { API_TIMEOUT_MS: '500' });
  const { end } = await runToEnd(
    hasty.agent(),
    hasty.request(bench.scripted({ kind: 'hang', when: 'before' })),
  );
  hasty.remove();
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

test('no network ends in time', async () => {
  const closed = bench.roomFor(claude, { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' });
  const { end } = await runToEnd(closed.agent(), closed.request('Hello?'));
  closed.remove();
  expect(answerOf(end)).toMatchObject({ category: 'network' });
  expect(end.facts.durationMs).toBeLessThan(15_000);
});
