// Puts our commands and skill into the settings folder of a host without packages, and removes them.
import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { wrongUsage } from '../../model/failure.ts';
import { packageRoot } from '../../prompts/package-root.ts';
import { writeAtomic } from '../../store/atomic.ts';
import { sha256Of } from '../../store/digest.ts';
import { readUserJson, writeUserJson } from '../../store/small-file.ts';
import { hasCode, guardWrite } from '../../store/system-error.ts';
import { hostsFolder } from '../folders.ts';
import { textOf } from './host-file.ts';
import { makeFolder } from '../../store/make-folder.ts';

/** The hashes of what we wrote, by absolute path; a file with another text belongs to the person. */
const Known = z.record(z.string(), z.string());

/** Writes the files to paths given by their templates. Throws `usage` if a file exists that is not ours. */
export async function writeLooseFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const known = await readKnown(environment);
  const texts = await Promise.all(
    Object.entries(files).map(async ([path, template]) => {
      const from = join(packageRoot(), 'templates/hosts', template);
      return [join(folder, path), await readFile(from, 'utf8')] as const;
    }),
  );
  for (const [path, text] of texts) {
    const found = await textOf(path);
    if (found !== null && found !== text && !isOurs(path, found, known)) {
      throw wrongUsage(`${path} is not the file that conclave writes there; move it away first.`);
    }
  }
  const hashes = texts.map(([path, text]) => [path, sha256Of(text)] as const);
  // The record is written first, because a record of a missing file does no harm.
  await writeUserJson(knownFile(environment), { ...known, ...Object.fromEntries(hashes) });
  for (const [path, text] of texts) {
    await guardWrite(path, () => makeFolder(dirname(path)));
    await writeAtomic(path, text);
  }
  return texts.map(([path]) => path);
}

/** Returns the removed paths. A file that a person wrote or changed stays. */
export async function removeLooseFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const known = await readKnown(environment);
  const paths = Object.keys(files).map((path) => join(folder, path));
  const removed: string[] = [];
  for (const path of paths) {
    const text = await textOf(path);
    if (text === null || !isOurs(path, text, known)) continue;
    await guardWrite(path, () => rm(path));
    for (let at = dirname(path); at !== folder; at = dirname(at)) await removeIfEmpty(at);
    removed.push(path);
  }
  const left = Object.entries(known).filter(([path]) => !paths.includes(path));
  await writeUserJson(knownFile(environment), Object.fromEntries(left));
  return removed;
}

function isOurs(path: string, text: string, known: Readonly<Record<string, string>>): boolean {
  return known[path] === sha256Of(text);
}

const knownFile = (environment: NodeJS.ProcessEnv): string =>
  join(hostsFolder(environment), 'files.json');

async function readKnown(environment: NodeJS.ProcessEnv): Promise<z.infer<typeof Known>> {
  return (await readUserJson(knownFile(environment), Known)) ?? {};
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!hasCode(error, ['ENOTEMPTY', 'EEXIST', 'ENOENT'])) throw error;
  }
}
