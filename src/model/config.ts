// Derives the shape of `conclave.toml` from the table of settings.
import { z } from 'zod';
import { AgentName } from './ids.ts';
import {
  keyIn,
  type Setting,
  type ShapeParts,
  modelNamePattern,
  tableOf,
  tomlTables,
} from './setting.ts';
import { settingsList } from './settings.ts';

const modelName = z
  .string()
  .transform((text) => text.trim())
  .pipe(
    z.union([
      z.literal(''),
      z.string().regex(modelNamePattern, {
        error: ({ input }) =>
          `must be made of letters, digits and . _ / : @ [ ] - and not start with -; it is ${JSON.stringify(input)}`,
      }),
    ]),
  );

const shapes: ShapeParts = {
  // One by one, as all of `z` together would bring parts of zod that nobody needs.
  z: {
    array: z.array,
    boolean: z.boolean,
    enum: z.enum,
    int: z.int,
    number: z.number,
    record: z.record,
    strictObject: z.strictObject,
    string: z.string,
    url: z.url,
  },
  modelName,
};

/** The shape of one setting’s value. */
export function shapeOf<T>({ shape }: Setting<T>): z.ZodType<T> {
  return shape(shapes);
}

/** `conclave.toml` and `config.toml`: every setting, all optional. */
export const Config = tableShape('');

/** A table with its settings and subtables; an empty path means the whole file. */
function tableShape(path: string): z.ZodObject {
  const fields = settingsList
    .filter((setting) => tableOf(setting) === path)
    .flatMap((setting) => {
      const { about, alias } = setting;
      const shape = shapeOf(setting).optional();
      const other = shape.describe(`another name of ${keyIn(setting)}`);
      const field = [keyIn(setting), shape.describe(about)] as const;
      return alias === undefined ? [field] : [field, [alias, other] as const];
    });
  const tables = tomlTables.flatMap(({ path: inner, about }) => {
    const isFamily = inner.endsWith('.*');
    const name = isFamily ? inner.slice(0, -2) : inner;
    if (tableOf({ path: name }) !== path) return [];
    const shape = isFamily ? z.record(nameShape(inner), tableShape(inner)) : tableShape(inner);
    return [[keyIn({ path: name }), shape.optional().describe(about)] as const];
  });
  return z.strictObject(Object.fromEntries<z.ZodType>([...fields, ...tables]));
}

function nameShape(path: string): z.ZodType<string, string> {
  return path === 'agents.*' ? AgentName : z.string();
}
