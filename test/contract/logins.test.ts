import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkLogin } from '../../src/agents/cli-readiness.ts';
import type { CliAgentSettings } from '../../src/agents/cli-agent.ts';
import { cliBench } from './cli-bench.ts';
import { digestsOf } from './digests.ts';
import { clis } from './install.ts';
import { type CliName, cliNames, realClis, testKey } from './real-clis.ts';

type Variables = Readonly<Record<string, string>>;

/** Asks a real CLI, as a user with these files in their home; nothing there may have changed. */
function loginsOf(name: CliName) {
  const { adapter, login: _chosen, ...cli } = realClis[name];
  const bench = cliBench({ ...cli, adapter, login: {} });
  return async (user: {
    readonly variables?: Variables;
    readonly files?: Variables;
    readonly settings?: CliAgentSettings;
  }) => {
    const room = bench.roomFor(adapter);
    for (const [path, text] of Object.entries(user.files ?? {})) room.write(`home/${path}`, text);
    const environment = {
      PATH: `${clis}:${process.env['PATH']}`,
      HOME: room.home,
      // One that the home does not lie in.
      TMPDIR: '/var/tmp',
      ...user.variables,
    };
    const all = () => digestsOf(room.home, () => false);
    const before = all();
    const setup = { adapter, settings: user.settings ?? {}, environment };
    const login = await checkLogin(setup, new AbortController().signal);
    expect(all()).toEqual(before);
    return login;
  };
}

describe.each(cliNames)('%s', (name) => {
  const ask = loginsOf(name);

  test('is logged out in a new home, and told how to log in', async () => {
    const { login } = realClis[name].adapter;
    expect(await ask({})).toMatchObject({ state: 'logged-out', remedy: `Log in: ${login}.` });
  });
});

describe('logged in', () => {
  const [askClaude, askCodex, askGemini] = [
    loginsOf('claude'),
    loginsOf('codex'),
    loginsOf('gemini'),
  ];
  const bench = cliBench(realClis.claude);
  const { adapter: claude } = realClis.claude;
  const yes = { state: 'stored' };

  test('is claude with a key, a cloud or a helper for keys, which is not run', async () => {
    expect(await askClaude({ variables: { ANTHROPIC_API_KEY: testKey } })).toEqual(yes);
    expect(await askClaude({ variables: { CLAUDE_CODE_USE_BEDROCK: '1' } })).toEqual(yes);
    const settings = JSON.stringify({ apiKeyHelper: 'touch "$HOME/ran"; echo key' });
    // As in a home that it has been used in: its own state file is there.
    const used = { '.claude.json': usedState };
    expect(await askClaude({ files: { ...used, '.claude/settings.json': settings } })).toEqual(yes);
  });

  test('is claude with the login of an account, which is not renewed for the question', async () => {
    const credentials = JSON.stringify({ claudeAiOauth: { ...account, expiresAt: 1000 } });
    const files = { '.claude.json': usedState, '.claude/.credentials.json': credentials };
    expect(await askClaude({ files })).toEqual(yes);
  });

  test('claude itself takes the signs of an account away when it logs out', () => {
    const room = bench.roomFor(claude);
    const expiresAt = Date.now() + 86_400_000;
    const credentials = JSON.stringify({ claudeAiOauth: { ...account, expiresAt }, mcpOAuth: {} });
    room.write('home/.claude/.credentials.json', credentials);
    room.write('home/.claude.json', JSON.stringify({ oauthAccount: { emailAddress: 'a@b.c' } }));
    const closed = { HTTPS_PROXY: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' };
    execFileSync(join(clis, claude.command), ['auth', 'logout'], {
      env: { PATH: process.env['PATH'], HOME: room.home, ...closed },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(existsSync(join(room.home, '.claude/.credentials.json'))).toBe(false);
    expect(readFileSync(join(room.home, '.claude.json'), 'utf8')).not.toContain('oauthAccount');
  });

  test('is claude with a key in its settings, and the network is not asked for it', async () => {
    let connections = 0;
    const proxy = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const url = `http://127.0.0.1:${port}`;
    const settings = JSON.stringify({ env: { ANTHROPIC_API_KEY: testKey } });
    const login = await askClaude({
      files: { '.claude.json': usedState, '.claude/settings.json': settings },
      variables: { HTTPS_PROXY: url, https_proxy: url },
    });
    proxy.close();
    expect({ login, connections }).toEqual({ login: yes, connections: 0 });
  });

  test('is codex with a login of its own or the key of the environment', async () => {
    const auth = JSON.stringify({ OPENAI_API_KEY: testKey });
    expect(await askCodex({ files: { '.codex/auth.json': auth } })).toEqual(yes);
    expect(await askCodex({ variables: { CODEX_API_KEY: testKey } })).toEqual(yes);
  });

  test('maybe is codex with a provider in arguments of the user’s own', async () => {
    const settings = realClis.codex.settings('http://127.0.0.1:1');
    expect(await askCodex({ settings })).toEqual({ state: 'unknown' });
  });

  test('is gemini with a key, or with the files of an account', async () => {
    expect(await askGemini({ variables: { GEMINI_API_KEY: testKey } })).toEqual(yes);
    const files = {
      '.gemini/settings.json': '{"security":{"auth":{"selectedType":"oauth-personal"}}}',
      '.gemini/oauth_creds.json': '{}',
    };
    expect(await askGemini({ files })).toEqual(yes);
  });
});

const account = {
  accessToken: 'sk-ant-oat01-x',
  refreshToken: 'sk-ant-ort01-x',
  scopes: ['user:inference', 'user:profile'],
};

// What its start notes for itself; without it, it would be noted now.
const usedState = JSON.stringify({
  firstStartTime: '2026-01-01T00:00:00.000Z',
  machineID: 'a'.repeat(64),
  opusProMigrationComplete: true,
  sonnet1m45MigrationComplete: true,
  seenNotifications: {},
  migrationVersion: 13,
  userID: 'b'.repeat(64),
});
