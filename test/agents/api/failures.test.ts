// Tests how a model behind an API fails, by the same names as a CLI.
import { describe, expect, test } from 'vitest';
import { providerNames } from '../../../src/model/agent-settings.ts';
import type { FailureCategory } from '../../../src/model/agent-event.ts';
import type { Reply } from '../../contract/model-server/reply.ts';
import { runToEnd, until } from '../agent-room.ts';
import { apiRoom, secretKey } from './room.ts';

const status = (code: number, message: string, retryAfter?: number): Reply => ({
  kind: 'status',
  status: code,
  message,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

type Cell = readonly [what: string, reply: Reply, expected: object];
const failing = (category: FailureCategory, more: object = {}) => ({ category, ...more });

const matrix: readonly Cell[] = [
  ['401', status(401, 'Incorrect API key provided'), failing('not-logged-in')],
  ['403', status(403, 'This key may not use the model'), failing('not-logged-in')],
  ['404', status(404, 'The model does not exist'), failing('request-refused')],
  [
    '429 that names its wait',
    status(429, 'Too many requests', 7),
    failing('rate-limited', { retry_after_ms: 7_000 }),
  ],
  [
    '429 for a quota',
    status(429, 'You exceeded your current quota, please check your plan and billing details.'),
    failing('quota-used-up'),
  ],
  [
    '400 for too long a prompt',
    status(400, 'This model has a maximum context length of 8192 tokens: the prompt is too long.'),
    failing('request-refused'),
  ],
  ['500', status(500, 'Something went wrong'), failing('network')],
  ['529', status(529, 'Overloaded'), failing('rate-limited')],
  ['a dropped connection', { kind: 'drop', when: 'before' }, failing('network')],
  ['a connection dropped in the middle', { kind: 'drop', when: 'middle' }, failing('network')],
  ['garbage', { kind: 'garbage' }, failing('network')],
  ['no answer', { kind: 'empty' }, failing('empty-answer')],
  [
    'an answer cut at its limit',
    { kind: 'broken', by: 'length', text: '{"a":' },
    failing('answer-cut'),
  ],
];

describe.each(providerNames)('where a model of %s', (provider) => {
  test.each(matrix)('meets %s, the run ends by its name', async (_, reply, expected) => {
    const room = await apiRoom();
    const agent = await room.agent(provider);
    room.server.fallback(() => reply);
    const { end, events } = await runToEnd(agent, room.request('Hello?'));
    expect(end).toMatchObject({ ok: false, failure: { agent: 'mine', ...expected } });
    expect(JSON.stringify([end, events])).not.toContain(secretKey);
    // Recovery is ours, so nothing was tried twice behind our back.
    expect(room.server.log).toHaveLength(1);
  });

  test.each([
    ['before its first word', 'before', 'silent', 'no output within 0.3 s'],
    ['in the middle', 'middle', 'timed-out', 'no output for 0.3 s'],
  ] as const)('hangs %s, it is left', async (_, when, category, detail) => {
    const room = await apiRoom();
    const agent = await room.agent(provider);
    room.server.fallback(() => ({ kind: 'hang', when }));
    const limits = { firstOutputMs: when === 'before' ? 300 : 10_000, idleMs: 300 };
    const { end } = await runToEnd(agent, room.request('Hello?', { limits }));
    expect(end).toMatchObject({ ok: false, failure: { category, detail } });
  });

  test('takes too long in all, it is left', async () => {
    const room = await apiRoom();
    const agent = await room.agent(provider);
    room.server.fallback(() => ({ kind: 'hang', when: 'middle' }));
    const { end } = await runToEnd(agent, room.request('Hello?', { limits: { totalMs: 400 } }));
    expect(end).toMatchObject({ ok: false, failure: { category: 'timed-out' } });
  });

  test('is cancelled, the run ends, although the server never does', async () => {
    const room = await apiRoom();
    const agent = await room.agent(provider);
    room.server.fallback(() => ({ kind: 'hang', when: 'middle' }));
    const cancel = new AbortController();
    const running = runToEnd(agent, room.request('Hello?'), cancel.signal);
    await until('the server was asked', () => room.server.log.length > 0);
    cancel.abort();
    const { end, events } = await running;
    expect(end).toMatchObject({ ok: false, failure: { category: 'cancelled' } });
    expect(events.at(-1)).toEqual({ type: 'cancelled', what: null });
  });
});
