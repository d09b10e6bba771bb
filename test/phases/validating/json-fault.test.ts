import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from '../../../src/phases/validating/json-fault.ts';

test.each([
  ['', 1, 1, 'the text ends where a value is expected'],
  ['{', 1, 2, 'the text ends where a name in double quotes or "}" is expected'],
  ['{"a": 1,}', 1, 9, 'a name in double quotes is expected here'],
  ['{"a" 1}', 1, 6, '":" is expected here'],
  ['{"a": 1 "b": 2}', 1, 9, '"," or "}" is expected here'],
  ['[1, 2', 1, 6, 'the text ends where "," or "]" is expected'],
  ['[1,]', 1, 4, 'a value is expected here'],
  ["{'a': 1}", 1, 2, 'a name in double quotes or "}" is expected here'],
  ['{\n  "a": tru\n}', 2, 8, 'a value is expected here'],
  ['{\n  "a": "x\n"}', 2, 8, 'a value is expected here'],
  ['[01]', 1, 2, 'a value or "]" is expected here'],
  ['{} {}', 1, 4, 'the end of the text is expected here'],
  ['\ufeff{}', 1, 1, 'a value is expected here'],
  ['[}', 1, 2, 'a value or "]" is expected here'],
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

test('a string of several megabytes or a deep nest is no trouble', () => {
  expect(jsonFault(`["${'x'.repeat(5_000_000)}",]`)).toMatchObject({ line: 1, column: 5_000_005 });
  expect(jsonFault('['.repeat(100_000))).toMatchObject({ column: 100_001 });
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
