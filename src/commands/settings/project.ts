import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Stopped } from '../../model/failure.ts';
import { jsonIn } from '../../model/json.ts';
import { writeAtomic } from '../../store/atomic.ts';
import { isSystemError, writing } from '../../store/system-error.ts';
import { readConfigFile, settingsBytes } from './config-file.ts';
import { homeFolder, isThere, trustFile } from '../folders.ts';
import type { Leaf, Leaves } from './leaf.ts';
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

/** What an untrusted file asks for in vain, as one sentence; none if nothing. */
export function untrustedWarning({ file, trusted, widening }: ProjectFile): readonly string[] {
  if (trusted || widening.length === 0) return [];
  const keys = widening.map(({ key }) => key).join(', ');
  return [
    `${file} is not trusted, so it cannot widen what you allow; these settings of it do not ` +
      `count: ${keys}. Read it, then run: conclave config trust`,
  ];
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

/** From the real path of a project's settings file to the sha256 of the content that is trusted. */
const Trust = z.strictObject({
  version: z.literal(1),
  trusted: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});
type Trust = z.infer<typeof Trust>;

type SettingsContent = Pick<ProjectFile, 'file' | 'hash'>;

/** Whether the user trusted exactly this content of this file. */
async function isTrusted(content: SettingsContent, store: string): Promise<boolean> {
  const { trusted } = await readTrust(store);
  return trusted[await realpath(content.file)] === content.hash;
}

/** Throws `cannot-write`. */
export async function trust(content: SettingsContent, store: string): Promise<void> {
  const { trusted } = await readTrust(store);
  const file = await realpath(content.file);
  await writeTrust(store, { version: 1, trusted: { ...trusted, [file]: content.hash } });
}

/** Resolves to whether there was any trust in the file, in whatever content. */
export async function distrust(file: string, store: string): Promise<boolean> {
  const { trusted } = await readTrust(store);
  const { [await realpath(file)]: before, ...others } = trusted;
  if (before !== undefined) await writeTrust(store, { version: 1, trusted: others });
  return before !== undefined;
}

async function readTrust(store: string): Promise<Trust> {
  const bytes = await settingsBytes(store);
  if (bytes === null) return { version: 1, trusted: {} };
  const parsed = Trust.safeParse(jsonIn(bytes.toString()));
  if (parsed.success) return parsed.data;
  const message = 'the file is damaged; remove it and trust your projects again.';
  throw new Stopped({ reason: 'config', file: store, message });
}

async function writeTrust(store: string, value: Trust): Promise<void> {
  await writing(store, () => mkdir(dirname(store), { recursive: true, mode: 0o700 }));
  await writeAtomic(store, `${JSON.stringify(value, null, 2)}\n`);
}
