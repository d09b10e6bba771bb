import { writeFileSync } from 'node:fs';
import { jsonSchemaOf, schemaNames } from '../../src/model/published.ts';

/** Writes `schemas/*.schema.json` from the shapes in `src/model`. */
for (const name of schemaNames) {
  const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`);
}
