import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** All that stands below a folder: path → mode, and digest or goal of a link. */
export type Digests = Readonly<Record<string, string>>;

/** Without what is to be left out, by its path in `root`. */
export function digestsOf(root: string, isLeftOut: (path: string) => boolean): Digests {
  const found: Record<string, string> = {};
  function visit(folder: string): void {
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name);
      const { stat, content } = look(join(root, path));
      if (!isLeftOut(path)) found[path] = `${stat.mode.toString(8)} ${content}`;
      if (stat.isDirectory()) visit(path);
    }
  }
  visit('.');
  return found;
}

function look(path: string) {
  const stat = lstatSync(path);
  if (stat.isDirectory()) return { stat, content: 'folder' };
  if (stat.isSymbolicLink()) return { stat, content: readlinkSync(path) };
  return { stat, content: sha256(readFileSync(path)) };
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
