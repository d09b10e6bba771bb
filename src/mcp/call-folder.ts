// Finds the project of a call: a git repository, or another folder that a person lets the host have.
import type { ServerContext } from '@modelcontextprotocol/server';
import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Workplace } from '../app/workplace.ts';
import { wrongUsage } from '../model/failure.ts';
import { askForFolders } from './consent.ts';
import { Unanswered } from './results.ts';
import { loadParts, type ToolHost } from './tool-host.ts';

/** The folders that the host has named so far: it is told of no others. */
export const namedFolders = new Set<string>();

/**
 * Opens the project of a call. Hosts start a server in any folder, so it is an argument and never
 * guessed. Throws `usage` for what is no absolute folder or may not be used, `Unanswered` with the
 * question where a person has to allow it first; with no call there is nobody to ask.
 */
export async function workplaceOf(
  folder: string,
  host: ToolHost,
  ctx: ServerContext | null,
): Promise<Workplace & { readonly cwd: string }> {
  const { environment } = host;
  const { isFolder, openWorkplace } = await loadParts();
  // A folder before `..` may be a link, or another project.
  const isPlain = isAbsolute(folder) && !folder.split('/').includes('..');
  if (!isPlain || !(await isFolder(folder))) {
    throw wrongUsage(
      `folder: ${JSON.stringify(folder).slice(0, 200)} is not an absolute path of a folder; give the folder of the project.`,
    );
  }
  const workplace = await openWorkplace({ cwd: folder, environment, flags: [] });
  // A link leads elsewhere than its name, and sessions may lie in a folder above.
  const places = [await realpath(folder), await realpath(workplace.root)];
  const open = await askForFolders(places, host, ctx);
  if (open !== null) throw new Unanswered(open);
  namedFolders.add(folder);
  return { ...workplace, cwd: folder };
}
