// Finds out how the project is built and tested, as its files say.
import type { BuildFact } from '../../model/context.ts';
import { joinPath } from '../../git/paths.ts';
import { toolFacts } from './build-tools.ts';
import { foldersAbove, projectFolders, type FolderFact } from './project-folder.ts';
import { scriptFacts } from './build-scripts.ts';

/** A task that touches more parts of a project than this is about all of it. */
const mostFolders = 24;
const mostFacts = 40;

/**
 * Reads from its files how the project is built and tested: for the root, and for each folder above
 * the files that a task is about, theirs first. `read` gives the text of a file, or null.
 */
export async function buildFacts(project: {
  readonly files: readonly string[];
  readonly near: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
}): Promise<readonly BuildFact[]> {
  const { files, near, read } = project;
  const folderAt = projectFolders(files, read);
  const around = new Set(near.flatMap((path) => foldersAbove(path)).filter((at) => at !== ''));
  const commands = await Promise.all(
    [...[...around].slice(0, mostFolders), ''].map(async (at) => {
      const folder = folderAt(at);
      const found = await Promise.all([scriptFacts(folder), toolFacts(folder)]);
      return found.flat().map((fact) => toBuildFact(fact, at));
    }),
  );
  return commands.flat().slice(0, mostFacts);
}

function toBuildFact({ source, ...fact }: FolderFact, folder: string): BuildFact {
  const path = source.startsWith('/') ? source.slice(1) : joinPath(folder, source);
  return { ...fact, folder, source: path };
}
