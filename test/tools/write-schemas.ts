import { readFileSync, writeFileSync } from 'node:fs';
import { jsonSchemaOf, schemaNames } from '../../src/model/published.ts';
import { pagePath, withSettings } from './help-tables.ts';

/** Writes `schemas/*.schema.json`, and the list of settings in `templates/help/settings.md`. */
for (const name of schemaNames) {
  const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`);
}
const page = pagePath('settings');
writeFileSync(page, withSettings(readFileSync(page, 'utf8')));
