// Has Node keep compiled code in the user's data folder, so that the next start compiles nothing.
import { readdir, rm } from 'node:fs/promises';
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module';
import { codeCacheFolder } from '../../app/user-folders.ts';
import { makeFolderNow } from '../../store/make-folder.ts';
import { isSystemError, nullIfAbsent } from '../../store/system-error.ts';

/** The time, in ms, by which a host has requested everything that it needs before its first call. */
const firstWork = 3000;
/** The most files in the folder: a version has about a hundred, and those of earlier versions remain. */
const mostFiles = 500;

/** Compiles each file only once from now on, or at each start if the folder cannot be written. */
export function cacheCode(environment: NodeJS.ProcessEnv): void {
  // The user has set NODE_COMPILE_CACHE.
  if (getCompileCacheDir() !== undefined) return;
  const folder = codeCacheFolder(environment);
  try {
    makeFolderNow(folder, { mode: 0o700 });
  } catch (error) {
    if (isSystemError(error)) return;
    throw error;
  }
  enableCompileCache(folder);
  // Node saves at the end of the process, but hosts end a server with a signal.
  setTimeout(() => void save(folder), firstWork).unref();
}

async function save(folder: string): Promise<void> {
  const files = (await nullIfAbsent(readdir(folder, { recursive: true }))) ?? [];
  if (files.length > mostFiles) await rm(folder, { recursive: true, force: true });
  else flushCompileCache();
}
