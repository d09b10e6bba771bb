// Finds the folder with our templates and schemas.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

let found: string | null = null;

/**
 * The absolute path of the folder that contains our `package.json`, `schemas/` and `templates/`.
 * The same code runs from `src/` and from the bundle in `dist/`, so the folder is searched for
 * upwards.
 */
export function packageRoot(): string {
  found ??= rootAbove(import.meta.dirname);
  return found;
}

function rootAbove(folder: string): string {
  const own = ['package.json', 'schemas', 'templates'].map((name) => join(folder, name));
  if (own.every((path) => existsSync(path))) return folder;
  if (dirname(folder) !== folder) return rootAbove(dirname(folder));
  throw new Error('The package’s own files were not found; install it again.');
}
