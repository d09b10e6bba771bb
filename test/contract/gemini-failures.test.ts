import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gemini } from '../../src/agents/gemini.ts';
import type { FailureCategory } from '../../src/model/failure.ts';
import { runToEnd, until } from '../agents/agent-room.ts';
import { commandLines, marked } from './cli-room.ts';
import { answerOf, geminiBench, read, shell, status, text, unbound } from './gemini-room.ts';
import type { Reply } from './model-server/reply.ts';

const bench = geminiBench();

describe('failures', () => {
  const cells: readonly [string, Reply, FailureCategory][] = [
    ['400', status(400), 'request-refused'],
    [
      '400 for a bad key',
      status(400, { message: 'API key not valid. Please pass a valid API key.' }),
      'not-logged-in',
    ],
    ['401', status(401), 'not-logged-in'],
    ['403', status(403), 'not-logged-in'],
    [
      '404',
      status(404, { message: 'models/x is not found for API version v1beta' }),
      'request-refused',
    ],
    ['429', status(429, { message: 'Resource has been exhausted' }), 'rate-limited'],
    [
      '429 that names its wait',
      status(429, { message: 'You exceeded your current quota', retryAfter: 1 }),
      'rate-limited',
    ],
    [
      '429 that names a long wait',
      status(429, { message: 'You exceeded your current quota', retryAfter: 3_600 }),
      'rate-limited',
    ],
    ['500', status(500), 'network'],
    ['503', status(503), 'network'],
    ['a dropped connection', { kind: 'drop', when: 'before' }, 'network'],
    ['a connection dropped in the middle', { kind: 'drop', when: 'middle' }, 'network'],
    ['garbage', { kind: 'garbage' }, 'network'],
    ['no answer', { kind: 'empty' }, 'empty-answer'],
  ];

  test.each(cells)('%s ends within 15 seconds, rightly named', async (name, reply, category) => {
    const { end } = await bench.ask(bench.scripted(reply), { limits: { totalMs: 15_000 } });
    expect(answerOf(end)).toMatchObject({ category, agent: 'gemini' });
    expect(end.facts.exitCode).not.toBe(null);
    bench.keep(`failed-${name.replaceAll(' ', '-')}`);
  });

  test('the wait that a rate limit asks for is told', async () => {
    const message = 'You exceeded your current quota';
    const { end } = await bench.ask(bench.scripted(status(429, { message, retryAfter: 3_600 })));
    expect(answerOf(end)).toMatchObject({ retry_after_ms: 3_600_000 });
  });

  test.each(['before', 'middle'] as const)('a model that hangs (%s) is left', async (when) => {
    const limits = { idleMs: 3_000 };
    const { end } = await bench.ask(bench.scripted({ kind: 'hang', when }), { limits });
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(end.facts.durationMs).toBeLessThan(12_000);
  });

  test('a model that never comes to an end is stopped after a hundred turns', async () => {
    const asked = bench.server.log.length;
    const { end } = await bench.ask(bench.scripted(read('src/list.js')));
    expect(answerOf(end)).toMatchObject({ category: 'timed-out' });
    expect(bench.server.log.length - asked).toBe(100);
  });

  test.each([
    ['500', status(500)],
    ['429', status(429, { message: 'Resource has been exhausted' })],
    ['an empty answer', { kind: 'empty' }],
  ] as const)('one failure in between is no failure: %s', async (_name, reply) => {
    expect(answerOf((await bench.ask(bench.scripted(reply, text('At last.')))).end)).toBe(
      'At last.',
    );
  });

  test('no network ends in time', async () => {
    const closed = bench.roomFor(gemini, { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' });
    const { end } = await runToEnd(closed.agent(), closed.request('Hello?'));
    closed.remove();
    expect(answerOf(end)).toMatchObject({ category: 'network' });
    expect(end.facts.durationMs).toBeLessThan(20_000);
  });

  test('no report of an error is left behind', async () => {
    const reported = bench.roomFor(gemini, { TMPDIR: join(bench.room.base, 'reports') });
    mkdirSync(join(bench.room.base, 'reports'));
    await runToEnd(reported.agent(), reported.request(bench.scripted(status(401))));
    expect(Object.keys(reported.tree()).filter((path) => path.endsWith('.files'))).toEqual([]);
    reported.remove();
    expect(readdirSync(join(bench.room.base, 'reports'))).toEqual([]);
  });
});

let naps = 0;
const naptime = () => `96${(naps += 1)}.5`;
const sleepers = (time: string) =>
  commandLines().filter((line) => line.includes(`sleep\0${time}\0`));

describe('ends during a running tool', () => {
  const times = process.env['CONCLAVE_CONTRACT'] === 'full' ? 10 : 3;
  const runs = Array.from({ length: times }, (_, run) => run + 1);

  test.each(runs)('a cancelled run leaves no process (%i)', async () => {
    const free = bench.roomFor(unbound);
    const time = naptime();
    const abort = new AbortController();
    const request = free.request(
      bench.scripted(shell(`sleep ${time} & sleep ${time}`), text('Late.')),
    );
    const running = runToEnd(free.agent(), request, abort.signal);
    await until('the tool runs', () => sleepers(time).length === 2);
    abort.abort();
    expect(answerOf((await running).end)).toMatchObject({ category: 'cancelled' });
    expect(sleepers(time)).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
    free.remove();
  });

  test.each(runs)('a run that takes too long leaves no process (%i)', async () => {
    const free = bench.roomFor(unbound);
    const time = naptime();
    const request = free.request(bench.scripted(shell(`sleep ${time}`), text('Late.')), {
      limits: { totalMs: 5_000 },
    });
    const running = runToEnd(free.agent(), request);
    await until('the tool runs', () => sleepers(time).length === 1);
    expect(answerOf((await running).end)).toMatchObject({ category: 'timed-out' });
    expect(sleepers(time)).toEqual([]);
    expect(marked(request.mark)).toEqual([]);
    free.remove();
  });
});
