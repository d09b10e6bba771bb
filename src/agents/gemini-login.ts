import { join } from 'node:path';
import type { LoginState, UserSide } from './agent.ts';
import { usualHome } from './gemini-home.ts';
import { storedLogin } from './stored-login.ts';

/**
 * Gemini CLI has no command that would tell it. What is there tells it: variables, the kind of
 * login in the user’s settings, and the files that are there. A key in a
 * keychain or in the user’s `.env`, and settings of the machine, leave it unknown.
 */
export function geminiLogin(user: UserSide): LoginState {
  const { home, variables, authType } = usualHome(user);
  const state = stateFor(authType ?? authTypeFrom(user.environment), { user, home });
  const mayBeElsewhere = variables !== null || machineSettings(user).some((path) => user.has(path));
  return state.state === 'logged-out' && mayBeElsewhere ? unknown : state;
}

const stored: LoginState = { state: 'stored' };
const unknown: LoginState = { state: 'unknown' };

// In the order in which it looks for them itself.
function authTypeFrom(environment: UserSide['environment']): string | null {
  if (environment['GOOGLE_GENAI_USE_GCA'] === 'true') return 'oauth-personal';
  if (environment['GOOGLE_GENAI_USE_VERTEXAI'] === 'true') return 'vertex-ai';
  if (environment['GOOGLE_GEMINI_BASE_URL']) return 'gateway';
  if (environment['GEMINI_API_KEY']) return 'gemini-api-key';
  const { CLOUD_SHELL: inShell, GEMINI_CLI_USE_COMPUTE_ADC: ofMachine } = environment;
  return inShell === 'true' || ofMachine === 'true' ? 'compute-default-credentials' : null;
}

function stateFor(
  authType: string | null,
  { user, home }: { readonly user: UserSide; readonly home: string },
): LoginState {
  const { environment } = user;
  switch (authType) {
    case null:
      return { state: 'logged-out', why: 'no kind of login is chosen, and no key is set' };
    case 'gemini-api-key':
      return environment['GEMINI_API_KEY'] ? stored : unknown;
    case 'oauth-personal':
      return googleAccount(user, home);
    case 'vertex-ai':
      return vertex(environment);
    default:
      return unknown;
  }
}

function googleAccount(user: UserSide, home: string): LoginState {
  const { environment } = user;
  const { GOOGLE_APPLICATION_CREDENTIALS: given, GOOGLE_CLOUD_ACCESS_TOKEN: token } = environment;
  // Encrypted, it may lie in a keychain.
  const isEncrypted = environment['GEMINI_FORCE_ENCRYPTED_FILE_STORAGE'] === 'true';
  if (isEncrypted || token) return unknown;
  const account = join(home, 'oauth_creds.json');
  if (user.has(account)) {
    return storedLogin(
      account,
      user,
      ({ expiry_date: expiresAt, refresh_token: refreshToken }) => ({
        expiresAt,
        refreshToken,
      }),
    );
  }
  if (given && user.has(given)) return stored;
  return { state: 'logged-out', why: 'the login with a Google account was not finished' };
}

// The credentials of a project may come from the machine itself.
function vertex(environment: UserSide['environment']): LoginState {
  if (environment['GOOGLE_API_KEY']) return stored;
  return environment['GOOGLE_CLOUD_PROJECT'] && environment['GOOGLE_CLOUD_LOCATION']
    ? unknown
    : { state: 'logged-out', why: 'Vertex AI has neither a key nor a project and its location' };
}

function machineSettings({ environment }: UserSide): readonly string[] {
  return [
    environment['GEMINI_CLI_SYSTEM_SETTINGS_PATH'],
    environment['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'],
    ...['/etc/gemini-cli', '/Library/Application Support/GeminiCli'].flatMap((folder) => [
      join(folder, 'settings.json'),
      join(folder, 'system-defaults.json'),
    ]),
  ].flatMap((path) => path || []);
}
