import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { isSystemError } from '../../store/system-error.ts';

/** Files for the eyes of one program, for as long as it runs. */
export interface PrivateFiles {
  /** Absolute. */
  readonly folder: string;
  remove(): void;
}

/**
 * Makes the folder `path` (0700) with these files (0600), name → content. What a killed run left
 * there is removed first; a link in its place is removed, not followed. Throws `Stopped` if the
 * files cannot be written.
 */
export function privateFiles(path: string, files: Readonly<Record<string, string>>): PrivateFiles {
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    remove();
    mkdirSync(path, { mode: 0o700 });
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(path, name), content, { mode: 0o600, flag: 'wx' });
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Stopped({ reason: 'cannot-write', path, code: error.code });
  }
  return { folder: path, remove };
}
