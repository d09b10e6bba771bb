// Tests the JSON Schemas that users and hosts bring.
import { expect, test } from 'vitest';
import { UnusableSchema, uncheckable, userSchema } from '../../src/store/user-schema.ts';

const slow = {
  type: 'object',
  properties: { name: { type: 'string', pattern: '^(a+)+$' } },
};

test('a pattern that takes for ever is given up after the limit, and then at once', async () => {
  const schema = await userSchema(slow, 200);
  expect(schema.check({ name: 'aaa' })).toEqual([]);
  expect(schema.check({ name: 3 }, '/plan')).toEqual([
    { pointer: '/plan/name', message: 'must be text, not 3' },
  ]);
  const hard = { name: `${'a'.repeat(40)}!` };
  expect(schema.check(hard, '/plan')).toEqual([{ pointer: '/plan', message: uncheckable }]);
  expect(schema.check({ name: 'aaa' })).toEqual([{ pointer: '', message: uncheckable }]);
});

const twice = (name: string) => ({
  allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }],
});

test('a schema that checks itself without end is given up, too', async () => {
  const steps = Array.from({ length: 40 }, (_, n) => [`s${n}`, twice(`s${n + 1}`)] as const);
  const $defs = { ...Object.fromEntries(steps), s40: { type: 'object' } };
  const schema = await userSchema({ type: 'object', $defs, $ref: '#/$defs/s0' }, 200);
  expect(schema.check({})).toEqual([{ pointer: '', message: uncheckable }]);
});

test('a schema that cannot be used is refused with the reason', async () => {
  await expect(userSchema({ type: 'object', minLength: 'x' })).rejects.toThrow(UnusableSchema);
  await expect(userSchema([])).rejects.toThrow('is not a JSON Schema: expected an object');
  await expect(userSchema({ $ref: 'https://example.invalid/x.json' })).rejects.toThrow(
    /is not a usable JSON Schema: .*example\.invalid/,
  );
});
