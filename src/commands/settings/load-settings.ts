import { readConfigFile } from './config-file.ts';
import { homeFolder, userConfigFile } from './data-folder.ts';
import { type Leaf, mergeLeaves } from './leaf.ts';
import { type ProjectFile, readProject, untrustedWarning } from './project.ts';
import { type Resolved, resolveSettings } from './resolve.ts';
import { withDefaults } from './roster.ts';
import { environmentLeaves } from './text-leaves.ts';

/** Everything that a run is set up with, and the files that say so. */
export interface Settings extends Resolved {
  readonly files: SettingsFiles;
}

interface SettingsFiles {
  readonly user: { readonly file: string; readonly exists: boolean };
  readonly project: ProjectFile | null;
}

interface Place {
  /** Absolute; the project's file is looked for from here up to the root of the repository. */
  readonly cwd: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** What is said beside files and variables. */
interface Said {
  /** By the session that goes on. */
  readonly session?: readonly Leaf[];
  readonly flags?: readonly Leaf[];
}

/**
 * The settings of a run: defaults, the user's file, the project's file, `CONCLAVE_*` variables,
 * the session's own and flags, the later wins; constraints add up. An untrusted project only
 * narrows. Throws `config` (a file's or a variable's fault) or `usage` (a flag's).
 */
export async function loadSettings(given: Place & Said): Promise<Settings> {
  const { cwd, environment = process.env, session = [], flags = [] } = given;
  const { user, project, leaves } = await readFiles({ cwd, environment });
  const variables = environmentLeaves(environment, { folder: cwd, home: homeFolder(environment) });
  const resolved = resolveSettings([...leaves, ...variables.leaves, ...session, ...flags]);
  const untrusted = project === null ? [] : untrustedWarning(project);
  const warnings = [...untrusted, ...variables.warnings, ...resolved.warnings];
  return { ...resolved, warnings, files: { user, project } };
}

/** The settings where nobody says anything, e.g. in place of ones that do not hold. */
export function defaultSettings(): Settings {
  const user = { file: userConfigFile(process.env), exists: false };
  return { ...resolveSettings([]), files: { user, project: null } };
}

/** The project's settings file alone, also where the settings as a whole do not hold. */
export async function loadProject(cwd: string): Promise<ProjectFile | null> {
  return (await readFiles({ cwd, environment: process.env })).project;
}

async function readFiles(
  place: Required<Place>,
): Promise<SettingsFiles & { readonly leaves: readonly Leaf[] }> {
  const file = userConfigFile(place.environment);
  const own = await readConfigFile(file, homeFolder(place.environment));
  const said = own?.leaves ?? [];
  const project = await readProject({ ...place, allowed: withDefaults(mergeLeaves(said)) });
  const leaves = [...said, ...(project?.leaves ?? [])];
  return { user: { file, exists: own !== null }, project, leaves };
}
