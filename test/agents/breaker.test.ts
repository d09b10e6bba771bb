import { expect, test } from 'vitest';
import {
  type Agent,
  type AgentEnd,
  type AgentRequest,
  bareTraits,
} from '../../src/agents/agent.ts';
import { withBreaker } from '../../src/agents/breaker.ts';
import { plainRequest } from '../../src/agents/cli/describe.ts';
import type { FailureCategory } from '../../src/model/agent-event.ts';
import { plainFacts } from './agent-room.ts';

const minute = 60_000;
const { signal } = new AbortController();

/** An agent behind a breaker, at a time that the test sets. */
function guarded() {
  const held: PromiseWithResolvers<AgentEnd>[] = [];
  const clock = { now: 0 };
  const inner: Agent = {
    name: 'codex',
    traits: bareTraits('codex'),
    kind: 'model',
    ready: async () => ({ state: 'ready', path: '/bin/codex', version: '1.0.0' }),
    vendorOf: () => 'openai',
    // oxlint-disable-next-line require-yield
    async *run() {
      const ended = Promise.withResolvers<AgentEnd>();
      held.push(ended);
      return await ended.promise;
    },
  };
  const agent = withBreaker(inner, () => clock.now);
  const begin = (more: Partial<AgentRequest> = {}, totalMs = Infinity) => {
    clock.now += 1;
    const plain = plainRequest('/project');
    const limits = { ...plain.limits, totalMs };
    const end = agent.run({ ...plain, limits, ...more }, signal).next();
    const ended = held.at(-1);
    return async (category: FailureCategory | null, facts: EndFacts = {}) => {
      ended?.resolve(endAs(category, facts));
      await end;
    };
  };
  return {
    clock,
    begin,
    async ends(...categories: (FailureCategory | null)[]) {
      for (const category of categories) {
        clock.now += 1;
        await begin()(category);
      }
    },
    state: async () => (await agent.ready(signal)).state,
    ready: () => agent.ready(signal),
  };
}

interface EndFacts {
  readonly retry_after_ms?: number | null;
  readonly durationMs?: number;
}

function endAs(
  category: FailureCategory | null,
  { retry_after_ms = null, durationMs = 1 }: EndFacts,
): AgentEnd {
  const facts = { ...plainFacts, durationMs };
  if (category === null) return { ok: true, text: 'yes', facts };
  const failure = { category, agent: 'codex', detail: 'it broke.', retry_after_ms };
  return { ok: false, failure, facts };
}

test('an agent that fails twice in a row is left alone for ten minutes, and the reason is told', async () => {
  const agent = guarded();
  await agent.ends('crashed');
  expect(await agent.state()).toBe('ready');
  await agent.ends('silent');
  expect(await agent.ready()).toEqual({
    state: 'disabled',
    why: 'it failed 2 times in a row, the last time with: it broke',
    remedy: 'It will be asked again in 10 minutes, or at once by a new process.',
    retryAfterMs: 10 * minute,
  });
  agent.clock.now += 10 * minute;
  expect(await agent.state()).toBe('ready');
});

test('one more failure after that is enough; an answer makes up for all', async () => {
  const agent = guarded();
  await agent.ends('crashed', 'crashed');
  agent.clock.now += 10 * minute;
  await agent.ends('crashed');
  expect(await agent.state()).toBe('disabled');
  agent.clock.now += 10 * minute;
  await agent.ends(null, 'crashed');
  expect(await agent.state()).toBe('ready');
});

test.each([
  ['an hour where nobody tells its reset', 'quota-used-up', null, 60 * minute],
  ['until the reset that was told', 'quota-used-up', 90 * minute, 90 * minute],
  ['as long where the provider calls it a limit', 'rate-limited', 180 * minute, 180 * minute],
] as const)('a quota that is used up rests it %s', async (_, category, told, rests) => {
  const agent = guarded();
  await agent.begin()(category, { retry_after_ms: told });
  agent.clock.now += rests - 1;
  expect(await agent.ready()).toMatchObject({
    why: 'its quota is used up: it broke',
    retryAfterMs: 1,
  });
  agent.clock.now += 1;
  expect(await agent.state()).toBe('ready');
});

test('a limit that the caller set never rests it, however often; a hang in between does', async () => {
  const agent = guarded();
  for (let run = 0; run < 5; run += 1) {
    await agent.begin({ maxTurns: 1 })('timed-out');
    await agent.begin({}, 2_000)('timed-out', { durationMs: 2_000 });
  }
  expect(await agent.state()).toBe('ready');
  await agent.begin({}, 2_000)('timed-out', { durationMs: 900 });
  await agent.begin({}, 2_000)('timed-out', { durationMs: 900 });
  expect(await agent.state()).toBe('disabled');
});

test('what speaks against a question, a login or a person does not count', async () => {
  const agent = guarded();
  await agent.ends('refused', 'not-logged-in', 'cancelled', 'answer-cut', 'request-refused');
  await agent.ends('permission-refused', 'session-lost', 'content-filtered', 'not-installed');
  expect(await agent.state()).toBe('ready');
});

test('runs side by side that fail together count once', async () => {
  const agent = guarded();
  agent.clock.now = 1;
  const ends = [agent.begin(), agent.begin(), agent.begin()];
  for (const end of ends) {
    agent.clock.now += 1;
    await end('network');
  }
  expect(await agent.state()).toBe('ready');
  await agent.ends('network');
  expect(await agent.state()).toBe('disabled');
});
