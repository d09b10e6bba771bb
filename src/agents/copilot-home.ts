import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { isObject } from '../model/json.ts';
import { type Fields, textOr } from './adapter-parts.ts';
import type { AgentRequest, LoginState, OwnChoice, RunFile, UserSide } from './agent.ts';

/** In the folder that `copilotHome` describes: what its searches leave out. */
export const searchFile = 'ripgreprc';

/**
 * A home for one run, so that the user’s servers, hooks, plug-ins and trusted folders stay out: a
 * project that is not trusted brings neither hooks nor servers. The login is copied, as the CLI does
 * itself when it writes this file; the sessions are a link to the user’s.
 */
export function copilotHome(
  { cwd, hidden, isolation }: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  const login = Object.entries(configOf(user)).filter(([name]) => loginField.test(name));
  const own = Object.entries(settingsOf(user)).filter(([name]) => keptSettings.includes(name));
  // Its searches ask for no permission.
  const unsearched = foldersInside(cwd, hidden).map(
    (path) => `--glob=!${path.slice(cwd.length)}/**`,
  );
  const searches = { [searchFile]: `${unsearched.join('\n')}\n` };
  if (isolation === 'none') return searches;
  return {
    ...searches,
    'config.json': JSON.stringify(Object.fromEntries(login)),
    'settings.json': JSON.stringify({ ...Object.fromEntries(own), disableAllHooks: true }),
    'session-state': { linkTo: join(homeOf(user), 'session-state'), kind: 'folder' },
  };
}

/** Those of the folders that lie in `cwd`. */
export function foldersInside(cwd: string, folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => folder.startsWith(`${cwd}/`));
}

const loginField = /logged_?in|tokens/i;
const keptSettings = ['autoTier', 'contextTier', 'proxyUrl', 'proxyKerberosServicePrincipal'];

function homeOf({ environment, home }: UserSide): string {
  return environment['COPILOT_HOME'] || join(home, '.copilot');
}

function configOf(user: UserSide): Fields {
  return fieldsIn(user.read(join(homeOf(user), 'config.json')));
}

function settingsOf(user: UserSide): Fields {
  return fieldsIn(user.read(join(homeOf(user), 'settings.json')));
}

// Both may hold comments.
function fieldsIn(text: string | null): Fields {
  const fields: unknown = parse(text ?? '');
  return isObject(fields) ? fields : {};
}

/** The model and the effort that the user chose. */
export function ownSettings(user: UserSide): OwnChoice {
  const { model, effortLevel } = settingsOf(user);
  return {
    model: user.environment['COPILOT_MODEL'] || textOr(model, null),
    effort: textOr(effortLevel, null),
  };
}

/**
 * It has no command that would tell it. A provider of the user’s own needs no login; a token in the
 * environment comes before a login. Where there is neither, it asks the GitHub CLI for its token.
 */
export function copilotLogin(user: UserSide): LoginState {
  const { environment, home } = user;
  if (environment['COPILOT_PROVIDER_BASE_URL']) return { state: 'stored' };
  const named = ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'];
  const variable = named.find((name) => environment[name]);
  if (variable !== undefined) {
    const isClassic = environment[variable]?.startsWith('ghp_') === true;
    return isClassic ? { state: 'logged-out', ...classicToken(variable) } : { state: 'stored' };
  }
  const users = Object.entries(configOf(user)).find(([name]) => /^logged_?in/i.test(name))?.[1];
  if (Array.isArray(users) && users.length > 0) return { state: 'stored' };
  const ofGitHubCli =
    environment['GH_CONFIG_DIR'] || join(environment['XDG_CONFIG_HOME'] || `${home}/.config`, 'gh');
  return user.has(join(ofGitHubCli, 'hosts.yml'))
    ? { state: 'unknown' }
    : { state: 'logged-out', why: 'it has neither a login nor a token' };
}

function classicToken(variable: string): { why: string; remedy: string } {
  return {
    why: `${variable} holds a classic token, which it does not take`,
    remedy: `Put a fine-grained token into ${variable}, or unset it and log in: copilot login.`,
  };
}
