import { readFileSync, writeFileSync } from 'node:fs';
import { jsonSchemaOf, schemaNames } from '../../src/model/published.ts';
import { pagePath, pageTables, withTable } from './help-tables.ts';

/** Writes `schemas/*.schema.json`, and the tables of settings and flags in `templates/help/`. */
for (const name of schemaNames) {
  const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`);
}
for (const table of pageTables) {
  const page = pagePath(table.page);
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), table));
}
