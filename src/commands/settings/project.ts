import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { isSystemError } from '../../store/system-error.ts';
import { isThere } from '../working-folder.ts';
import { readConfigFile } from './config-file.ts';
import { homeFolder, trustFile } from './data-folder.ts';
import { type Leaf, type Leaves, keyOf } from './leaf.ts';
import { isTrusted } from './trust.ts';
import { narrow } from './untrusted.ts';

/** A project's settings file as it is now. */
export interface ProjectFile {
  readonly file: string;
  /** sha256 of the exact content, in hex. */
  readonly hash: string;
  readonly trusted: boolean;
  /** What counts of it, by its trust. */
  readonly leaves: readonly Leaf[];
  /** What counts only, or only whole, with trust. */
  readonly widening: readonly Leaf[];
}

/**
 * The nearest `conclave.toml` from a folder up to the root of its repository, or only in that
 * folder where there is no repository; null where there is none. `allowed` is what the user's own
 * settings come to. Throws `config`, also for a link that leads out of the project.
 */
export async function readProject(given: {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly allowed: Leaves;
}): Promise<ProjectFile | null> {
  const { cwd, environment, allowed } = given;
  const path = await findProjectFile(cwd);
  const found = path === null ? null : await readConfigFile(path, homeFolder(environment));
  if (found === null) return null;
  const { file, hash } = found;
  const trusted = await isTrusted({ file, hash }, trustFile(environment));
  const { leaves, widening } = narrow(found.leaves, allowed);
  return { file, hash, trusted, leaves: trusted ? found.leaves : leaves, widening };
}

/** What an untrusted file asks for in vain, as one sentence; null if nothing. */
export function untrustedWarning({ file, trusted, widening }: ProjectFile): string | null {
  if (trusted || widening.length === 0) return null;
  const keys = widening.map(({ path }) => keyOf(path)).join(', ');
  return (
    `${file} is not trusted, so it cannot widen what you allow; these settings of it do not ` +
    `count: ${keys}. Read it, then run: conclave config trust`
  );
}

async function findProjectFile(cwd: string): Promise<string | null> {
  const folders = await foldersUpToRoot(await realpath(cwd));
  const root = folders.at(-1) ?? cwd;
  for (const folder of folders) {
    const file = join(folder, 'conclave.toml');
    if (!(await isThere(file))) continue;
    await refuseLinkOut(file, root);
    return file;
  }
  return null;
}

async function foldersUpToRoot(start: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await isThere(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [start];
  }
}

async function refuseLinkOut(file: string, root: string): Promise<void> {
  // A link that leads nowhere leads out as well.
  const target = await realpath(file).catch((error: unknown) => {
    if (isSystemError(error)) return null;
    throw error;
  });
  if (target?.startsWith(root.endsWith('/') ? root : `${root}/`) === true) return;
  const message = 'this is a symbolic link that leads out of the project, which is refused.';
  throw new Stopped({ reason: 'config', file, message });
}
