// Holds files for one program while it runs.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { makeFolderNow } from '../../store/make-folder.ts';
import { isSystemError } from '../../store/system-error.ts';
import type { RunFile, RunLink } from '../agent.ts';

/** Files that only one program sees, while it runs. */
export interface PrivateFiles {
  /** The absolute path. */
  readonly folder: string;
  remove(): void;
}

/**
 * Makes the folder `path` (0700) with these files (0600) and links, by path in it. What a killed
 * run left there is removed first; a link in its place is removed, not followed. Throws `Stopped`
 * if the files cannot be written.
 */
export function privateFiles(path: string, files: Readonly<Record<string, RunFile>>): PrivateFiles {
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    remove();
    mkdirSync(path, { mode: 0o700 });
    for (const [name, file] of Object.entries(files)) {
      const place = join(path, name);
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
      if (typeof file === 'string') writeFileSync(place, file, { mode: 0o600, flag: 'wx' });
      else if (hasTarget(file)) symlinkSync(file.linkTo, place);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Stopped({ reason: 'cannot-write', path, code: error.code });
  }
  return { folder: path, remove };
}

/** The folder for the private files of a run, next to its raw output. */
export function privateFolder(rawOutput: string): string {
  return `${rawOutput}${ending}`;
}

const ending = '.files';

/** Removes what killed runs left below a folder; a link is removed or skipped, not followed. */
export async function sweepPrivateFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const left = entries.filter(
    (entry) => entry.isDirectory() && entry.name.endsWith(`.jsonl${ending}`),
  );
  for (const { parentPath, name } of left) {
    await rm(join(parentPath, name), { recursive: true, force: true });
  }
}

// False for a link to a missing folder, because nothing can be made below it.
function hasTarget({ linkTo, kind }: RunLink): boolean {
  if (kind === 'file') return true;
  try {
    makeFolderNow(linkTo, { mode: 0o700 });
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}
