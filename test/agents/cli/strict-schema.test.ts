import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { lenientSchema, strictSchema } from '../../../src/agents/cli/strict-schema.ts';
import { isObject } from '../../../src/model/json.ts';

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});

test('the lenient form tells its rules in words, and refuses nothing by them', () => {
  const given = object(
    {
      sum: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      share: { type: 'number', minimum: 0, maximum: 1, description: 'Of all.' },
      size: { enum: ['low', 'high'], type: 'string' },
      label: { anyOf: [{ type: 'string', pattern: '^[A-Z]$' }, { type: 'null' }] },
    },
    ['sum', 'label'],
  );
  expect(lenientSchema(given)).toEqual({
    type: 'object',
    description: 'Needs sum, label.',
    properties: {
      sum: { description: 'A whole number from 1.' },
      share: { description: 'Of all. A number from 0 to 1.' },
      size: { description: 'One of low, high.' },
      label: { anyOf: [{ description: 'Of the form ^[A-Z]$.' }, { description: 'Null.' }] },
    },
  });
  expect(new Ajv2020({ strict: false }).validate(lenientSchema(given), { sum: 'many' })).toBe(true);
});

describe('the strict form of a schema', () => {
  test('closes objects and requires every field, an optional one as nullable', () => {
    const given = object({ sum: { type: 'integer' }, note: { type: 'string' } }, ['sum']);
    expect(strictSchema(given)).toEqual({
      type: 'object',
      properties: {
        sum: { type: 'integer' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['sum', 'note'],
      additionalProperties: false,
    });
  });

  test('keeps what the model should read, and drops rules that may be refused', () => {
    const note = {
      type: 'array',
      description: 'Short ones.',
      minItems: 1,
      items: { type: 'string', pattern: '^a', minLength: 1, format: 'uri', default: 'a' },
    };
    expect(strictSchema(object({ note }, ['note']))?.['properties']).toEqual({
      note: { type: 'array', description: 'Short ones.', items: { type: 'string' } },
    });
  });

  test('gives every enum and constant a type', () => {
    const properties = { kind: { const: 'a' }, size: { type: ['string', 'null'] } };
    expect(strictSchema(object(properties, ['kind', 'size']))?.['properties']).toEqual({
      kind: { type: 'string', enum: ['a'] },
      size: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    });
  });

  test('makes no nullable field nullable twice', () => {
    const size = { oneOf: [{ type: 'string' }, { type: 'null' }] };
    expect(strictSchema(object({ size }))?.['properties']).toEqual({
      size: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    });
  });

  test.each([
    ['free names', { type: 'object', additionalProperties: { type: 'string' } }],
    ['anything', {}],
    ['a reference', { $ref: '#/$defs/a' }],
    ['a list of anything', { type: 'array' }],
    ['alternatives of which one is free', { anyOf: [{ type: 'string' }, { type: 'object' }] }],
    ['a list as an enum', { enum: [['a']] }],
  ])('leaves out an optional field with %s, and is null with a required one', (_name, free) => {
    const sum = { type: 'integer' };
    expect(strictSchema(object({ sum, free }, ['sum', 'free']))).toBeNull();
    expect(strictSchema(object({ sum, free }, ['sum']))).toEqual(
      strictSchema(object({ sum }, ['sum'])),
    );
  });

  test('is null for what is no object, or has no field', () => {
    expect(strictSchema({ type: 'string' })).toBeNull();
    expect(strictSchema({ anyOf: [object({ a: { type: 'string' } })] })).toBeNull();
    expect(strictSchema(object({}))).toBeNull();
  });
});

test.each(['proposal', 'examination', 'plan-answer', 'plan-request'])(
  'the schema of a %s has one',
  (name) => {
    const path = new URL(`../../../schemas/${name}.schema.json`, import.meta.url);
    const strict = strictSchema(JSON.parse(readFileSync(path, 'utf8')));
    expect(looseNodes(strict)).toEqual([]);
    expect(() => new Ajv2020({ strict: true }).compile(strict ?? {})).not.toThrow();
  },
);

/** The nodes that strict mode would refuse. */
function looseNodes(node: unknown, path = ''): string[] {
  if (!isObject(node)) return [`${path} is no schema`];
  const { type, anyOf, properties, required, additionalProperties, items } = node;
  if (Array.isArray(anyOf)) return anyOf.flatMap((one, at) => looseNodes(one, `${path}/${at}`));
  if (type === 'array') return looseNodes(items, `${path}/items`);
  if (type !== 'object') return typeof type === 'string' ? [] : [`${path} has no type`];
  if (!isObject(properties)) return [`${path} has free names`];
  const names = Object.keys(properties);
  const isClosed = additionalProperties === false && String(required) === String(names);
  const inner = names.flatMap((key) => looseNodes(properties[key], `${path}/${key}`));
  return isClosed ? inner : [`${path} is open`, ...inner];
}
