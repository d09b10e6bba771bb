import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loginOf } from '../../src/agents/cli/login.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench } from './cli-bench.ts';
import { clis } from './install.ts';
import { cliNames, realClis } from './real-clis.ts';

/** What leaves each of them without a login; a proxy, so that nobody is asked. */
const withoutLogin = {
  ANTHROPIC_API_KEY: undefined,
  GEMINI_API_KEY: undefined,
  GOOGLE_GEMINI_BASE_URL: undefined,
  COPILOT_PROVIDER_BASE_URL: undefined,
  COPILOT_OFFLINE: undefined,
  HTTPS_PROXY: 'http://127.0.0.1:9',
};

describe.each(cliNames)('%s', (name) => {
  const { login: _chosen, ...cli } = realClis[name];
  const bench = cliBench({ ...cli, login: {} });

  test('is logged out in a new home, and a run finds the same', async () => {
    const room = bench.roomFor(cli.adapter, withoutLogin);
    const environment = { PATH: `${clis}:${process.env['PATH']}`, HOME: room.home };
    const remedy = `Log in: ${cli.adapter.login}.`;
    expect(loginOf({ adapter: cli.adapter, settings: {}, environment })).toMatchObject({
      state: 'logged-out',
      remedy,
    });
    const args = name === 'codex' ? ['-c', `openai_base_url="${bench.server.url}/v1"`] : [];
    const { end } = await runToEnd(room.agent({ args }), room.request('Hello?'));
    bench.keep('not-logged-in', room);
    expect(answerOf(end)).toMatchObject({
      category: 'not-logged-in',
      detail: expect.stringContaining(`(to log in: ${cli.adapter.login})`),
    });
  });
});

describe('claude', () => {
  const { adapter } = realClis.claude;
  const bench = cliBench(realClis.claude);

  test('takes the signs of an account away when it logs out', () => {
    const room = bench.roomFor(adapter);
    const account = {
      accessToken: 'sk-ant-oat01-x',
      refreshToken: 'sk-ant-ort01-x',
      scopes: ['user:inference', 'user:profile'],
      expiresAt: Date.now() + 86_400_000,
    };
    const credentials = JSON.stringify({ claudeAiOauth: account, mcpOAuth: {} });
    room.write('home/.claude/.credentials.json', credentials);
    room.write('home/.claude.json', JSON.stringify({ oauthAccount: { emailAddress: 'a@b.c' } }));
    const closed = { HTTPS_PROXY: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' };
    execFileSync(join(clis, adapter.command), ['auth', 'logout'], {
      env: { PATH: process.env['PATH'], HOME: room.home, ...closed },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(existsSync(join(room.home, '.claude/.credentials.json'))).toBe(false);
    expect(readFileSync(join(room.home, '.claude.json'), 'utf8')).not.toContain('oauthAccount');
  });
});
