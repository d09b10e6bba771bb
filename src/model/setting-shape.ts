// Makes the shape of a setting's value.
import { z } from 'zod';
import { modelNamePattern, type Setting, type ShapeParts } from './setting.ts';

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
