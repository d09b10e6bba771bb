import { join } from 'node:path';
import { type Fields, hiddenInside, settingsIn, textOr } from './adapter-parts.ts';
import type { AgentRequest, LoginState, OwnChoice, RunFile, UserSide } from './agent.ts';

/** The file of `copilotHome` that says what its searches leave out. */
export const searchFile = 'ripgreprc';

/**
 * A home for one run, which keeps out the user’s servers, hooks, plug-ins and trusted folders; in a
 * folder that is not trusted, the project’s hooks and servers stay out, too. The login is copied, as
 * the CLI itself does when it writes this file; the sessions are a link to the user’s.
 */
export function copilotHome(
  request: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  const login = Object.entries(configOf(user)).filter(([name]) => loginField.test(name));
  const own = Object.entries(settingsOf(user)).filter(([name]) => keptSettings.includes(name));
  // Its searches ignore permissions.
  const unsearched = hiddenInside(request).map((path) => `--glob=!/${path}/**`);
  const searches = { [searchFile]: `${unsearched.join('\n')}\n` };
  if (request.isolation === 'none') return searches;
  return {
    ...searches,
    'config.json': JSON.stringify(Object.fromEntries(login)),
    'settings.json': JSON.stringify({ ...Object.fromEntries(own), disableAllHooks: true }),
    'session-state': { linkTo: join(homeOf(user), 'session-state'), kind: 'folder' },
  };
}

const loginField = /logged_?in|tokens/i;
const keptSettings = ['autoTier', 'contextTier', 'proxyUrl', 'proxyKerberosServicePrincipal'];

function homeOf({ environment, home }: UserSide): string {
  return environment['COPILOT_HOME'] || join(home, '.copilot');
}

function configOf(user: UserSide): Fields {
  return settingsIn(join(homeOf(user), 'config.json'), user);
}

function settingsOf(user: UserSide): Fields {
  return settingsIn(join(homeOf(user), 'settings.json'), user);
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
 * A provider of the user’s own needs no login. Without a login and a token it asks the GitHub CLI for
 * one.
 */
export function copilotLogin(user: UserSide): LoginState {
  const { environment, home } = user;
  if (environment['COPILOT_PROVIDER_BASE_URL']) return { state: 'stored' };
  const named = ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'];
  const token = named.map((name) => environment[name]).find(Boolean);
  if (token?.startsWith('ghp_') === true) {
    return { state: 'logged-out', why: 'it does not take a classic token (ghp_…)' };
  }
  if (token !== undefined) return { state: 'stored' };
  const users = Object.entries(configOf(user)).find(([name]) => /^logged_?in/i.test(name))?.[1];
  if (Array.isArray(users) && users.length > 0) return { state: 'stored' };
  const ofGitHubCli =
    environment['GH_CONFIG_DIR'] || join(environment['XDG_CONFIG_HOME'] || `${home}/.config`, 'gh');
  return user.has(join(ofGitHubCli, 'hosts.yml'))
    ? { state: 'unknown' }
    : { state: 'logged-out', why: 'it has neither a login nor a token' };
}
