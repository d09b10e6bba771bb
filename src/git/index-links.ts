// Copies an index; lists the submodules that it knows, and remembers them until it changes.
import { copyFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { stampOf } from './disk.ts';

/** Copies an index with its time: git treats a file of the same size and older time as unchanged. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const seconds = (Math.floor(mtimeMs) - 1) / 1000;
  await utimes(to, seconds, seconds);
}

/** A submodule as an index knows it. */
export interface IndexLink {
  /** The path below the folder in which git was asked. */
  readonly path: string;
  /** The commit that is recorded for it. */
  readonly recorded: string;
}

interface NotedLinks {
  readonly stamp: string;
  readonly links: readonly IndexLink[];
}

/** Submodules that were read, by the folder and its index. */
const noted = new Map<string, NotedLinks>();

/** The command that `linksIn` reads. */
export const indexListing = ['ls-files', '-z', '--stage'];

/** A folder in which git is asked, and its index file; null if that is unknown. */
interface IndexPlace {
  readonly root: string;
  readonly index: string | null;
}

/** The submodules below the folder. `ask` runs `indexListing` there if needed; null if git cannot tell. */
export async function linksIn(
  { root, index }: IndexPlace,
  ask: () => Promise<string | null>,
): Promise<readonly IndexLink[]> {
  if (index === null) return readLinks((await ask()) ?? '');
  const stamp = await stampOf(index);
  const key = `${root}\n${index}`;
  const last = noted.get(key);
  if (last?.stamp === stamp) return last.links;
  const listed = await ask();
  const links = readLinks(listed ?? '');
  if (listed !== null) noted.set(key, { stamp, links });
  return links;
}

function readLinks(listed: string): readonly IndexLink[] {
  return listed.split('\0').flatMap((entry) => {
    const [, recorded, path] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(entry) ?? [];
    return recorded === undefined || path === undefined ? [] : [{ path, recorded }];
  });
}

/** Remembers that the index of a work tree, in its present state, has no submodules. */
export async function noteNoLinks({ root, own }: { root: string; own: string }): Promise<void> {
  const index = join(own, 'index');
  noted.set(`${root}\n${index}`, { stamp: await stampOf(index), links: [] });
}
