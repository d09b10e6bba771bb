// Derives the shape of `conclave.toml` from the table of settings.
import { z } from 'zod';
import { AgentName } from './ids.ts';
import { keyIn, tableOf, tomlTables } from './setting.ts';
import { shapeOf } from './setting-shape.ts';
import { settingsList } from './settings.ts';

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
