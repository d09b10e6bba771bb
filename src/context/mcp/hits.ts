import { fileURLToPath } from 'node:url';
import { plainPath } from '../../git/paths.ts';
import type { Place } from './places.ts';

/** A file of the repository, with the lines that the server named of it. */
export interface Hit {
  readonly path: string;
  readonly start: number | null;
  readonly end: number | null;
}

/** Each file once, with the first lines that were named of it. */
export function hitsIn(
  places: readonly Place[],
  repository: { readonly root: string; readonly files: ReadonlySet<string> },
): readonly Hit[] {
  const hits = new Map<string, Hit>();
  for (const { names, start, end } of places) {
    const paths = names.map((name) => pathOf(name, repository.root));
    const path = paths.find((one) => one !== null && repository.files.has(one)) ?? null;
    if (path !== null && !hits.has(path)) {
      // The lines of a part are counted from the part’s first one.
      const isPart = names.some((name) => partOf.test(name));
      hits.set(path, { path, start: isPart ? null : start, end: isPart ? null : end });
    }
  }
  return [...hits.values()];
}

/** Some servers cut large files and name the parts `a.ts#chunk2of3`. */
const partOf = /#chunk\d+of\d+$/;

function pathOf(name: string, root: string): string | null {
  const path = decoded(name).replace(partOf, '');
  const slashed = path.includes('/') ? path : path.replaceAll('\\', '/');
  return plainPath(slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : slashed);
}

function decoded(name: string): string {
  if (!name.startsWith('file:')) return name;
  try {
    return fileURLToPath(name);
  } catch (error) {
    // Another host’s file, or bytes that are no path.
    if (error instanceof TypeError || error instanceof URIError) return '';
    throw error;
  }
}
