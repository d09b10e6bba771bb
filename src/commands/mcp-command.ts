// Runs `conclave mcp`, and the processes of its jobs.
import { wrongUsage } from '../model/failure.ts';
import { readdir, rm } from 'node:fs/promises';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { codeCacheFolder } from '../app/user-folders.ts';
import { makeFolderNow } from '../store/make-folder.ts';
import { isSystemError, nullIfAbsent } from '../store/system-error.ts';

/** Serves the Model Context Protocol; `start-job` and `run-job` are for our own processes. */
export async function mcpCommand(words: readonly string[]): Promise<number> {
  const [word, id = ''] = words;
  const { env } = process;
  cacheCode(env);
  if (word === undefined) {
    await (await import('../mcp/server.ts')).serveMcp(env);
    return 0;
  }
  if (word === 'start-job') (await import('../mcp/job-store.ts')).leaveJobRunning(id, env);
  else if (word === 'run-job') await (await import('../mcp/run-job.ts')).runJob(id, env);
  else throw wrongUsage(`"conclave mcp serve" takes no word "${word}".`);
  return 0;
}

/** In ms: until then a host has asked for all that it needs before its first call. */
const firstWork = 3000;
/** A version has about a hundred files, and those of earlier ones stay. */
const mostFiles = 500;

/** Code that is loaded from now on is compiled once; each time where the folder cannot be written. */
function cacheCode(environment: NodeJS.ProcessEnv): void {
  const folder = codeCacheFolder(environment);
  try {
    makeFolderNow(folder, { mode: 0o700 });
  } catch (error) {
    if (isSystemError(error)) return;
    throw error;
  }
  enableCompileCache(folder);
  // Node saves at the end of the process, but hosts end a server by a signal.
  setTimeout(() => void save(folder), firstWork).unref();
}

async function save(folder: string): Promise<void> {
  const files = (await nullIfAbsent(readdir(folder, { recursive: true }))) ?? [];
  if (files.length > mostFiles) await rm(folder, { recursive: true, force: true });
  else flushCompileCache();
}
