import { describe, expect, test } from 'vitest';
import type { AgentAdapter, LoginReply, UserSide } from '../../src/agents/agent.ts';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { gemini } from '../../src/agents/gemini.ts';
import { userWith } from './agent-room.ts';

type Variables = Readonly<Record<string, string>>;

const reply = (part: Partial<LoginReply>): LoginReply => ({
  exitCode: 0,
  stdout: '',
  stderr: '',
  ...part,
});

/** What an adapter makes of the reply to its question. */
function heard(adapter: AgentAdapter, part: Partial<LoginReply>, side = userWith()): string {
  const asked = adapter.askLogin?.(side);
  return asked !== undefined && 'read' in asked ? asked.read(reply(part)).state : 'not asked';
}

/** The variables of an adapter’s question. */
function variables(adapter: AgentAdapter, side: UserSide): Variables {
  const asked = adapter.askLogin?.(side);
  return asked !== undefined && 'env' in asked ? asked.env('/empty') : {};
}

const known = (adapter: AgentAdapter, environment: Variables, files: Variables = {}) =>
  adapter.askLogin?.(userWith(environment, files));

const status = (loggedIn: boolean, authMethod: string) =>
  JSON.stringify({ loggedIn, authMethod, apiProvider: 'firstParty' }, null, 2);

describe('Claude Code', () => {
  test.each([
    ['stored', 0, status(true, 'claude.ai')],
    ['stored', 0, status(true, 'api_key_helper')],
    ['stored', 0, status(true, 'third_party')],
    ['logged-out', 1, status(false, 'none')],
    ['unknown', 1, status(false, 'something new')],
    ['unknown', 1, "error: unknown command 'status'"],
    ['unknown', 1, ''],
  ])('is %s when it ends with %d after %s', (state, exitCode, stdout) => {
    expect(heard(claude, { exitCode, stdout })).toBe(state);
  });

  test('is asked in its usual folder, but in none of its own before its first use', () => {
    expect(variables(claude, userWith())).toHaveProperty('CLAUDE_CONFIG_DIR', '/empty');
    for (const path of ['/home/user/.claude', '/home/user/.claude.json']) {
      expect(variables(claude, userWith({}, { [path]: '' }))).not.toHaveProperty(
        'CLAUDE_CONFIG_DIR',
      );
    }
    const elsewhere = userWith({ CLAUDE_CONFIG_DIR: '/conf' }, { '/conf': '' });
    expect(variables(claude, elsewhere)).not.toHaveProperty('CLAUDE_CONFIG_DIR');
  });

  test.each([
    ['.claude/.credentials.json', '{"claudeAiOauth":{"refreshToken":"r","expiresAt":1}}'],
    ['.claude/.credentials.json', '{"claudeAiOauth":{"expiresAt":4102444800000}}'],
    ['.claude.json', '{\n  "oauthAccount": {\n    "emailAddress": "a@b.c" } }'],
  ])('is logged in where an account left %s, and not asked', (path, text) => {
    expect(known(claude, {}, { [`/home/user/${path}`]: text })).toEqual({ state: 'stored' });
  });

  test.each([
    ['{"claudeAiOauth":{"expiresAt":1700000000000}}', 'its stored login expired on 2023-11-14'],
    ['{"claudeAiOa', 'the login stored in /home/user/.claude/.credentials.json cannot be read'],
  ])('is logged out where the login that it stores is %s', (text, why) => {
    const files = { '/home/user/.claude/.credentials.json': text };
    expect(known(claude, {}, files)).toEqual({ state: 'logged-out', why });
  });

  test('does not reach the network by any proxy of the user', () => {
    const { HTTPS_PROXY: proxy, NO_PROXY: direct } = variables(claude, userWith());
    expect([proxy, direct]).toEqual(['http://127.0.0.1:1', '']);
  });
});

