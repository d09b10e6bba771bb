import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/agent.ts';
import { claude } from '../../../src/agents/cli/claude.ts';
import { loginOf } from '../../../src/agents/cli/login.ts';
import type { CliAgentSettings } from '../../../src/agents/cli/cli-setup.ts';
import { codex } from '../../../src/agents/cli/codex.ts';
import { copilot } from '../../../src/agents/cli/copilot.ts';
import { gemini } from '../../../src/agents/cli/gemini.ts';
import { opencode } from '../../../src/agents/cli/opencode.ts';
import { programAdapter } from '../../../src/agents/cli/own-program.ts';
import { cliAgent } from '../../../src/agents/cli/cli-agent.ts';
import { agentRoom, runToEnd, userWith } from '../agent-room.ts';

const room = agentRoom();
afterAll(() => room.remove());

type Texts = Readonly<Record<string, string>>;

const home = (path: string, text = '{}') => ({ [`/home/user/${path}`]: text });
const geminiBy = (type: string) =>
  home('.gemini/settings.json', `{"security":{"auth":{"selectedType":"${type}"}}}`);

const googleLogin = { ...geminiBy('oauth-personal'), ...home('.gemini/oauth_creds.json') };

const typeWith = (variables: Texts) => {
  const files = gemini.files?.(room.request({}), userWith(variables, googleLogin));
  return JSON.stringify(files?.['.gemini/settings.json']);
};

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
    // Google serves these to companies alone, each in a project of its own.
    [gemini, 'logged-out', {}, googleLogin],
    [gemini, 'logged-out', { GEMINI_CLI_HOME: '/own' }, { '/own/.gemini/oauth_creds.json': '{}' }],
    [gemini, 'logged-out', { GOOGLE_API_KEY: 'of another kind of login' }, googleLogin],
    [gemini, 'stored', { GOOGLE_CLOUD_PROJECT: 'p' }, googleLogin],
    [gemini, 'stored', { GOOGLE_CLOUD_PROJECT_ID: 'p' }, googleLogin],
    [gemini, 'stored', {}, { ...googleLogin, ...home('.gemini/.env', 'GOOGLE_CLOUD_PROJECT="p"') }],
    [
      gemini,
      'logged-out',
      {},
      { ...googleLogin, ...home('.gemini/.env', 'GOOGLE_CLOUD_PROJECT=""') },
    ],
    [gemini, 'stored', { GEMINI_API_KEY: 'k' }, googleLogin],
    [gemini, 'stored', {}, { ...googleLogin, ...home('.gemini/.env', 'export GEMINI_API_KEY=k') }],
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

  test('a login that Google serves no longer is told with the day and what to do', () => {
    expect(gemini.loginState?.(userWith({}, googleLogin))).toEqual({
      state: 'logged-out',
      why: 'Google has served no personal login of Gemini CLI since 2026-06-18',
      remedy: expect.stringMatching(/^Set GEMINI_API_KEY, .* another agent/),
    });
  });

  test('a key takes its place in a run, and the login of a company stays', () => {
    expect(typeWith({ GEMINI_API_KEY: 'k' })).toContain('gemini-api-key');
    expect(typeWith({ GEMINI_API_KEY: 'k', GOOGLE_CLOUD_PROJECT: 'p' })).toContain(
      'oauth-personal',
    );
  });

  test('a run that fails for want of a login says so, whatever its words are', async () => {
    const words = 'console.error("Please log in first."); process.exit(41)';
    const ownHome = join(room.folder, 'home');
    mkdirSync(join(ownHome, '.gemini'), { recursive: true });
    writeFileSync(join(ownHome, '.gemini/oauth_creds.json'), '{}');
    const setup = {
      adapter: gemini,
      settings: { path: process.execPath, args: ['-e', words, '--'] },
      environment: { PATH: process.env['PATH'], HOME: ownHome },
    };
    const { end } = await runToEnd(cliAgent(setup), room.request());
    expect(end).toMatchObject({
      failure: { detail: expect.stringMatching(/first\. \(Google has served no personal login/) },
    });
  });

  test.each([
    'Failed to sign in. Message: This client is no longer supported for Gemini Code Assist for individuals. To continue using Gemini, please migrate to the Antigravity suite of products: https://antigravity.google',
    'Error authenticating: IneligibleTierError: Your account is not eligible.',
  ])('a refusal of it is recognised: %s', async (words) => {
    const setup = {
      adapter: gemini,
      settings: {
        path: process.execPath,
        args: ['-e', `console.error(${JSON.stringify(words)}); process.exit(41)`, '--'],
      },
      environment: { PATH: process.env['PATH'], HOME: room.folder, GOOGLE_CLOUD_PROJECT: 'one' },
    };
    mkdirSync(join(room.folder, '.gemini'), { recursive: true });
    writeFileSync(join(room.folder, '.gemini/oauth_creds.json'), '{}');
    expect(loginOf(setup)).toEqual({ state: 'stored' });
    const { end } = await runToEnd(cliAgent(setup), room.request());
    expect(end).toMatchObject({
      failure: {
        category: 'not-logged-in',
        detail: expect.stringMatching(
          / \(Google has served no personal login of .* 2026-06-18\. Set GEMINI_API_KEY, .*\)$/,
        ),
      },
    });
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
