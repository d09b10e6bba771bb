import { readFileSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { type SchemaName, jsonSchemaOf, publishedShapes } from '../src/model/published.ts';
import { changed, samplesOf } from './helpers/samples.ts';

const names = Object.keys(publishedShapes).filter(
  (name): name is SchemaName => name in publishedShapes,
);

test('schemas/ holds exactly the published schemas', () => {
  expect(readdirSync(new URL('../schemas', import.meta.url)).toSorted()).toEqual(
    names.map((name) => `${name}.schema.json`).toSorted(),
  );
});

const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);

describe.each(names)('%s', (name) => {
  const schema = jsonSchemaOf(name);
  const validate = ajv.compile(schema);
  const { good, bad } = samplesOf(name);

  test('is committed as the shapes generate it (else run "npm run schemas")', () => {
    const file = new URL(`../schemas/${name}.schema.json`, import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
  });

  test('accepts good samples, as the shape does', () => {
    for (const value of good) {
      expect(validate(value) ? [] : validate.errors).toEqual([]);
      expect(publishedShapes[name].safeParse(value).error?.issues ?? []).toEqual([]);
    }
  });

  test('takes whatever the shape takes, wherever a value is changed', () => {
    const whole = good.at(-1);
    const others = [undefined, null, -1, 1.5, '', '../x', true, ['x'], { x: 1 }];
    const taken = pointersIn(whole)
      .flatMap((at) => others.map((put) => changed(whole, at, put)))
      .filter((value) => publishedShapes[name].safeParse(value).success);
    expect(taken.filter((value) => !validate(value))).toEqual([]);
    expect(taken.length).toBeGreaterThan(0);
  });

  test.each(bad)('refuses $why, as the shape does', ({ value }) => {
    expect(validate(value)).toBe(false);
    expect(publishedShapes[name].safeParse(value).success).toBe(false);
  });
});

/** Every place in a value, as a JSON pointer; not those below a path as a name. */
function pointersIn(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries = Object.entries(value).filter(([key]) => !key.includes('/'));
  const inner = entries.flatMap(([key, one]) => pointersIn(one, `${at}/${key}`));
  return at === '' ? inner : [at, ...inner];
}