describe('Codex', () => {
  const stderr =
    'WARNING: proceeding, even though we could not create PATH aliases\nNot logged in\n';

  test.each([
    ['stored', { exitCode: 0, stderr: 'Logged in using ChatGPT\n' }],
    ['stored', { exitCode: 0, stderr: 'API key configured - sk-test-***67890\n' }],
    ['logged-out', { exitCode: 1, stderr }],
    ['unknown', { exitCode: 1, stderr: 'Error checking login status: no secret service' }],
    ['unknown', { exitCode: 1, stderr: 'Error loading configuration: unclosed array' }],
    ['unknown', { exitCode: 2, stderr: "error: unrecognized subcommand 'status'" }],
    ['unknown', { exitCode: null, stderr: '' }],
  ])('is %s after %j', (state, said) => {
    expect(heard(codex, said)).toBe(state);
  });

  test('is logged in by the key that a run takes, which it would not count', () => {
    expect(known(codex, { CODEX_API_KEY: 'k' })).toEqual({ state: 'stored' });
  });

  test('is told that a run takes its key from another variable than the one that is set', () => {
    const asked = codex.askLogin?.(userWith({ OPENAI_API_KEY: 'k' }));
    expect(
      asked !== undefined && 'read' in asked && asked.read(reply({ exitCode: 1, stderr })),
    ).toEqual({
      state: 'logged-out',
      why: 'OPENAI_API_KEY is set, but codex takes its key from CODEX_API_KEY',
      remedy: 'Set it: export CODEX_API_KEY="$OPENAI_API_KEY". Or log in: codex login.',
    });
  });

  test('is not said to be logged out where the machine has settings for it', () => {
    const side = userWith({}, { '/etc/codex/config.toml': 'model_provider = "own"' });
    expect(heard(codex, { exitCode: 1, stderr }, side)).toBe('unknown');
  });

  test('takes its own home for a temporary folder, into which it puts nothing', () => {
    expect(variables(codex, userWith())).toEqual({ TMPDIR: '/home/user' });
    expect(variables(codex, userWith({ CODEX_HOME: '/codex' }))).toEqual({ TMPDIR: '/codex' });
  });
});

describe('Gemini CLI', () => {
  const settings = '/home/user/.gemini/settings.json';
  const chosen = (type: string) => ({
    [settings]: `{"security":{"auth":{"selectedType":"${type}"}}}`,
  });
  const account = {
    '/home/user/.gemini/oauth_creds.json': '{"refresh_token":"r","expiry_date":1}',
  };
  const own = { '/home/user/.gemini/.env': 'GEMINI_API_KEY=k' };

  test.each<[string, Variables, Variables]>([
    ['logged-out', {}, {}],
    ['stored', { GEMINI_API_KEY: 'k' }, {}],
    ['stored', { GEMINI_API_KEY: 'k' }, chosen('gemini-api-key')],
    // It may lie in the keychain.
    ['unknown', {}, chosen('gemini-api-key')],
    ['unknown', {}, own],
    // Without a kind of login, the files of one do not count.
    ['logged-out', {}, account],
    ['stored', {}, { ...chosen('oauth-personal'), ...account }],
    ['logged-out', { GEMINI_API_KEY: 'k' }, chosen('oauth-personal')],
    [
      'logged-out',
      {},
      { ...chosen('oauth-personal'), '/home/user/.gemini/oauth_creds.json': '{"expiry_date":1}' },
    ],
    ['unknown', {}, { ...chosen('oauth-personal'), ...own }],
    ['unknown', { GEMINI_FORCE_ENCRYPTED_FILE_STORAGE: 'true' }, chosen('oauth-personal')],
    ['stored', { GOOGLE_GENAI_USE_GCA: 'true' }, account],
    [
      'stored',
      { GOOGLE_APPLICATION_CREDENTIALS: '/adc' },
      { ...chosen('oauth-personal'), '/adc': '' },
    ],
    ['stored', { GOOGLE_API_KEY: 'k' }, chosen('vertex-ai')],
    ['unknown', { GOOGLE_CLOUD_PROJECT: 'p', GOOGLE_CLOUD_LOCATION: 'l' }, chosen('vertex-ai')],
    ['logged-out', { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p' }, {}],
    ['unknown', { CLOUD_SHELL: 'true' }, {}],
    ['unknown', { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:2' }, {}],
    ['unknown', {}, { '/etc/gemini-cli/settings.json': '{}' }],
    ['unknown', { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/of-the-firm' }, { '/of-the-firm': '{}' }],
  ])('is %s with the variables %j and the files %j', (state, environment, files) => {
    expect(known(gemini, environment, files)).toMatchObject({ state });
  });

  test('is known by the files of its own home', () => {
    const files = { '/own/.gemini/oauth_creds.json': '{}' };
    const environment = { GEMINI_CLI_HOME: '/own', GOOGLE_GENAI_USE_GCA: 'true' };
    expect(known(gemini, environment, files)).toEqual({ state: 'stored' });
  });
});

test('in a home of its own, none but that is looked into', () => {
  const files = {
    '/home/user/.claude/.credentials.json': '{}',
    '/home/user/.codex/auth.json': '{}',
  };
  const side: UserSide = { ...userWith({}, files), isolation: 'home' };
  expect(variables(claude, side)).toHaveProperty('CLAUDE_CONFIG_DIR', '/empty');
  expect(variables(codex, side)).toEqual({ CODEX_HOME: '/empty' });
});
