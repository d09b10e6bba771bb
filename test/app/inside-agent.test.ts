import { expect, test } from 'vitest';
import { isInsideAgent, refuseAgents, userMark } from '../../src/app/inside-agent.ts';

const [mine, yours] = ['k', 'o'].map((letter) => Buffer.from(letter.repeat(64)));
if (mine === undefined || yours === undefined) throw new Error('two keys');
const mark = (key: Buffer) => `session.${userMark(key)}run.`;

test.each([
  ['nothing', {}, false],
  ['a run of the user', { CONCLAVE_RUN: mark(mine) }, true],
  ['a run of another user', { CONCLAVE_RUN: mark(yours) }, false],
  ['a run of nobody known', { CONCLAVE_RUN: 'question-1' }, true],
  ['a check of the user', { CONCLAVE_CHECK: mark(mine) }, true],
  ['a check of another user', { CONCLAVE_CHECK: mark(yours) }, false],
  ['a check of nobody known', { CONCLAVE_CHECK: 'session.run' }, false],
  ['a place that says so', { CONCLAVE_INSIDE: '1' }, true],
])('within %s (%j) nobody answers for the user: %s', (_, environment, expected) => {
  expect(isInsideAgent(environment, mine)).toBe(expected);
});

test('without a key of its own a process is within every agent’s run, and within no check', () => {
  expect(isInsideAgent({ CONCLAVE_RUN: mark(yours) }, null)).toBe(true);
  expect(isInsideAgent({ CONCLAVE_CHECK: mark(yours) }, null)).toBe(false);
});

test('no agent trusts anything, whoever its user is', async () => {
  const key = { CONCLAVE_SESSION_KEY: 'm'.repeat(64) };
  await expect(refuseAgents({ ...key, CONCLAVE_RUN: mark(yours) })).rejects.toThrow('of an agent');
  await refuseAgents({ ...key, CONCLAVE_CHECK: mark(yours) });
});
