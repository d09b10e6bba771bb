import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Stopped } from '../../../src/model/failure.ts';
import { type Settings, loadSettings } from '../../../src/commands/settings/load-settings.ts';
import { trustFile } from '../../../src/commands/folders.ts';
import { trust } from '../../../src/commands/settings/project.ts';
import { flagLeaves } from '../../../src/commands/settings/text-leaves.ts';

/** A user with a home and a project, both empty at first. */
export interface Place {
  readonly repo: string;
  readonly userFile: string;
  readonly projectFile: string;
  readonly environment: NodeJS.ProcessEnv;
  user(toml: string): void;
  project(toml: string): void;
  load(given?: Given): Promise<Settings>;
  /** The sentence that loading stops with. */
  stop(given?: Given): Promise<string>;
  remove(): void;
}

interface Given {
  env?: Record<string, string>;
  /** As commander gives them. */
  flags?: Readonly<Record<string, unknown>>;
}

export function makePlace(): Place {
  const base = mkdtempSync(join(tmpdir(), 'conclave-settings-'));
  const repo = join(base, 'repo');
  const userFile = join(base, 'config/conclave/config.toml');
  const projectFile = join(repo, 'conclave.toml');
  const environment = {
    HOME: join(base, 'home'),
    XDG_CONFIG_HOME: join(base, 'config'),
    XDG_DATA_HOME: join(base, 'data'),
  };
  for (const folder of [join(repo, '.git'), dirname(userFile)]) {
    mkdirSync(folder, { recursive: true });
  }
  const place: Place = {
    repo,
    userFile,
    projectFile,
    environment,
    user: (toml) => writeFileSync(userFile, toml),
    project: (toml) => writeFileSync(projectFile, toml),
    load: ({ env = {}, flags = {} } = {}) =>
      loadSettings({
        cwd: repo,
        environment: { ...environment, ...env },
        flags: flagLeaves(flags),
      }),
    async stop(given) {
      try {
        await place.load(given);
      } catch (error) {
        if (error instanceof Stopped) return error.message;
        throw error;
      }
      throw new Error('it was loaded');
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
  return place;
}

export async function trustProject(place: Place): Promise<void> {
  const { project } = (await place.load()).files;
  if (project === null) throw new Error('there is no project file');
  await trust(project, trustFile(place.environment));
}
