import { expect, test } from 'vitest';
import { nearest } from '../../src/commands/nearest.ts';

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
  expect(nearest(word, names)).toBe(expected);
});

test('the closest of several wins', () => {
  expect(nearest('sessionx', ['sessions2', 'session'])).toBe('session');
});
