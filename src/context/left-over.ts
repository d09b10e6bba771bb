import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A temporary file of this age was left by a process that is gone. In ms. */
const oldTemporary = 10 * 60 * 1000;

/** Deletes the temporary files in a folder that nobody is going to rename or delete any more. */
export function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > oldTemporary)
      rmSync(path, { force: true });
  }
}
