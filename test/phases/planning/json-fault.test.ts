import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonIn } from '../../../src/model/json.ts';
import { jsonFault } from '../../../src/phases/planning/json-fault.ts';

test('the place counts lines and columns from 1', () => {
  expect(jsonFault('')).toBe(': line 1, column 1');
  expect(jsonFault('{\n  "a": tru\n}')).toBe(': line 2, column 8');
  expect(jsonFault('// x')).toBe(': line 1, column 1');
});

test('finds a fault exactly where JSON.parse refuses a text', () => {
  const near = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', '[', 'x', '\\', '-', '\n'))
    .map(([json, at, put]) => {
      const place = at % (json.length + 1);
      return `${json.slice(0, place)}${put}${json.slice(place + 1)}`;
    });
  fc.assert(
    fc.property(near, (text) => {
      expect(jsonFault(text) === '').toBe(jsonIn(text) !== undefined);
    }),
    { numRuns: 300 },
  );
});

test('a nest that is too deep to follow is no trouble', () => {
  expect(jsonFault('['.repeat(100_000))).toBe('');
});
