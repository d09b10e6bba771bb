import { readConfigFile } from './config-file.ts';
import { homeFolder, userConfigFile } from './data-folder.ts';
import { type Leaf, defaultLeaves, mergeLeaves } from './leaf.ts';
import { type ProjectFile, readProject, untrustedWarning } from './project.ts';
import { type Resolved, resolveSettings } from './resolve.ts';
import { withRoster } from './roster.ts';
import { environmentLeaves } from './text-leaves.ts';

/** Everything that a run is set up with, and the files that say so. */
export interface Settings extends Resolved {
  readonly files: {
    readonly user: { readonly file: string; readonly exists: boolean };
    readonly project: ProjectFile | null;
  };
}

export interface LoadSettings {
  /** Absolute; the project's file is looked for from here up to the root of the repository. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Those of a session that goes on. */
  readonly session?: readonly Leaf[];
  readonly flags: { readonly settings?: readonly Leaf[] };
}

/**
 * The settings of a run: defaults, the user's file, the project's file, `CONCLAVE_*` variables,
 * the session's own and flags, the later wins; constraints add up. An untrusted project only narrows. Throws
 * `config` (a file's or a variable's fault) or `usage` (a flag's).
 */
export async function loadSettings({
  cwd,
  environment,
  session = [],
  flags,
}: LoadSettings): Promise<Settings> {
  const user = await userSettings(environment);
  const project = await projectUnder(user, { cwd, environment });
  const starts = { folder: cwd, home: homeFolder(environment) };
  const variables = environmentLeaves(environment, starts);
  const resolved = resolveSettings(
    mergeLeaves([
      defaultLeaves(),
      user.leaves,
      project?.leaves ?? [],
      variables.leaves,
      session,
      flags.settings ?? [],
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
  return { ...resolveSettings(mergeLeaves([defaultLeaves()])), files: { user, project: null } };
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
  const allowed = withRoster(mergeLeaves([defaultLeaves(), user.leaves]));
  return await readProject({ ...place, allowed });
}

async function userSettings(environment: NodeJS.ProcessEnv): Promise<UserSettings> {
  const file = userConfigFile(environment);
  const found = await readConfigFile(file, homeFolder(environment));
  return { file, exists: found !== null, leaves: found?.leaves ?? [] };
}
