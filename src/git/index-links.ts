// Lists the submodules that an index knows, and remembers them until that index changes.
import { stampOf } from './disk.ts';

/** A submodule as an index knows it. */
export interface IndexLink {
  /** Below the top of the work tree. */
  readonly path: string;
  /** The commit that is recorded for it. */
  readonly recorded: string;
}

interface NotedLinks {
  readonly stamp: string;
  readonly links: readonly IndexLink[];
}

/** By the path of the index. */
const noted = new Map<string, NotedLinks>();

/** The command that `linksIn` reads. */
export const indexListing = ['ls-files', '-z', '--stage'];

/** `ask` runs `indexListing` where that has to be; `index` is the file that git reads there, null where nobody knows. */
export async function linksIn(
  index: string | null,
  ask: () => Promise<string>,
): Promise<readonly IndexLink[]> {
  if (index === null) return readLinks(await ask());
  const stamp = await stampOf(index);
  const last = noted.get(index);
  if (last?.stamp === stamp) return last.links;
  const links = readLinks(await ask());
  noted.set(index, { stamp, links });
  return links;
}

function readLinks(listed: string): readonly IndexLink[] {
  return listed.split('\0').flatMap((entry) => {
    const [, recorded, path] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(entry) ?? [];
    return recorded === undefined || path === undefined ? [] : [{ path, recorded }];
  });
}

/** Remembers that the index knows none as it is now. */
export async function noteNoLinks(index: string): Promise<void> {
  noted.set(index, { stamp: await stampOf(index), links: [] });
}
