// Says whether Claude Code is logged in, and which cloud's keys it gets.
import { join } from 'node:path';
import type { AgentRequest, RunFile } from '../agent.ts';
import type { LoginState, UserSide } from '../user-side.ts';
import { sessionsIn } from './adapter-parts.ts';

/** A separate home, if wanted; only the sessions outlive it. */
export function claudeHome(
  request: AgentRequest,
  user: UserSide,
): Readonly<Record<string, RunFile>> {
  const sessions = sessionsIn(request, join(usualPlaces(user).folder, 'projects'));
  return request.isolation === 'home' ? { projects: { linkTo: sessions, kind: 'folder' } } : {};
}

/**
 * Judges the login by files: `claude auth status` renews an account’s login as a side effect, and
 * ending it meanwhile would leave its lock behind.
 */
export function claudeLogin(user: UserSide): LoginState {
  const { environment } = user;
  if (keys.some((name) => environment[name])) return { state: 'stored' };
  const { folder, stateFile } = usualPlaces(user);
  const has = (file: string) => user.isolation !== 'home' && user.has(join(folder, file));
  const state = user.isolation === 'home' ? null : user.read(stateFile);
  if (has('.credentials.json') || /"oauthAccount"\s*:\s*\{|"primaryApiKey"/.test(state ?? '')) {
    return { state: 'stored' };
  }
  const settings = has('settings.json') ? user.read(join(folder, 'settings.json')) : null;
  const mayBeInSettings = /"(?:apiKeyHelper|env)"/.test(settings ?? '');
  // On macOS a key is in the keychain; earlier versions kept their state in `.config.json`.
  const mayBeElsewhere = process.platform === 'darwin' || has('.config.json');
  return mayBeInSettings || mayBeElsewhere || machineSettings.some((path) => user.has(path))
    ? { state: 'unknown' }
    : { state: 'logged-out', why: 'it has neither a login nor a key' };
}

const keys = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

const machineSettings = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

/** Passes a cloud’s keys on only if that cloud sells its models to the user: they open more than models. */
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

function usualPlaces({ home, environment }: UserSide) {
  const own = environment['CLAUDE_CONFIG_DIR'];
  return {
    folder: own || join(home, '.claude'),
    stateFile: join(own || home, '.claude.json'),
  };
}
