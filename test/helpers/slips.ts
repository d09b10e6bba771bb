import { isObject } from '../../src/model/json.ts';

/** What stands in a field by a slip, whatever belongs there. */
export const wrongValues: readonly unknown[] = [
  null,
  true,
  -5,
  9e15,
  'A',
  'src/a.js:1\u0000',
  [],
  [{ '': [null] }],
  { 'a b': { 1: [] } },
];

/** JSON pointers to all fields of a value at any depth, and to the first entry of each list. */
export function fieldsOf(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : within(value[0], `${at}/0`);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => within(inner, `${at}/${name}`));
}

function within(value: unknown, at: string): readonly string[] {
  return [at, ...fieldsOf(value, at)];
}
