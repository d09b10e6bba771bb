// Makes temporary folders, and removes those that killed processes left behind.
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullIfAbsent } from './system-error.ts';

type Purpose = 'question' | 'check';

/** Makes a new empty folder, which the caller removes. Rejects with a system error. */
export async function temporaryFolder(purpose: Purpose): Promise<string> {
  return await mkdtemp(join(await realpath(tmpdir()), `conclave-${purpose}-`));
}

/** The age, in ms, that no folder in use reaches: a run or a check takes a day at most. */
const oldest = 2 * 86_400_000;

/** Removes the folders of this user that are too old to be in use. */
export async function sweepTemporaryFolders(): Promise<void> {
  const folder = await realpath(tmpdir()).catch(() => null);
  if (folder === null) return;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/^conclave-(?:question|check)-\w{6}$/.test(name)) continue;
    const path = join(folder, name);
    const found = await nullIfAbsent(lstat(path));
    const isOwn = found?.isDirectory() === true && found.uid === process.getuid?.();
    if (!isOwn || Date.now() - found.mtimeMs < oldest) continue;
    // Another process may sweep at the same time.
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
