import { readFileSync, writeFileSync } from 'node:fs';
import { jsonSchemaOf, schemaNames } from '../../src/model/published.ts';
import { withTables } from './readme-tables.ts';

/** Writes `schemas/*.schema.json`, and the tables of settings and flags in README.md. */
for (const name of schemaNames) {
  const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`);
}
const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withTables(readFileSync(readme, 'utf8')));
