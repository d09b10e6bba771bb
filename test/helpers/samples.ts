import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { SchemaName } from '../../src/model/published.ts';

/**
 * `test/fixtures/samples/NAME.json`: good values; what the last of them may also hold, by pointer;
 * and bad values, each a good one (`of`) with one place changed, or dropped where `put` is missing.
 */
const Samples = z.object({
  good: z.array(z.unknown()).min(1),
  also: z.record(z.string(), z.array(z.unknown())).optional(),
  bad: z
    .array(z.object({ why: z.string(), of: z.int(), at: z.string(), put: z.unknown().optional() }))
    .min(3),
});

const Fields = z.record(z.string(), z.unknown());

export function samplesOf(name: SchemaName): {
  readonly good: readonly unknown[];
  readonly bad: readonly { readonly why: string; readonly at: string; readonly value: unknown }[];
} {
  const file = new URL(`../fixtures/samples/${name}.json`, import.meta.url);
  const { good, also = {}, bad } = Samples.parse(JSON.parse(readFileSync(file, 'utf8')));
  const variants = Object.entries(also).flatMap(([at, values]) =>
    values.map((value) => changed(good.at(-1), at, value)),
  );
  return {
    good: [...good, ...variants],
    bad: bad.map(({ why, of, at, put }) => ({ why, at, value: changed(good[of], at, put) })),
  };
}

/** A copy of the value with another content at a JSON pointer; undefined drops the field. */
export function changed(value: unknown, pointer: string, put: unknown): unknown {
  const [, key, ...rest] = pointer.split('/');
  if (key === undefined) return put;
  const inner = rest.length === 0 ? put : changed(field(value, key), `/${rest.join('/')}`, put);
  if (Array.isArray(value)) return value.with(Number(key), inner);
  const { [key]: _before, ...others } = Fields.parse(value);
  return inner === undefined ? others : { ...others, [key]: inner };
}

function field(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return Fields.parse(value)[key];
}
