import { dirname, isAbsolute, join } from 'node:path';
import { isObject, jsonIn } from '../model/json.ts';
import { type Fields, isString, settingsIn } from './adapter-parts.ts';
import type { LoginState, UserSide } from './agent.ts';

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

// The settings move to another folder.
function withAbsoluteFiles(provider: Fields, path: string): Fields {
  const text = JSON.stringify(provider).replaceAll(
    /\{file:([^}~][^}]*)\}/g,
    (whole, file: string) => (isAbsolute(file) ? whole : `{file:${join(dirname(path), file)}}`),
  );
  const moved = jsonIn(text);
  return isObject(moved) ? moved : {};
}

/**
 * The project’s file or folder with plugins or references, between the folder of a run and the root
 * of the repository, or null. No setting keeps opencode from loading them (1.18.33).
 */
export function pluginOf(cwd: string, user: UserSide): string | null {
  const folders = ['plugin', 'plugins'].map((name) => join(cwd, '.opencode', name));
  const files = [cwd, join(cwd, '.opencode')].flatMap((folder) => settingsFiles(folder));
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

/** The user’s settings; later ones override earlier ones. */
function configs(user: UserSide): readonly Config[] {
  const folder = join(configHome(user), 'opencode/');
  const paths = [
    join(folder, 'config.json'),
    ...settingsFiles(folder),
    ...[user.environment['OPENCODE_CONFIG'] ?? []].flat(),
    ...settingsFiles(join(user.home, '.opencode')),
  ];
  return configsIn(paths, user);
}

function configsIn(paths: readonly string[], user: UserSide): readonly Config[] {
  return paths.map((path) => ({ path, config: settingsIn(path, user) }));
}

function settingsFiles(folder: string): readonly string[] {
  return ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name));
}

/** Where the user’s settings of opencode and of Git are. */
export function configHome({ environment, home }: UserSide): string {
  return environment['XDG_CONFIG_HOME'] || join(home, '.config');
}

function stateHome({ environment, home }: UserSide): string {
  return environment['XDG_STATE_HOME'] || join(home, '.local/state');
}

/** The variables that the provider of the model reads, and those that the user’s settings name. */
export function keysOf(user: UserSide): readonly string[] {
  const own = ownProviders(user);
  return providersFor(user.model ?? usualModel(user), user).flatMap((id) => {
    const settings = own[id];
    const named = isObject(settings) && Array.isArray(settings['env']) ? settings['env'] : [];
    const inText = JSON.stringify(settings ?? '').matchAll(/\{env:(\w+)\}/g);
    return [
      ...keysByName(id),
      ...named.filter(isString),
      ...Array.from(inText, ([, name = '']) => name),
    ];
  });
}

// Of the 225 providers that it knows, nearly all name their variables after themselves.
function keysByName(provider: string): readonly string[] {
  const other = otherKeys.find(([name]) => name.test(provider));
  const [first = ''] = provider.split(/\W/);
  return other === undefined ? [`${first.toUpperCase()}_*`] : other[1];
}

const otherKeys: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^google$/, ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY']],
  [/^google-vertex/, ['GOOGLE_*', 'VERTEX_*']],
  [/^amazon-bedrock$/, ['AWS_*']],
  // It uses opencode’s own login; GITHUB_TOKEN is for other things.
  [/^github-copilot/, []],
  // Not OPENCODE_*, as above.
  [/^opencode/, ['OPENCODE_API_KEY']],
  [/^huggingface$/, ['HF_TOKEN']],
  [/^vercel$/, ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN']],
  [/^moonshotai/, ['MOONSHOT_API_KEY']],
  [/^(?:zai|zhipuai)/, ['ZHIPU_API_KEY']],
  [/^togetherai$/, ['TOGETHER_API_KEY']],
  [/^alibaba(?:-cn)?$/, ['DASHSCOPE_API_KEY']],
  [/^volcengine/, ['ARK_*']],
  [/^sap-ai-core$/, ['AICORE_*']],
];

/**
 * By its file of logins, the keys of the model’s provider, and the user’s settings. `unknown` for a
 * provider that uses the login of a cloud’s own tools.
 */
export function opencodeLogin(user: UserSide): LoginState {
  const model = user.model ?? usualModel(user);
  const logins = storedLogins(user);
  if (model === null) {
    if (logins.length > 0) return { state: 'stored' };
    if (Object.keys(ownProviders(user)).length > 0) return { state: 'unknown' };
    return { state: 'logged-out', why: 'no model is chosen in it, and no provider is logged in' };
  }
  const provider = providerOf(model);
  const keys = keysByName(provider).map((name) => name.replace('*', ''));
  const hasKey = Object.keys(user.environment).some((name) =>
    keys.some((key) => name.startsWith(key)),
  );
  if (logins.includes(provider) || hasKey) return { state: 'stored' };
  const mayBeElsewhere = /^(?:opencode|amazon-bedrock|google-vertex|azure|sap-ai-core)/.test(
    provider,
  );
  return mayBeElsewhere || provider in ownProviders(user)
    ? { state: 'unknown' }
    : { state: 'logged-out', why: `it has neither a login nor a key for ${provider}` };
}

/** The provider of the model; without a model, all providers of the user. */
export function providersFor(model: string | null, user: UserSide): readonly string[] {
  if (model !== null) return [providerOf(model)];
  return [...new Set([...storedLogins(user), ...Object.keys(ownProviders(user))])];
}

/** The provider in a model’s name, `provider/model`. */
function providerOf(model: string): string {
  return model.split('/')[0] ?? '';
}

function storedLogins(user: UserSide): readonly string[] {
  const { XDG_DATA_HOME: data, OPENCODE_AUTH_CONTENT: given } = user.environment;
  const file = join(data || join(user.home, '.local/share'), 'opencode/auth.json');
  const logins = jsonIn(given || (user.read(file) ?? ''));
  return isObject(logins) ? Object.keys(logins) : [];
}
