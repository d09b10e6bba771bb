import { expect, test } from 'vitest';
import { neutralView } from '../../../src/phases/discussion/round-questions.ts';
import { answer, checkedClaim, joined, solution } from './make.ts';

const failed = { status: 'failed' as const, found_line: null, line: 40, quote: 'gone()' };
const claims = (agent: string) => [
  checkedClaim(agent, { statement: `${agent} found the router.` }),
  checkedClaim(agent, failed),
];
const previous = joined([
  answer('codex', {
    candidates: [
      solution('codex', 'bucket', { claims: claims('codex') }),
      solution('codex', 'gateway'),
    ],
  }),
  answer('claude', { candidates: [solution('claude', 'bucket')] }),
  answer('gemini', { candidates: [solution('gemini', 'bucket', { claims: claims('gemini') })] }),
]);
const orderFor = (agent: string, round = previous.round) =>
  neutralView({ ...previous, round }, agent)
    .solutions.map(({ label }) => label)
    .join('');

test('an agent sees all solutions, and which are its own', () => {
  expect(orderFor('codex')).toMatch(/^(AB|BA)$/);
  const { own } = neutralView(previous, 'codex');
  expect(own.filter(({ preferred }) => preferred)).toHaveLength(1);
  expect(own).toHaveLength(2);
  expect(neutralView(previous, 'gemini').own).toMatchObject([{ preferred: true }]);
  expect(neutralView(previous, 'opencode').own).toEqual([]);
});

test('nobody is told that words are its own which somebody else wrote', () => {
  const versions = ['claude', 'codex', 'gemini'].map((agent) => {
    const own = neutralView(previous, agent).own.find(({ preferred }) => preferred);
    return own?.version ?? null;
  });
  expect(versions.filter((version) => version === null)).toHaveLength(1);
  expect(versions.filter((version) => version === 'Token bucket middleware')).toHaveLength(2);
});

test('each claim comes once, whoever made it, and a failed one only among the failed', () => {
  const { solutions, failedClaims } = neutralView(previous, 'codex');
  expect(solutions.flatMap((one) => one.claims)).toMatchObject([{ status: 'verified' }]);
  expect(failedClaims).toMatchObject({ own: [{ agent: 'codex' }], others: [] });
  expect(neutralView(previous, 'opencode').failedClaims.others).toHaveLength(1);
});

test('the order is another one for each agent and round, and the same on a replay', () => {
  const agents = Array.from({ length: 12 }, (_, index) => `agent-${index}`);
  const orders = agents.map((agent) => orderFor(agent));
  expect(new Set(orders).size).toBe(2);
  expect(agents.map((agent) => orderFor(agent))).toEqual(orders);
  expect(agents.map((agent) => orderFor(agent, 7))).not.toEqual(orders);
});
