import { expect, test } from 'vitest';
import { type Binding, reachableBindings } from '../../../src/faces/tui/key-bindings.ts';

const bound = (does: string, ...keys: readonly string[]): Binding => ({
  keys,
  does,
  run: () => undefined,
});

test('a key is named only with what it does: the first that has it', () => {
  const bindings = [
    bound('keep it', 'esc', 'enter', 'ctrl+c'),
    bound('stop', 'ctrl+c'),
    bound('open', 'enter', 'o'),
  ];
  expect(reachableBindings(bindings).map(({ keys, does }) => [does, ...keys])).toEqual([
    ['keep it', 'esc', 'enter', 'ctrl+c'],
    ['open', 'o'],
  ]);
});
