import { expect, test } from 'vitest';
import { canonicalJson, digestOf } from '../../src/store/digest.ts';

test('the order of keys does not matter, at any depth; that of lists does', () => {
  const one = { b: [{ d: 1, c: 2 }], a: null };
  expect(canonicalJson(one)).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(digestOf(one)).toBe(digestOf({ a: null, b: [{ c: 2, d: 1 }] }));
  expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
});

test('keys that objects treat in their own way are kept', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":1,"b":2,"10":3,"9":4}'))).toBe(
    '{"9":4,"10":3,"__proto__":1,"b":2}',
  );
});
