import { z } from 'zod';
import { Config } from '../../model/config.ts';

const Part = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

/** The keys that a table of the configuration may have. */
export function keysAt(path: readonly string[]): readonly string[] {
  let part = Part.parse(z.toJSONSchema(Config, { io: 'input' }));
  for (const name of path) {
    const inner = Part.safeParse(part.properties?.[name] ?? part.additionalProperties);
    if (!inner.success) return [];
    part = inner.data;
  }
  return Object.keys(part.properties ?? {});
}

/** The tables at the top that have a key of this name. */
export function keysNamed(key: string): readonly (readonly string[])[] {
  return keysAt([])
    .filter((table) => keysAt([table]).includes(key))
    .map((table) => [table]);
}
