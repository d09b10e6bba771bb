import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from '../../../src/phases/validating/json-fault.ts';

test.each([
  ['', 1, 1, 'a value is expected here'],
  ['{', 1, 2, '"}" is expected here'],
  ['{"a": 1,}', 1, 9, 'a name in double quotes is expected here'],
  ['{"a" 1}', 1, 6, '":" is expected here'],
  ['{"a": 1 "b": 2}', 1, 9, '"," is expected here'],
  ['[1, 2', 1, 6, '"]" is expected here'],
  ['[1,]', 1, 4, 'a value is expected here'],
  ["{'a': 1}", 1, 2, 'this does not belong here'],
  ['{\n  "a": tru\n}', 2, 8, 'this does not belong here'],
  ['{\n  "a": "x\n"}', 2, 8, 'this string does not end'],
  ['{} {}', 1, 4, 'the end of the text is expected here'],
  ['\ufeff{}', 1, 1, 'this does not belong here'],
  ['// x', 1, 1, 'JSON has no comments'],
])('%j is no JSON at line %i, column %i', (text, line, column, message) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(jsonFault(text)).toEqual({ line, column, message });
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
      expect(jsonFault(text) === null).toBe(parses(text));
    }),
    { numRuns: 1_000 },
  );
});

test('a nest that is too deep to follow is no trouble', () => {
  expect(jsonFault('['.repeat(100_000))).toBeNull();
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
