import { expect, test } from 'vitest';
import { isObject, jsonIn } from '../../src/model/json.ts';

test.each(['', '{', 'undefined', "{'a': 1}", '[1,]'])(
  '%j is no JSON, which is no error',
  (text) => {
    expect(jsonIn(text)).toBeUndefined();
  },
);

test('null is JSON, unlike nothing', () => {
  expect(jsonIn('null')).toBeNull();
});

test('only an object with named fields is one', () => {
  expect([{}, { a: 1 }].every(isObject)).toBe(true);
  expect([null, [], 'a', 1, undefined].some(isObject)).toBe(false);
});
