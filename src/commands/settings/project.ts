import { dirname } from 'node:path';
import { readConfigFile } from './config-file.ts';
import { type Leaf, type Leaves, keyOf } from './leaf.ts';
import { homeFolder } from './data-folder.ts';
import { findProjectFile, trustFile } from './locations.ts';
import { normalLeaves } from './normal.ts';
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

/** Null where there is no `conclave.toml`. `allowed` is what the user's own settings come to. */
export async function readProject(given: {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly allowed: Leaves;
}): Promise<ProjectFile | null> {
  const { cwd, environment, allowed } = given;
  const path = await findProjectFile(cwd);
  const found = path === null ? null : await readConfigFile(path);
  if (found === null) return null;
  const { file, hash } = found;
  const home = homeFolder(environment);
  const all = normalLeaves(found.leaves, { folder: dirname(file), home });
  const trusted = await isTrusted({ file, hash }, trustFile(environment));
  const { leaves, widening } = narrow(all, allowed);
  return { file, hash, trusted, leaves: trusted ? all : leaves, widening };
}

/** What an untrusted file asks for in vain, as one sentence; null if nothing. */
export function untrustedWarning({ file, trusted, widening }: ProjectFile): string | null {
  if (trusted || widening.length === 0) return null;
  const keys = widening.map(({ path }) => keyOf(path)).join(', ');
  return (
    `${file} is not trusted, so it cannot widen what you allow; this in it does not count: ` +
    `${keys}. Read it, then run: conclave config trust`
  );
}
