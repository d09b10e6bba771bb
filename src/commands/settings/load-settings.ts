import { dirname } from 'node:path';
import type { RunLimits } from '../../agents/agent.ts';
import type { CliAgentSettings } from '../../agents/cli-agent.ts';
import type { RunSettings } from '../../model/session.ts';
import { readConfigFile } from './config-file.ts';
import type { ContextSettings } from './context-settings.ts';
import { defaultLeaves } from './defaults.ts';
import { environmentLeaves } from './environment.ts';
import { type SettingsFlags, flagLeaves } from './flags.ts';
import { type Leaf, mergeLeaves } from './leaf.ts';
import { homeFolder } from './data-folder.ts';
import { userConfigFile } from './locations.ts';
import { normalLeaves } from './normal.ts';
import { type ProjectFile, readProject, untrustedWarning } from './project.ts';
import { resolveSettings } from './resolve.ts';

/** Everything that a run is set up with, checked. Paths are absolute, times in ms. */
export interface Settings {
  readonly run: RunSettings;
  readonly autoYes: boolean;
  /** The agent that plans, or null for the first that took part. */
  readonly planner: string | null;
  readonly limits: RunLimits;
  readonly agents: Readonly<Record<string, CliAgentSettings>>;
  readonly context: ContextSettings;
  /** JSON Schemas of the user that extend ours. */
  readonly schemas: { readonly plan?: string; readonly task?: string };
  readonly phases: Readonly<Record<string, { readonly isDestructive: boolean }>>;
  /** One sentence each, for stderr. */
  readonly warnings: readonly string[];
  /** Each setting that holds, in the words of the configuration, with where it was said. */
  readonly sources: readonly Sourced[];
  readonly files: {
    readonly user: { readonly file: string; readonly exists: boolean };
    readonly project: ProjectFile | null;
  };
}

export interface Sourced {
  readonly key: string;
  readonly value: unknown;
  /** A file, a variable, a flag or `default`. */
  readonly source: string;
}

export interface LoadSettings {
  /** Absolute; the project's file is looked for from here up to the root of the repository. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly flags: SettingsFlags;
}

/**
 * The settings of a run: defaults, the user's file, the project's file, `CONCLAVE_*` variables
 * and flags, the later wins; constraints add up. An untrusted project only narrows. Throws
 * `config` (a file's or a variable's fault) or `usage` (a flag's).
 */
export async function loadSettings({ cwd, environment, flags }: LoadSettings): Promise<Settings> {
  const user = await userSettings(environment);
  const project = await projectUnder(user, { cwd, environment });
  const variables = environmentLeaves(environment);
  const home = homeFolder(environment);
  const resolved = resolveSettings(
    mergeLeaves([
      defaultLeaves,
      user.leaves,
      project?.leaves ?? [],
      normalLeaves(variables.leaves, { folder: cwd, home }),
      flagLeaves(flags),
    ]),
  );
  const untrusted = project === null ? null : untrustedWarning(project);
  return {
    ...resolved,
    warnings: [
      ...(untrusted === null ? [] : [untrusted]),
      ...variables.warnings,
      ...resolved.warnings,
    ],
    files: { user: { file: user.file, exists: user.exists }, project },
  };
}

/** The settings where nobody says anything, e.g. in place of ones that do not hold. */
export function defaultSettings(environment: NodeJS.ProcessEnv): Settings {
  const user = { file: userConfigFile(environment), exists: false };
  return { ...resolveSettings(mergeLeaves([defaultLeaves])), files: { user, project: null } };
}

/** The project's settings file alone, also where the settings as a whole do not hold. */
export async function loadProject(
  place: Pick<LoadSettings, 'cwd' | 'environment'>,
): Promise<ProjectFile | null> {
  return await projectUnder(await userSettings(place.environment), place);
}

interface UserSettings {
  readonly file: string;
  readonly exists: boolean;
  readonly leaves: readonly Leaf[];
}

async function projectUnder(
  user: UserSettings,
  place: Pick<LoadSettings, 'cwd' | 'environment'>,
): Promise<ProjectFile | null> {
  return await readProject({ ...place, allowed: mergeLeaves([defaultLeaves, user.leaves]) });
}

async function userSettings(environment: NodeJS.ProcessEnv): Promise<UserSettings> {
  const file = userConfigFile(environment);
  const found = await readConfigFile(file);
  if (found === null) return { file, exists: false, leaves: [] };
  const home = homeFolder(environment);
  const leaves = normalLeaves(found.leaves, { folder: dirname(file), home });
  return { file, exists: true, leaves };
}
