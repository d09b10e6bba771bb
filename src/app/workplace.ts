// Carries the project, its settings and the environment that both came from.
import type { Agent } from '../agents/agent.ts';
import { folderWithin, projectRoot } from './folders.ts';
import type { Leaf } from './settings/leaf.ts';
import { loadSettings, type Settings } from './settings/load-settings.ts';

export interface Workplace {
  /** The absolute path of the project’s folder. */
  readonly root: string;
  /** The folder inside it where the user is, relative; empty for the project’s folder itself. */
  readonly standing?: string;
  /** The caller’s environment; code in `app/` uses no other. */
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: Settings;
  /** Agents of the program that contains this one, in addition to those of the settings. */
  readonly guests?: readonly Agent[];
  /** False if the user wants no proof in this run. */
  readonly proves?: boolean;
}

/** Finds the project around a folder and loads its settings. Throws like `loadSettings`. */
export async function openWorkplace({
  cwd,
  environment,
  flags,
  guests = [],
}: {
  /** The absolute folder in which to look for the project. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Settings that override all files and variables. */
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

/** The names by which settings may refer to guests. */
export function namesOf(guests: readonly Agent[] = []): readonly string[] {
  return guests.map(({ name }) => name);
}
