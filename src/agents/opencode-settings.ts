import { dirname, isAbsolute, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { isObject, jsonIn } from '../model/json.ts';
import { type Fields, isString } from './adapter-parts.ts';
import type { UserSide } from './agent.ts';

/** The model that opencode would choose by itself. */
export function usualModel(user: UserSide): string | null {
  const inSettings = configs(user).flatMap(({ config }) => config['model'] ?? []);
  const state = jsonIn(user.read(join(stateHome(user), 'opencode/model.json')) ?? '');
  const recent: readonly unknown[] =
    isObject(state) && Array.isArray(state['recent']) ? state['recent'] : [];
  const used = recent.slice(0, 1).filter(isObject);
  const names = used.flatMap(({ providerID, modelID }) => [providerID, modelID]);
  return inSettings.findLast(isString) ?? (names.filter(isString).join('/') || null);
}

/** The providers of the user’s settings, by id. */
export function ownProviders(user: UserSide): Fields {
  const all = configs(user).map(({ path, config }) => {
    const { provider } = config;
    return isObject(provider) ? Object.entries(withAbsoluteFiles(provider, path)) : [];
  });
  return Object.fromEntries(all.flat());
}

// They will stand in another folder.
function withAbsoluteFiles(provider: Fields, path: string): Fields {
  const text = JSON.stringify(provider).replaceAll(
    /\{file:([^}~][^}]*)\}/g,
    (whole, file: string) => (isAbsolute(file) ? whole : `{file:${join(dirname(path), file)}}`),
  );
  const moved = jsonIn(text);
  return isObject(moved) ? moved : {};
}

/**
 * The project’s file or folder that names plugins or references, or null: from the folder of a run
 * up to the root of the repository. opencode loads them whatever it is told (1.18.33).
 */
export function pluginOf(cwd: string, user: UserSide): string | null {
  const folders = ['plugin', 'plugins'].map((name) => join(cwd, '.opencode', name));
  const files = [cwd, join(cwd, '.opencode')].flatMap((folder) => settingsIn(folder));
  const found =
    folders.find((path) => user.list(path).length > 0) ??
    configsIn(files, user).find(({ config }) => loading.some((key) => key in config))?.path;
  if (found !== undefined) return found;
  const parent = dirname(cwd);
  return parent === cwd || user.has(join(cwd, '.git')) ? null : pluginOf(parent, user);
}

const loading = ['plugin', 'plugins', 'reference', 'references'];

interface Config {
  readonly path: string;
  readonly config: Fields;
}

/** The user’s settings, the last of which count. */
function configs(user: UserSide): readonly Config[] {
  const folder = join(configHome(user), 'opencode/');
  const paths = [
    join(folder, 'config.json'),
    ...settingsIn(folder),
    ...[user.environment['OPENCODE_CONFIG'] ?? []].flat(),
    ...settingsIn(join(user.home, '.opencode')),
  ];
  return configsIn(paths, user);
}

function configsIn(paths: readonly string[], user: UserSide): readonly Config[] {
  return paths.flatMap((path) => {
    const config: unknown = parse(user.read(path) ?? '');
    return isObject(config) ? [{ path, config }] : [];
  });
}

function settingsIn(folder: string): readonly string[] {
  return ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name));
}

/** Where the user’s settings of opencode and of Git are. */
export function configHome({ environment, home }: UserSide): string {
  return environment['XDG_CONFIG_HOME'] || join(home, '.config');
}

function stateHome({ environment, home }: UserSide): string {
  return environment['XDG_STATE_HOME'] || join(home, '.local/state');
}
