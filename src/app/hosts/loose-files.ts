// Puts our commands and skill into the settings folder of a host that has no packages, and takes them out.
import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { wrongUsage } from '../../model/failure.ts';
import { packageRoot } from '../../prompts/package-root.ts';
import { writeAtomic } from '../../store/atomic.ts';
import { hasCode, guardWrite, nullIfAbsent } from '../../store/system-error.ts';
import { makeFolder } from '../../store/make-folder.ts';

/** Written by us, in whatever version: a file of a person’s own has no such line. */
const mark = 'conclave';

/** Paths by their templates. Throws `usage` where a file is there that is not ours. */
export async function writeLooseFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  for (const path of Object.keys(files)) {
    const text = await nullIfAbsent(readFile(join(folder, path), 'utf8'));
    if (text !== null && !isOurs(text)) {
      throw wrongUsage(
        `${join(folder, path)} exists already and was not put there by conclave; move it away first.`,
      );
    }
  }
  const paths = Object.keys(files).map((path) => join(folder, path));
  for (const [path, template] of Object.entries(files)) {
    const text = await readFile(join(packageRoot(), 'templates/hosts', template), 'utf8');
    await guardWrite(path, () => makeFolder(dirname(join(folder, path))));
    await writeAtomic(join(folder, path), text);
  }
  return paths;
}

/** Returns the paths that went. A file of a person’s own stays. */
export async function removeLooseFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const path of Object.keys(files)) {
    const text = await nullIfAbsent(readFile(join(folder, path), 'utf8'));
    if (text === null || !isOurs(text)) continue;
    await guardWrite(path, () => rm(join(folder, path)));
    await removeIfEmpty(dirname(join(folder, path)));
    removed.push(join(folder, path));
  }
  return removed;
}

function isOurs(text: string): boolean {
  return text.startsWith('---\n') && text.toLowerCase().includes(mark);
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!hasCode(error, ['ENOTEMPTY', 'EEXIST', 'ENOENT'])) throw error;
  }
}
