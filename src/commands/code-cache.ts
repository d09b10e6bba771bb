import { dataFolder } from './settings/data-folder.ts';

/**
 * Keeps the program in its compiled form in the user's own data folder, which saves a third of the
 * next start. Where that cannot be, the program is compiled each time.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv, version: string): void {
  // As they are: imports would wrap all that they export first, and --help needs none of it.
  const { existsSync, rmSync } = process.getBuiltinModule('node:fs');
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const all = `${dataFolder(environment)}/code`;
  const own = `${all}/${version}`;
  try {
    // That of another version is of no use any more.
    if (!existsSync(own)) rmSync(all, { recursive: true, force: true });
  } catch {
    // It is somebody else’s, or cannot be written.
    return;
  }
  enableCompileCache(own);
}
