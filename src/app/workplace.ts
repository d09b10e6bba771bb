// Carries the project, its settings and the environment that both came from.
import { folderWithin, projectRoot } from './folders.ts';
import type { Leaf } from './settings/leaf.ts';
import { loadSettings, type Settings } from './settings/load-settings.ts';

export interface Workplace {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The folder in it where the user stands, relative; empty for the project’s own. */
  readonly standing?: string;
  /** Of whoever asks; nobody in `app/` takes another. */
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: Settings;
}

/** Finds the project around a folder and loads its settings. Throws like `loadSettings`. */
export async function openWorkplace({
  cwd,
  environment,
  flags,
}: {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Settings that win over all files and variables. */
  readonly flags: readonly Leaf[];
}): Promise<Workplace> {
  const root = await projectRoot(cwd);
  return {
    root,
    standing: folderWithin(root, cwd),
    environment,
    settings: await loadSettings({ root, environment, flags }),
  };
}
