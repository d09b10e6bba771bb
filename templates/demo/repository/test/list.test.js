import assert from 'node:assert/strict';
import test from 'node:test';
import { formatTodo } from '../src/list.js';

test('a todo that is done has a mark', () => {
  assert.equal(formatTodo({ text: 'milk', done: true }), 'x milk');
});
