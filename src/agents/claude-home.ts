import { join } from 'node:path';
import { isObject, jsonIn } from '../model/json.ts';
import { storedLogin } from './adapter-parts.ts';
import type {
  AgentRequest,
  LoginQuestion,
  LoginReply,
  LoginState,
  RunFile,
  UserSide,
} from './agent.ts';

/** A home of its own, where one is wanted; of the user’s there are only the sessions in it. */
export function claudeHome(
  { isolation }: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  const sessions = join(usualPlaces(user).folder, 'projects');
  return isolation === 'home' ? { projects: { linkTo: sessions, kind: 'folder' } } : {};
}

/**
 * Claude Code tells it itself, without its helper for keys; but with the login of an account it
 * renews that in passing, and may end meanwhile, its lock left behind. So the signs of one, which
 * its logout takes away, count without a question, and the question is kept from the network. In a
 * home that it has been used in, it changes no file; where there are settings but no state file
 * yet, it makes one, as every use does.
 */
export function claudeLogin(user: UserSide): LoginState | LoginQuestion {
  if (user.isolation === 'home') return loginQuestion((empty) => ({ CLAUDE_CONFIG_DIR: empty }));
  const { folder, stateFile } = usualPlaces(user);
  const credentials = join(folder, '.credentials.json');
  if (user.has(credentials)) return storedLogin(credentials, user, accountFields);
  if (/"oauthAccount"\s*:\s*\{/.test(user.read(stateFile) ?? '')) return { state: 'stored' };
  const wasUsed = user.has(folder) || user.has(stateFile);
  return loginQuestion((empty) => (wasUsed ? {} : { CLAUDE_CONFIG_DIR: empty }));
}

function loginQuestion(env: LoginQuestion['env']): LoginQuestion {
  const argv = ['auth', 'status'];
  return { argv, env: (empty) => ({ ...noNetwork, ...env(empty) }), read: loginIn };
}

/** What the cloud needs that sells its models to the user: its keys open more than models. */
export function cloudVariables(user: UserSide): readonly string[] {
  const settings = user.read(join(usualPlaces(user).folder, 'settings.json')) ?? '';
  return clouds.flatMap(([choice, names]) =>
    user.environment[choice] || settings.includes(choice) ? names.split(' ') : [],
  );
}

const clouds = [
  ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_SKIP_BEDROCK_AUTH AWS_*'],
  [
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_SKIP_VERTEX_AUTH CLOUD_ML_REGION VERTEX_REGION_* GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT',
  ],
  ['CLAUDE_CODE_USE_FOUNDRY', 'CLAUDE_CODE_SKIP_FOUNDRY_AUTH AZURE_*'],
] as const;

function accountFields({ claudeAiOauth: account }: Readonly<Record<string, unknown>>) {
  if (!isObject(account)) return null;
  return { expiresAt: account['expiresAt'], refreshToken: account['refreshToken'] };
}

function usualPlaces({ home, environment }: UserSide) {
  const own = environment['CLAUDE_CONFIG_DIR'];
  return {
    folder: own || join(home, '.claude'),
    stateFile: join(own || home, '.claude.json'),
  };
}

const nowhere = 'http://127.0.0.1:1';
const noNetwork = {
  HTTPS_PROXY: nowhere,
  https_proxy: nowhere,
  HTTP_PROXY: nowhere,
  http_proxy: nowhere,
  NO_PROXY: '',
  no_proxy: '',
};

function loginIn({ stdout }: LoginReply): LoginState {
  const status = jsonIn(stdout);
  if (!isObject(status)) return { state: 'unknown' };
  if (status['loggedIn'] === true) return { state: 'stored' };
  return status['loggedIn'] === false && status['authMethod'] === 'none'
    ? { state: 'logged-out', why: 'it has neither a login nor a key' }
    : { state: 'unknown' };
}
