import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessAbsent } from './absent.ts';
import { isOwnFolder, joined } from './paths.ts';

/** Folders that hold what was built or fetched, where no git says what is ignored. */
const skipped: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'target',
  'vendor',
  '__pycache__',
]);

/** More files than this are no project that a plain walk can serve. */
const mostFiles = 50_000;

/**
 * The files below `root` where there is no git, sorted. Hidden and built folders, links, and names
 * that are not UTF-8 are left out.
 */
export async function walk(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await unlessAbsent(readdir(join(root, folder), { withFileTypes: true }));
    for (const entry of entries ?? []) {
      if (entry.name.includes('\uFFFD')) continue;
      if (entry.isFile() && !isOwnFolder(entry.name)) files.push(joined(folder, entry.name));
      if (entry.isDirectory() && !isSkipped(entry.name)) folders.push(joined(folder, entry.name));
    }
    if (files.length > mostFiles) break;
  }
  return files.slice(0, mostFiles).toSorted();
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || skipped.has(name);
}
