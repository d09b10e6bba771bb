import { expect, test } from 'vitest';
import { closestName } from '../../src/commands/closest-name.ts';

const names = ['plan', 'resume', 'sessions', 'validate'];

test.each([
  ['pln', 'plan'],
  ['palns', null],
  ['plans', 'plan'],
  ['lpan', 'plan'],
  ['PLAN', 'plan'],
  ['rename', null],
  ['resmue', 'resume'],
  ['sesions', 'sessions'],
  ['sessoin', 'sessions'],
  ['valdiaet', 'validate'],
  ['', null],
  ['something else', null],
])('%j means %j', (word, expected) => {
  expect(closestName(word, names)).toBe(expected);
});

test('the closest of several wins', () => {
  expect(closestName('sessionx', ['sessions2', 'session'])).toBe('session');
});
