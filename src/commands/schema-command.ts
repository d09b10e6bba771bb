// Runs `conclave schema`: prints a published JSON Schema exactly as it is on disk.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suggestion } from '../model/closest-name.ts';
import { wrongUsage } from '../model/failure.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { printLines } from './output.ts';

const ending = '.schema.json';

/** Prints the schema with that name, or all names. Throws `usage` for an unknown name. */
export async function schemaCommand(name: string | undefined): Promise<number> {
  const folder = join(packageRoot(), 'schemas');
  const files = (await readdir(folder)).filter((file) => file.endsWith(ending));
  const names = files.map((file) => file.slice(0, -ending.length)).toSorted();
  if (name === undefined) printLines(...names);
  else if (names.includes(name)) {
    printLines((await readFile(join(folder, `${name}${ending}`), 'utf8')).trimEnd());
  } else {
    const hint = suggestion(name, names);
    throw wrongUsage(`There is no schema "${name}".${hint} There are: ${names.join(', ')}.`);
  }
  return 0;
}
