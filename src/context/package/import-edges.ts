import { importsIn } from '../imports.ts';
import { endingOf, folderOf, joined } from '../../git/paths.ts';
import { foldersAbove } from './build/project-folder.ts';

/** One found file imports another; in Go, the folder that is the package. `line` counts from 1. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

type Read = (path: string) => Promise<string | null>;

/** Who imports whom among some files, in the order of the files. */
export async function importEdges(paths: readonly string[], read: Read): Promise<readonly Edge[]> {
  const known = new Set(paths);
  const edges = await Promise.all(
    [...known].map(async (from) => {
      const content = await read(from);
      if (content === null) return [];
      if (endingOf(from) === 'go') return goEdges({ from, content }, known, read);
      const found = importsIn({ path: from, content }, known);
      return found.map(({ target, line }) => ({ from, to: target, line }));
    }),
  );
  return edges.flat();
}

/** A Go file imports packages of its own module by the name that `go.mod` gives the module. */
async function goEdges(
  { from, content }: { readonly from: string; readonly content: string },
  known: ReadonlySet<string>,
  read: Read,
): Promise<readonly Edge[]> {
  const packages = new Set([...known].filter((path) => path.endsWith('.go')).map(folderOf));
  const module = await goModule(folderOf(from), read);
  if (module === null) return [];
  return content.split('\n').flatMap((text, index) => {
    const name = /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\s]+)"\s*(?:\/\/.*)?$/.exec(text)?.[1];
    if (name === undefined || !name.startsWith(`${module.name}/`)) return [];
    const to = joined(module.folder, name.slice(module.name.length + 1));
    return packages.has(to) && to !== folderOf(from) ? [{ from, to, line: index + 1 }] : [];
  });
}

async function goModule(
  from: string,
  read: Read,
): Promise<{ readonly name: string; readonly folder: string } | null> {
  for (const folder of [from, ...foldersAbove(from)]) {
    const text = await read(joined(folder, 'go.mod'));
    const name = /^module\s+"?([^\s"]+)/m.exec(text ?? '')?.[1];
    if (name !== undefined) return { name, folder };
  }
  return null;
}
