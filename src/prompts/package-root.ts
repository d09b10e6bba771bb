import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | null = null;

/**
 * Absolute path of the folder that holds our `package.json`, `schemas/` and `templates/`. The same
 * code runs from `src/` and from the bundle in `dist/`, so the folder is looked for upwards.
 */
export function packageRoot(): string {
  found ??= rootAbove(dirname(fileURLToPath(import.meta.url)));
  return found;
}

function rootAbove(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (isOurs(folder)) return folder;
    if (dirname(folder) === folder) {
      throw new Error(`The package's own files were not found above ${start}; install it again.`);
    }
  }
}

function isOurs(folder: string): boolean {
  const file = join(folder, 'package.json');
  if (!existsSync(file) || !existsSync(join(folder, 'schemas'))) return false;
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof content === 'object' && content !== null && 'name' in content
    ? content.name === 'conclave'
    : false;
}
