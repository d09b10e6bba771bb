import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { strictSchema } from '../../src/agents/strict-schema.ts';
import { isObject } from '../../src/model/json.ts';

const file = (path: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(
    readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
  );
  if (!isObject(value)) throw new Error(`${path} holds no object`);
  return value;
};
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
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

  test('gives every enum and constant a type, and one to each kind of value', () => {
    const given = object(
      { kind: { const: 'a' }, level: { enum: ['low', null] }, size: { type: ['string', 'null'] } },
      ['kind', 'level', 'size'],
    );
    expect(strictSchema(given)?.['properties']).toEqual({
      kind: { type: 'string', enum: ['a'] },
      level: {
        anyOf: [
          { type: 'string', enum: ['low'] },
          { type: 'null', enum: [null] },
        ],
      },
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

describe('the schemas of answers', () => {
  test.each(['proposal', 'examination', 'plan-answer'])(
    '%s has a strict form, which takes our own sample',
    (name) => {
      const strict = strictSchema(file(`schemas/${name}.schema.json`));
      if (strict === null) throw new Error('it has none');
      expect(looseNodes(strict)).toEqual([]);
      const validate = new Ajv2020({ strict: true }).compile(strict);
      const { good } = file(`test/fixtures/samples/${name}.json`);
      for (const sample of Array.isArray(good) ? good : []) {
        validate(withNulls(sample, strict));
        expect(validate.errors).toBeNull();
      }
      expect(good).not.toEqual([]);
    },
  );
});

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

/** As a model has to give it: null for what it has nothing to say to, nothing else. */
function withNulls(value: unknown, node: unknown): unknown {
  if (!isObject(node)) return value;
  const { anyOf, properties, items } = node;
  if (Array.isArray(value)) return value.map((one) => withNulls(one, items ?? itemsIn(anyOf)));
  if (!isObject(value)) return value;
  if (isObject(properties)) {
    const fields = Object.entries(properties).map(([name, inner]) => [
      name,
      withNulls(value[name] ?? null, inner),
    ]);
    return Object.fromEntries(fields);
  }
  const fits = Array.isArray(anyOf) ? anyOf.filter(isObject) : [];
  const branch = fits.find(({ properties: own }) => isObject(own) && hasNamesOf(own, value));
  return branch === undefined ? value : withNulls(value, branch);
}

function itemsIn(anyOf: unknown): unknown {
  return Array.isArray(anyOf)
    ? anyOf.filter(isObject).find(({ items }) => items)?.['items']
    : undefined;
}

function hasNamesOf(own: Record<string, unknown>, value: Record<string, unknown>): boolean {
  return Object.entries(value).every(([name, inner]) => {
    const { enum: words } = isObject(own[name]) ? own[name] : {};
    return name in own && (!Array.isArray(words) || words.includes(inner));
  });
}
