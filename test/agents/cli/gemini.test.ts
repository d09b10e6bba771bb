import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { AgentRequest, RunFile, UserSide } from '../../../src/agents/agent.ts';
import { gemini } from '../../../src/agents/cli/gemini.ts';
import { agentRoom, userWith } from '../agent-room.ts';

const room = agentRoom();
room.remove();
const request = (more: Partial<AgentRequest> = {}): AgentRequest => ({
  ...room.request({ mark: 'mark-1', filesFolder: '/run' }),
  ...more,
});

const user = (files = {}, environment = {}) => userWith(environment, files);

const filesFor = (side = user(), asked = request()): Readonly<Record<string, RunFile>> =>
  gemini.files?.(asked, side) ?? {};
function settingsFor(side: UserSide, asked = request()): unknown {
  const file = filesFor(side, asked)['.gemini/settings.json'];
  return typeof file === 'string' ? JSON.parse(file) : file;
}

describe('the home of a run', () => {
  test.each([
    ['settings', '.gemini/settings.json', '{"security":{"auth":{"selectedType":"vertex-ai"}}}'],
    [
      'settings with comments',
      '.gemini/settings.json',
      '{\n  // mine\n  "security": { "auth": { "selectedType" : "vertex-ai" }, },\n}',
    ],
    ['settings of an older form', '.gemini/settings.json', '{"selectedAuthType": "vertex-ai"}'],
    ['variables', '.gemini/.env', 'GOOGLE_CLOUD_PROJECT=p\nGOOGLE_GENAI_USE_VERTEXAI=true\n'],
    ['variables of the home', '.env', 'export GOOGLE_GENAI_USE_VERTEXAI="true"\n'],
  ])('logs in as the user’s %s say', (_what, path, content) => {
    expect(settingsFor(user({ [`/home/user/${path}`]: content }))).toMatchObject({
      security: { auth: { selectedType: 'vertex-ai' } },
    });
  });

  test('logs in as the settings say where the variables say otherwise', () => {
    const files = {
      '/home/user/.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
      '/home/user/.gemini/.env': 'GOOGLE_GENAI_USE_GCA=true',
    };
    expect(settingsFor(user(files))).toMatchObject({
      security: { auth: { selectedType: 'gemini-api-key' } },
    });
  });

  test('leaves the login to the variables where the user chose none', () => {
    expect(settingsFor(user())).toHaveProperty('security', { folderTrust: { enabled: false } });
    const off = { '/home/user/.gemini/.env': '# GOOGLE_GENAI_USE_GCA=true\nOTHER=true\n' };
    expect(settingsFor(user(off))).toHaveProperty('security', { folderTrust: { enabled: false } });
  });

  test('links the login and the sessions to the user’s, wherever they are', () => {
    const moved = user(
      { '/elsewhere/.env': 'GEMINI_API_KEY=k' },
      { GEMINI_CLI_HOME: '/elsewhere' },
    );
    for (const [side, home] of [
      [user(), '/home/user'],
      [moved, '/elsewhere'],
    ] as const) {
      expect(filesFor(side)).toMatchObject({
        '.gemini/tmp': { linkTo: `${home}/.gemini/tmp`, kind: 'folder' },
        '.gemini/oauth_creds.json': { linkTo: `${home}/.gemini/oauth_creds.json`, kind: 'file' },
      });
    }
    expect(filesFor(moved)['.env']).toEqual({ linkTo: '/elsewhere/.env', kind: 'file' });
    expect(filesFor()).not.toHaveProperty('.env');
  });

  test('prefers the variables that are meant for it', () => {
    const both = user({ '/home/user/.gemini/.env': 'A=1', '/home/user/.env': 'A=2' });
    expect(filesFor(both)['.env']).toEqual({ linkTo: '/home/user/.gemini/.env', kind: 'file' });
  });
});

describe('a call', () => {
  test('gives the prompt below a command that only this run has', () => {
    const [command, ...rest] = gemini.input?.(request({ prompt: '@a\n/b' })).split('\n') ?? [];
    expect(rest).toEqual(['@a', '/b']);
    expect(Object.keys(filesFor())).toContain(`.gemini/commands/${command?.slice(1)}.toml`);
    const other = gemini.input?.(request({ mark: 'mark-2' })).split('\n')[0];
    expect(other).not.toBe(command);
  });

  test('points it to its home, in a folder that is not trusted', () => {
    expect(gemini.env(request())).toMatchObject({
      GEMINI_CLI_HOME: '/run',
      GEMINI_CLI_TRUST_WORKSPACE: 'false',
      TMPDIR: '/run',
    });
  });
});

test('without isolation it has the settings of the user below ours, and their extensions', () => {
  const theirs = { mcpServers: { mine: {} }, model: { name: 'm' }, tools: { core: ['x'] } };
  const side = user({
    '/home/user/.gemini/settings.json': JSON.stringify(theirs),
    '/home/user/.gemini/extensions': '',
  });
  const open = request({ isolation: 'none', permission: 'edit' });
  const settings = settingsFor(side, open);
  expect(settings).toMatchObject({ ...theirs, model: { name: 'm', maxSessionTurns: 100 } });
  expect(settings).not.toHaveProperty('hooksConfig');
  const files = filesFor(side, open);
  expect(files['.gemini/extensions']).toMatchObject({ linkTo: '/home/user/.gemini/extensions' });
  const policy = files['policy.toml'];
  const [denied, ...others] = Object(parse(typeof policy === 'string' ? policy : '')).rule;
  const toolName = ['run_shell_command', 'web_fetch', 'google_web_search'];
  expect(denied).toMatchObject({ toolName, decision: 'deny' });
  expect(JSON.stringify(others)).not.toContain('deny');
  expect(gemini.env(open)).toHaveProperty('GEMINI_CLI_TRUST_WORKSPACE', 'true');
});
