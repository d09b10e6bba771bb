// Makes the settings that opencode gets for one run, and reads the user’s and project’s own, keys and logins.
import { dirname, isAbsolute, join } from 'node:path';
import { jsonIn } from '../../model/json.ts';
import { type Fields, fieldsIn, objectsIn, isString, settingsIn } from './adapter-parts.ts';
import type { AgentRequest, LoginState, RunFile, UserSide } from '../agent.ts';

/** The opencode agent for a run with a role, which is only accepted as the prompt of an agent. */
export const roleAgent = 'conclave';

/**
 * The files that replace the user’s `~/.config`, to keep out their servers, plugins, agents,
 * commands and instructions. Of their settings they contain only the provider that is used.
 */
export function configFiles(
  request: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  if (request.isolation === 'none') return {};
  const { model } = request;
  const providers = providersFor(model, user);
  const own = ownProviders(user);
  const config = {
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    // A snapshot would copy the whole work tree after each step.
    snapshot: false,
    lsp: false,
    formatter: false,
    // Without this list it may use its own free models, which nobody chose.
    enabled_providers: providers,
    provider: Object.fromEntries(providers.flatMap((id) => (id in own ? [[id, own[id]]] : []))),
    ...agentOf(request),
  };
  return {
    'opencode/opencode.json': withoutReferences(config),
    // These two keep it from installing its plugin package.
    'opencode/node_modules/.keep': '',
    'opencode/package-lock.json': JSON.stringify({ packages: { '': { dependencies: plugins } } }),
    // Git has its settings in the same folder.
    git: { linkTo: join(configHome(user), 'git'), kind: 'file' },
  };
}

/**
 * The variables that lead it to its settings: in the folder of the run, or those of the user and
 * the role.
 */
export function homeVariables(request: AgentRequest): Readonly<Record<string, string>> {
  const { isolation, filesFolder = '' } = request;
  if (isolation === 'none') return { OPENCODE_CONFIG_CONTENT: escapeSettings(agentOf(request)) };
  return {
    XDG_CONFIG_HOME: filesFolder,
    // It looks for `~/.opencode` there; everything else still uses the user’s home.
    OPENCODE_TEST_HOME: filesFolder,
    OPENCODE_CONFIG: '',
    OPENCODE_PURE: '1',
    OPENCODE_DISABLE_CLAUDE_CODE: '1',
    OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
  };
}

function agentOf({ role }: AgentRequest) {
  return role === null ? {} : { agent: { [roleAgent]: { mode: 'primary', prompt: role } } };
}

const plugins = { '@opencode-ai/plugin': '*' };

function withoutReferences(config: { readonly agent?: unknown; readonly provider: unknown }) {
  const { provider, ...ours } = config;
  return `${escapeSettings(ours).slice(0, -1)},"provider":${JSON.stringify(provider)}}`;
}

// A role may contain `{env:…}` or `{file:…}`, which it would replace.
function escapeSettings(settings: object): string {
  return JSON.stringify(settings).replaceAll(/\{(?=env:|file:)/g, String.raw`\u007b`);
}

/** The model that opencode would choose on its own. */
export function usualModel(user: UserSide): string | null {
  const inSettings = configs(user).flatMap(({ config }) => config['model'] ?? []);
  const { XDG_STATE_HOME: state } = user.environment;
  const file = join(state || join(user.home, '.local/state'), 'opencode/model.json');
  const { recent } = fieldsIn(jsonIn(user.read(file) ?? ''));
  const used = objectsIn(recent).slice(0, 1);
  const names = used.flatMap(({ providerID, modelID }) => [providerID, modelID]);
  return inSettings.findLast(isString) ?? (names.filter(isString).join('/') || null);
}

/** The providers of the user’s settings, by id. */
function ownProviders(user: UserSide): Fields {
  const all = configs(user).flatMap(({ path, config: { provider } }) =>
    Object.entries(withAbsoluteFiles(fieldsIn(provider), path)),
  );
  return Object.fromEntries(all);
}

// Makes file references absolute, because the settings move to another folder.
function withAbsoluteFiles(provider: Fields, path: string): Fields {
  const text = JSON.stringify(provider).replaceAll(
    /\{file:([^}~][^}]*)\}/g,
    (whole, file: string) => (isAbsolute(file) ? whole : `{file:${join(dirname(path), file)}}`),
  );
  return fieldsIn(jsonIn(text));
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

/** The folder with the user’s settings of opencode and of Git. */
function configHome({ environment, home }: UserSide): string {
  return environment['XDG_CONFIG_HOME'] || join(home, '.config');
}

/** The variables that the provider of the model reads, and those that the user’s settings name. */
export function keysOf(user: UserSide): readonly string[] {
  const own = ownProviders(user);
  return providersFor(user.model ?? usualModel(user), user).flatMap((id) => {
    const { env: named } = fieldsIn(own[id]);
    const inText = JSON.stringify(own[id] ?? '').matchAll(/\{env:(\w+)\}/g);
    return [
      ...keysByName(id),
      ...(Array.isArray(named) ? named.filter(isString) : []),
      ...Array.from(inText, ([, name = '']) => name),
    ];
  });
}

// Nearly all of the 225 providers that it knows name their variables after themselves.
function keysByName(provider: string): readonly string[] {
  const [, ...keys] = otherKeys.find(([name = '']) => new RegExp(name).test(provider)) ?? [];
  const [first = ''] = provider.split(/\W/);
  return keys.length === 0 ? [`${first.toUpperCase()}_*`] : keys.filter((key) => key !== 'none');
}

// GitHub Copilot uses opencode’s own login; GITHUB_TOKEN is for other things. OPENCODE_* is left out, as above.
const otherKeys = String.raw`
^google$ GOOGLE_API_KEY GOOGLE_GENERATIVE_AI_API_KEY GEMINI_API_KEY
^google-vertex GOOGLE_* VERTEX_*
^amazon-bedrock$ AWS_*
^github-copilot none
^opencode OPENCODE_API_KEY
^huggingface$ HF_TOKEN
^vercel$ AI_GATEWAY_API_KEY VERCEL_OIDC_TOKEN
^moonshotai MOONSHOT_API_KEY
^(?:zai|zhipuai) ZHIPU_API_KEY
^togetherai$ TOGETHER_API_KEY
^alibaba(?:-cn)?$ DASHSCOPE_API_KEY
^volcengine ARK_*
^sap-ai-core$ AICORE_*`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

/**
 * Judges the login by its file of logins, the keys of the model’s provider, and the user’s
 * settings. `unknown` for a provider that uses the login of a cloud’s own tools.
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

/** The provider of the model; without a model, all of the user’s providers. */
function providersFor(model: string | null, user: UserSide): readonly string[] {
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
  return Object.keys(fieldsIn(jsonIn(given || (user.read(file) ?? ''))));
}
