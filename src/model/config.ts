// Derives the shape of `conclave.toml` from the table of settings.
import { z } from 'zod';
import { AgentName } from './ids.ts';
import { type Setting, type ShapeParts, modelNamePattern, tomlTables } from './setting.ts';
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

const shapes: ShapeParts = { z, modelName };

/** The shape of one setting’s value. */
export function shapeOf<T>({ shape }: Setting<T>): z.ZodType<T> {
  return shape(shapes);
}

/** `conclave.toml` and `config.toml`: every setting, all optional. */
export const Config = tableShape('');

/** A table with its settings and the tables in it; of the whole file for an empty path. */
function tableShape(path: string): z.ZodObject {
  const prefix = path === '' ? '' : `${path}.`;
  const fields = settingsList
    .filter((setting) => isDirectlyIn(setting.path, prefix))
    .map((setting) => [nameOf(setting.path), shapeOf(setting).optional().describe(setting.about)]);
  const tables = tomlTables
    .filter((table) => isDirectlyIn(table.path.replace(/\.\*$/, ''), prefix))
    .map(({ path: inner, about, ofAgents }) => {
      const isFamily = inner.endsWith('.*');
      const names = ofAgents === true ? AgentName : z.string();
      const shape = isFamily ? z.record(names, tableShape(inner)) : tableShape(inner);
      return [nameOf(inner.replace(/\.\*$/, '')), shape.optional().describe(about)];
    });
  return z.strictObject(Object.fromEntries([...fields, ...tables]));
}

function isDirectlyIn(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && !path.slice(prefix.length).includes('.');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
