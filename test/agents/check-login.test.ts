import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentAdapter } from '../../src/agents/agent.ts';
import { checkLogin } from '../../src/agents/cli-readiness.ts';
import { userSide, type CliAgentSettings } from '../../src/agents/cli-setup.ts';
import { programAdapter } from '../../src/agents/program.ts';
import { agentRoom, fake } from './agent-room.ts';

const room = agentRoom();
afterAll(() => {
  room.remove();
});
const path = fake('login-status');

/** Logged in after `yes`, logged out after `no`. */
const asking: AgentAdapter = {
  ...programAdapter('fake', null),
  login: 'fake login',
  askLogin: () => ({
    argv: ['auth', 'status'],
    env: (folder) => ({ ASKED_IN: folder }),
    read: ({ stdout, stderr, exitCode }) => {
      if (stdout === 'yes' && exitCode === 0) return { state: 'stored' };
      return stderr === 'no\n' && exitCode === 1
        ? { state: 'logged-out', why: 'it has no key' }
        : { state: 'unknown' };
    },
  }),
};

const no = { STATUS: 'no', STATUS_ON: 'stderr', STATUS_EXIT: '1' };

function check(
  settings: CliAgentSettings,
  { adapter = asking, signal = new AbortController().signal } = {},
) {
  const environment = { PATH: process.env['PATH'], OTHER_KEY: 'secret' };
  return checkLogin({ adapter, settings: { path, ...settings }, environment }, signal);
}

test('a CLI that says so is logged in', async () => {
  expect(await check({ env: { STATUS: 'yes' } })).toEqual({ state: 'stored' });
});

test('of one that is not, it is told why and what to type', async () => {
  expect(await check({ env: no })).toEqual({
    state: 'logged-out',
    why: 'it has no key',
    remedy: 'Log in: fake login.',
  });
});

test('it is asked in an empty folder, with no more of the environment than a run has', async () => {
  const file = join(room.folder, 'seen');
  await check({ env: { STATUS: 'yes', SEEN: file } });
  const Seen = z.object({
    args: z.array(z.string()),
    cwd: z.string(),
    files: z.array(z.string()),
    env: z.record(z.string(), z.string()),
  });
  const { args, cwd, files, env } = Seen.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect({ args, files }).toEqual({ args: ['auth', 'status'], files: [] });
  expect(env['ASKED_IN']).toBe(cwd);
  expect(env).not.toHaveProperty('OTHER_KEY');
  expect(existsSync(cwd)).toBe(false);
});

test('behind arguments of the user’s own, nobody is said to be logged out', async () => {
  const settings = { path: process.execPath, args: [path] };
  expect(await check({ ...settings, env: no })).toEqual({ state: 'unknown' });
  expect(await check({ ...settings, env: { STATUS: 'yes' } })).toEqual({ state: 'stored' });
});

test.each([
  ['that is not there', { path: '/nowhere/program' }],
  ['that cannot be started', { path: import.meta.filename }],
  ['that says something else', { env: { STATUS: 'perhaps' } }],
])('of a program %s it is unknown', async (_which, settings) => {
  expect(await check(settings)).toEqual({ state: 'unknown' });
});

test('of a program whose adapter does not say how, it is unknown', async () => {
  const adapter = programAdapter('fake', null);
  expect(await check({ env: no }, { adapter })).toEqual({ state: 'unknown' });
});

test('what is known without a question is told without one', async () => {
  const file = join(room.folder, 'not-asked');
  const adapter: AgentAdapter = {
    ...asking,
    askLogin: ({ environment }) => ({ state: environment['KEY'] ? 'stored' : 'unknown' }),
  };
  const env = { KEY: 'k', SEEN: file };
  expect(await check({ env }, { adapter })).toEqual({ state: 'stored' });
  expect(existsSync(file)).toBe(false);
});

test('a question that is given up is unknown', async () => {
  expect(await check({ env: no }, { signal: AbortSignal.abort() })).toEqual({ state: 'unknown' });
});

const side = (environment: NodeJS.ProcessEnv, env: Readonly<Record<string, string>> = {}) =>
  userSide({
    adapter: { ...programAdapter('fake', null), variables: ['FAKE_*'] },
    settings: { env },
    environment,
  });

describe('what an adapter sees of the user', () => {
  test('it is the environment that the program gets from the user', () => {
    const { home, environment } = side(
      { HOME: '/home/user', FAKE_HOME: '/fake', OTHER_KEY: 'secret' },
      { FAKE_MODE: 'quiet' },
    );
    expect(home).toBe('/home/user');
    expect(environment).toEqual({ HOME: '/home/user', FAKE_HOME: '/fake', FAKE_MODE: 'quiet' });
  });

  test('without HOME, home is what the system says', () => {
    expect(side({}).home).toBe(homedir());
  });

  test('a file is read, and none where there is none to be read', () => {
    writeFileSync(join(room.folder, 'settings'), 'mine');
    const user = side({});
    const paths = ['settings', 'missing', '', 'settings/below'].map((name) =>
      join(room.folder, name),
    );
    expect(paths.map((one) => user.read(one))).toEqual(['mine', null, null, null]);
    expect(paths.map((one) => user.has(one))).toEqual([true, false, true, false]);
  });
});

test('a login that its home of its own hides is no remedy', async () => {
  const adapter: AgentAdapter = { ...asking, isolations: ['flags', 'home'] };
  const remedyFor = async (isolation: 'flags' | 'home') =>
    await check({ env: no, isolation }, { adapter });
  expect(await remedyFor('flags')).toHaveProperty('remedy', 'Log in: fake login.');
  expect(await remedyFor('home')).toHaveProperty('remedy', expect.stringContaining('a key'));
});
