import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Stopped } from '../../../src/model/failure.ts';
import { trustFile } from '../../../src/app/folders.ts';
import { type Settings, loadSettings } from '../../../src/app/settings/load-settings.ts';
import { setTrust } from '../../../src/app/settings/project.ts';
import { flagLeaves } from '../../../src/app/settings/text-leaves.ts';

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
  /** Trusts the project's file as it is now. */
  trust(): Promise<void>;
}

interface Given {
  env?: Record<string, string>;
  /** As commander gives them. */
  flags?: Readonly<Record<string, unknown>>;
}

/** Its folder is removed at the end of the test. */
export function makePlace(toml = ''): Place {
  const base = mkdtempSync(join(tmpdir(), 'conclave-settings-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const repo = join(base, 'repo');
  const userFile = join(base, 'config/conclave/config.toml');
  const projectFile = join(repo, 'conclave.toml');
  const environment = {
    HOME: join(base, 'home'),
    XDG_CONFIG_HOME: join(base, 'config'),
    XDG_DATA_HOME: join(base, 'data'),
  };
  for (const folder of [repo, dirname(userFile)]) mkdirSync(folder, { recursive: true });
  if (toml !== '') writeFileSync(userFile, toml);
  const place: Place = {
    repo,
    userFile,
    projectFile,
    environment,
    user: (text) => writeFileSync(userFile, text),
    project: (text) => writeFileSync(projectFile, text),
    load: ({ env = {}, flags = {} } = {}) =>
      loadSettings({
        root: repo,
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
    async trust() {
      const { project } = (await place.load()).files;
      if (project === null) throw new Error('there is no project file');
      await setTrust(project.file, project.hash, trustFile(environment));
    },
  };
  return place;
}
