// Carries the project, its settings and the environment that both came from.
import type { Agent } from '../agents/agent.ts';
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
  /** Agents of the program that this one is a part of, beside those of the settings. */
  readonly guests?: readonly Agent[];
}

/** Finds the project around a folder and loads its settings. Throws like `loadSettings`. */
export async function openWorkplace({
  cwd,
  environment,
  flags,
  guests = [],
}: {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Settings that win over all files and variables. */
  readonly flags: readonly Leaf[];
  readonly guests?: readonly Agent[];
}): Promise<Workplace> {
  const root = await projectRoot(cwd);
  return {
    root,
    standing: folderWithin(root, cwd),
    environment,
    guests,
    settings: await loadSettings({ root, environment, flags, guests: namesOf(guests) }),
  };
}

/** The names under which settings may name guests. */
export function namesOf(guests: readonly Agent[] = []): readonly string[] {
  return guests.map(({ name }) => name);
}
