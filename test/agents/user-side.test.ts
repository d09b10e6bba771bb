import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userSide } from '../../src/agents/check-login.ts';
import { programAdapter } from '../../src/agents/program.ts';

const side = (environment: NodeJS.ProcessEnv, env: Readonly<Record<string, string>> = {}) =>
  userSide({
    adapter: { ...programAdapter('fake', null), variables: ['FAKE_*'] },
    settings: { env },
    environment,
  });

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
  const folder = mkdtempSync(join(tmpdir(), 'conclave-user-'));
  writeFileSync(join(folder, 'settings'), 'mine');
  const user = side({});
  const found = ['settings', 'missing', '', 'settings/below'].map((name) =>
    user.read(join(folder, name)),
  );
  const seen = ['settings', 'missing', '', 'settings/below'].map((name) =>
    user.has(join(folder, name)),
  );
  rmSync(folder, { recursive: true });
  expect(found).toEqual(['mine', null, null, null]);
  expect(seen).toEqual([true, false, true, false]);
});
