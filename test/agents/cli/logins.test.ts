import { describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/agent.ts';
import { claude } from '../../../src/agents/cli/claude.ts';
import { loginOf } from '../../../src/agents/cli/login.ts';
import type { CliAgentSettings } from '../../../src/agents/cli/cli-setup.ts';
import { codex } from '../../../src/agents/cli/codex.ts';
import { copilot } from '../../../src/agents/cli/copilot.ts';
import { gemini } from '../../../src/agents/cli/gemini.ts';
import { opencode } from '../../../src/agents/cli/opencode.ts';
import { programAdapter } from '../../../src/agents/cli/program.ts';
import { userWith } from '../agent-room.ts';

type Texts = Readonly<Record<string, string>>;

const home = (path: string, text = '{}') => ({ [`/home/user/${path}`]: text });
const geminiBy = (type: string) =>
  home('.gemini/settings.json', `{"security":{"auth":{"selectedType":"${type}"}}}`);

describe('the login by the variables and files that are there', () => {
  test.each<[AgentAdapter, 'stored' | 'unknown' | 'logged-out', Texts, Texts]>([
    [claude, 'logged-out', {}, {}],
    [claude, 'logged-out', {}, home('.claude/settings.json', '{"model":"opus"}')],
    [claude, 'stored', { ANTHROPIC_API_KEY: 'k' }, {}],
    [claude, 'stored', { CLAUDE_CODE_USE_BEDROCK: '1' }, {}],
    [claude, 'stored', {}, home('.claude/.credentials.json')],
    [claude, 'stored', {}, home('.claude.json', '{ "oauthAccount": { "emailAddress": "a" } }')],
    [claude, 'stored', { CLAUDE_CONFIG_DIR: '/own' }, { '/own/.credentials.json': '{}' }],
    [claude, 'unknown', {}, home('.claude/settings.json', '{"apiKeyHelper":"x"}')],
    [claude, 'unknown', {}, home('.claude/settings.json', '{"env":{"ANTHROPIC_API_KEY":"k"}}')],
    [claude, 'unknown', {}, { '/etc/claude-code': '' }],
    [codex, 'logged-out', {}, {}],
    [codex, 'logged-out', { OPENAI_API_KEY: 'k' }, {}],
    [codex, 'stored', { CODEX_API_KEY: 'k' }, {}],
    [codex, 'stored', {}, home('.codex/auth.json')],
    [codex, 'stored', { CODEX_HOME: '/own' }, { '/own/auth.json': '{}' }],
    [codex, 'unknown', {}, home('.codex/config.toml', 'cli_auth_credentials_store = "keyring"')],
    [codex, 'unknown', {}, { '/etc/codex/config.toml': 'model_provider = "own"' }],
    [gemini, 'logged-out', {}, {}],
    [gemini, 'stored', { GEMINI_API_KEY: 'k' }, {}],
    [gemini, 'stored', {}, { ...geminiBy('oauth-personal'), ...home('.gemini/oauth_creds.json') }],
    [gemini, 'stored', { GEMINI_CLI_HOME: '/own' }, { '/own/.gemini/oauth_creds.json': '{}' }],
    // A key may be in the keychain.
    [gemini, 'unknown', {}, geminiBy('gemini-api-key')],
    [gemini, 'unknown', {}, home('.gemini/.env', 'GEMINI_API_KEY=k')],
    [gemini, 'unknown', { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, {}],
    [gemini, 'unknown', {}, { '/etc/gemini-cli/settings.json': '{}' }],
    [copilot, 'logged-out', {}, {}],
    [copilot, 'logged-out', {}, home('.copilot/config.json', '{"loggedInUsers":[]}')],
    [copilot, 'stored', { COPILOT_PROVIDER_BASE_URL: 'http://own' }, {}],
    [copilot, 'stored', { GITHUB_TOKEN: 'gho_x' }, {}],
    [copilot, 'stored', {}, home('.copilot/config.json', '{"loggedInUsers":[{"login":"me"}]}')],
    [copilot, 'unknown', {}, home('.config/gh/hosts.yml')],
    [opencode, 'logged-out', {}, {}],
    [opencode, 'stored', {}, home('.local/share/opencode/auth.json', '{"openai":{}}')],
    [opencode, 'unknown', {}, home('.config/opencode/opencode.json', '{"provider":{"mine":{}}}')],
  ])('$name is %s with %j and %j', (adapter, state, variables, files) => {
    expect(adapter.loginState?.(userWith(variables, files))).toMatchObject({ state });
  });

  test.each<[string, string, Texts, Texts]>([
    ['stored', 'openai/gpt-5', {}, home('.local/share/opencode/auth.json', '{"openai":{}}')],
    ['stored', 'openai/x', { OPENCODE_AUTH_CONTENT: '{"openai":{}}' }, {}],
    ['stored', 'anthropic/x', { ANTHROPIC_API_KEY: 'k' }, {}],
    ['logged-out', 'anthropic/x', {}, home('.local/share/opencode/auth.json', '{"openai":{}}')],
    // What it is given for nothing, and what a cloud’s own tools log in to.
    ['unknown', 'opencode/big-pickle', {}, {}],
    ['unknown', 'amazon-bedrock/x', {}, {}],
  ])('opencode is %s for %s with %j and %j', (state, model, variables, files) => {
    const user = { ...userWith(variables, files), model };
    expect(opencode.loginState?.(user)).toMatchObject({ state });
  });

  test('in a home of its own codex takes the login of the user along, and claude cannot', () => {
    const files = { ...home('.claude/.credentials.json'), ...home('.codex/auth.json') };
    const user = { ...userWith({}, files), isolation: 'home' as const };
    expect(claude.loginState?.(user)).toMatchObject({ state: 'logged-out' });
    expect(codex.loginState?.(user)).toEqual({ state: 'stored' });
  });

  test('codex is told that it takes its key from another variable than the one that is set', () => {
    expect(codex.loginState?.(userWith({ OPENAI_API_KEY: 'k' }))).toMatchObject({
      remedy: expect.stringContaining('CODEX_API_KEY'),
    });
  });
});

const loggedOut: AgentAdapter = {
  ...programAdapter('fake', null),
  login: 'fake login',
  isolations: ['flags', 'home'],
  homeHidesLogin: true,
  loginState: ({ environment }) =>
    environment['FAKE_KEY'] ? { state: 'stored' } : { state: 'logged-out', why: 'it has no key' },
};

function known(settings: CliAgentSettings, adapter = loggedOut) {
  const path = process.execPath;
  return loginOf({ adapter, settings: { path, ...settings }, environment: {} });
}

describe('what a person is told', () => {
  test('is why, and what to type', () => {
    const remedy = 'Log in: fake login.';
    expect(known({})).toEqual({ state: 'logged-out', why: 'it has no key', remedy });
    expect(known({ isolation: 'home' })).toMatchObject({
      remedy: expect.stringContaining('a key'),
    });
    expect(known({ env: { FAKE_KEY: 'k' } })).toEqual({ state: 'stored' });
  });

  test.each<[string, CliAgentSettings, AgentAdapter]>([
    ['behind arguments of the user’s own', { args: ['x'] }, loggedOut],
    ['of a program that is not there', { path: '/nowhere/program' }, loggedOut],
    ['where an adapter does not say', {}, programAdapter('fake', null)],
  ])('is nothing certain %s', (_where, settings, adapter) => {
    expect(known(settings, adapter)).toEqual({ state: 'unknown' });
  });
});
