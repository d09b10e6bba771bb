import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSettings } from '../../../src/app/settings/load-settings.ts';
import { Stopped } from '../../../src/model/failure.ts';
import { rememberChoices, setInUserFile } from '../../../src/app/settings/edit-config.ts';

let [home, root] = ['', ''];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-remembered-')));
  root = join(home, 'todo');
  mkdirSync(root);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const file = () => join(home, 'config/conclave/config.toml');
const environment = () => ({ HOME: home, XDG_CONFIG_HOME: join(home, 'config') });
const remember = (choices: Parameters<typeof rememberChoices>[1]) =>
  rememberChoices(root, choices, environment());
const settings = async () => {
  const { execution } = await loadSettings({ root, environment: environment() });
  return { setup: execution.setup, commitStyle: execution.commitStyle };
};

test('what is chosen for a repository stands in one table of it, at once or one after the other', async () => {
  expect(await remember({ setup: ['npm', 'ci'] })).toBeNull();
  expect(await remember({ commit_style: 'conventional' })).toBeNull();
  expect(readFileSync(file(), 'utf8')).toContain(
    `[projects."${root}"]\ncommit_style = "conventional"\nsetup = ["npm","ci"]\n`,
  );
  expect(await settings()).toEqual({ setup: ['npm', 'ci'], commitStyle: 'conventional' });
  expect(await remember({})).toBeNull();
});

test('what the user set is neither changed nor doubled, and a file that is a link stays one', async () => {
  const kept = join(home, 'dotfiles.toml');
  const own = `[projects]\n"${root}" = { commit_style = "plain" }\n`;
  mkdirSync(join(home, 'config/conclave'), { recursive: true });
  writeFileSync(kept, own);
  symlinkSync(kept, file());
  expect(await remember({ commit_style: 'conventional' })).toContain('commit_style already');
  expect(await remember({ setup: ['npm', 'ci'] })).toContain(`add to [projects."${root}"]`);
  expect(readFileSync(kept, 'utf8')).toBe(own);
  writeFileSync(kept, `[projects."${root}"] # mine\ncommit_style = "plain"\n`);
  expect(await remember({ setup: ['npm', 'ci'] })).toBeNull();
  expect(await settings()).toEqual({ setup: ['npm', 'ci'], commitStyle: 'plain' });
  expect(lstatSync(file()).isSymbolicLink()).toBe(true);
});

test('a file that cannot be written is no reason to stop', async () => {
  mkdirSync(join(home, 'config/conclave'), { recursive: true });
  symlinkSync('/proc/nowhere/config.toml', file());
  expect(await remember({ setup: ['npm', 'ci'] })).toBe(
    `It is not remembered, as ${file()} cannot be written.`,
  );
});

test('a folder that cannot be made is named where a setting is set', async () => {
  writeFileSync(join(home, 'config'), '');
  expect(await remember({ setup: ['npm', 'ci'] })).toContain('cannot be written (ENOTDIR).');
  const set = setInUserFile([['workflow.max_rounds', '2']], environment());
  await expect(set).rejects.toThrow(Stopped);
});
