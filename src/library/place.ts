// Finds the folder that a program names.
import { resolve } from 'node:path';
import { isFolder } from '../app/folders.ts';
import { wrongUsage } from '../model/failure.ts';

/** Finds the absolute path of a folder. Throws `usage` if it does not exist. */
export async function folderAt(cwd = '.'): Promise<string> {
  const folder = resolve(cwd);
  if (await isFolder(folder)) return folder;
  throw wrongUsage(`cwd: ${folder} is not a folder.`);
}
