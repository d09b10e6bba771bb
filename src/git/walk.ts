import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { absentCodes, hasCode, isAbsent } from '../store/system-error.ts';
import { noRules } from './ignore-rules.ts';
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

/** With more files than this, the folders that are left are no part of the project. */
const mostFiles = 200_000;

/** Folders that nobody looked into. */
export interface LeftOut {
  /** Because there were too many files before. */
  readonly unlisted: number;
  /** Because they cannot be read. */
  readonly refused: number;
}

export const nothingLeftOut: LeftOut = { unlisted: 0, refused: 0 };

/** What was found where there is no git. */
export interface Walked extends LeftOut {
  /** Sorted. */
  readonly files: readonly string[];
}

/**
 * The files below `root` where there is no git, those nearest to the root first where they are too
 * many. Left out is what `.gitignore` and `.ignore` files name, hidden and built folders that they
 * do not take back in, links, and names that are not UTF-8.
 */
export async function walk(
  root: string,
  { signal, most = mostFiles }: { readonly signal: AbortSignal; readonly most?: number },
): Promise<Walked> {
  const files: string[] = [];
  const folders = [{ folder: '', around: noRules(root) }];
  let looked = 0;
  let refused = 0;
  for (const { folder, around } of folders) {
    if (files.length > most) break;
    signal.throwIfAborted();
    looked++;
    const entries = await entriesOf(join(root, folder));
    if (entries === 'refused') {
      refused++;
      continue;
    }
    const rules = await around.within(folder, new Set(entries.map(({ name }) => name)));
    for (const entry of entries) {
      if (entry.name.includes('\uFFFD') || isOwnFolder(entry.name)) continue;
      const path = joined(folder, entry.name);
      if (entry.isFile() && rules.on(path) !== 'ignored') files.push(path);
      if (!entry.isDirectory()) continue;
      const verdict = rules.on(`${path}/`);
      if (verdict === 'kept' || (verdict === 'unsaid' && !isSkipped(entry.name))) {
        folders.push({ folder: path, around: rules });
      }
    }
  }
  return { files: files.toSorted(), unlisted: folders.length - looked, refused };
}

/** None of a folder that has gone since it was seen. */
async function entriesOf(folder: string): Promise<readonly Dirent[] | 'refused'> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    if (hasCode(error, absentCodes)) return 'refused';
    throw error;
  }
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || skipped.has(name);
}
