import { expect, test } from 'vitest';
import { type Agent, type AgentEnd, bareTraits } from '../../src/agents/agent.ts';
import { withBreaker } from '../../src/agents/breaker.ts';
import { plainRequest } from '../../src/agents/cli/probe.ts';
import type { FailureCategory } from '../../src/model/agent-failure.ts';
import { plainFacts } from './agent-room.ts';

const minute = 60_000;
const { signal } = new AbortController();

/** An agent behind a breaker, at a time that the test sets. */
function guarded() {
  const held: PromiseWithResolvers<FailureCategory | null>[] = [];
  const clock = { now: 0 };
  const inner: Agent = {
    name: 'codex',
    traits: bareTraits('codex'),
    kind: 'model',
    ready: async () => ({ state: 'ready', path: '/bin/codex', version: '1.0.0' }),
    vendorOf: () => 'openai',
    // oxlint-disable-next-line require-yield
    async *run() {
      const ended = Promise.withResolvers<FailureCategory | null>();
      held.push(ended);
      return endAs(await ended.promise);
    },
  };
  const agent = withBreaker(inner, () => clock.now);
  const begin = () => {
    const end = agent.run(plainRequest('/project'), signal).next();
    const ended = held.at(-1);
    return async (category: FailureCategory | null) => {
      ended?.resolve(category);
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

function endAs(category: FailureCategory | null): AgentEnd {
  if (category === null) return { ok: true, text: 'yes', facts: plainFacts };
  const failure = { category, agent: 'codex', detail: 'it broke.', retry_after_ms: null };
  return { ok: false, failure, facts: plainFacts };
}

test('an agent that fails twice in a row is left alone for ten minutes, and the reason is told', async () => {
  const agent = guarded();
  await agent.ends('crashed');
  expect(await agent.state()).toBe('ready');
  await agent.ends('timed-out');
  expect(await agent.ready()).toEqual({
    state: 'disabled',
    why: 'it failed 2 times in a row, the last time with: it broke',
    remedy: 'It will not be asked for 10 minutes. Resume the session to ask it again.',
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

test('a quota that is used up ends it for the session', async () => {
  const agent = guarded();
  await agent.ends('quota-used-up');
  agent.clock.now += 24 * 60 * minute;
  expect(await agent.ready()).toMatchObject({ why: 'its quota is used up: it broke' });
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
