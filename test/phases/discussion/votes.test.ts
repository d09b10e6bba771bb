import { expect, test } from 'vitest';
import { isBareVerdict } from '../../../src/phases/discussion/reasons.ts';
import { solutionNamed } from '../../../src/phases/discussion/vote-faults.ts';
import { proposed } from './make.ts';

const solutions = [
  proposed({ name: 'Token bucket middleware' }),
  proposed({ name: 'Limit at the gateway' }),
];
const namedBy = (text: string) => solutionNamed(text, solutions)?.name ?? null;

test('a solution is found by its name, also a decorated or shortened one that fits one only', () => {
  expect(namedBy('Limit at the gateway')).toBe('Limit at the gateway');
  expect(namedBy(' limit at the “gateway”.')).toBe('Limit at the gateway');
  expect(namedBy('Solution 2: Limit at the gateway')).toBe('Limit at the gateway');
  expect(namedBy('the gateway')).toBe('Limit at the gateway');
  expect(namedBy('2')).toBeNull();
  expect(namedBy('Limit at the gateway, not the token bucket middleware')).toBeNull();
  expect(namedBy('the third')).toBeNull();
});

test.each([
  ['It reuses the existing limiter.', true],
  ['令牌桶会丢失计数', true],
  ['', false],
  ['LGTM', false],
  ['Looks very good!', false],
])('the reason "%s" says something: %s', (reason, expected) => {
  expect(!isBareVerdict(reason)).toBe(expected);
});
