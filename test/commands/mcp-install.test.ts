import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../helpers/rig.ts';
import { testRig } from '../helpers/test-rig.ts';

/** A home with settings of codex. */
function codexRig(text: string) {
  const rig = testRig();
  const file = join(rig.home, '.codex/config.toml');
  mkdirSync(join(rig.home, '.codex'));
  writeFileSync(file, text);
  return { ...rig, file, codex: () => readFileSync(file, 'utf8') };
}

test('the server goes into the file of a host with the paths of this Node and this program, and out again', async () => {
  const rig = codexRig('model = "m" # mine');
  const { code, stdout } = await rig.conclave('mcp', 'install', 'codex', '-y');
  expect(code).toBe(0);
  expect(stdout).toContain('  + [mcp_servers.conclave]\n');
  expect(rig.codex()).toContain(`command = ${JSON.stringify(process.execPath)}\n`);
  expect(rig.codex()).toContain(`args = ${JSON.stringify([program, 'mcp'])}\n`);
  const again = await rig.conclave('mcp', 'install', 'codex', '-y');
  expect(again.stdout).toContain('The server is already in');
  await rig.conclave('mcp', 'install', 'codex', '--remove', '-y');
  expect(rig.codex()).toBe('model = "m" # mine');
});

test('without a terminal nothing is changed unless -y is given', async () => {
  const rig = codexRig('model = "m"\n');
  const { code, stderr } = await rig.conclave('mcp', 'install', 'codex');
  expect(code).toBe(2);
  expect(stderr).toContain('There is no terminal to ask in; add -y.');
  expect(rig.codex()).toBe('model = "m"\n');
});

test('--print shows the text and its file, and changes nothing', async () => {
  const rig = testRig();
  const { code, stdout } = await rig.conclave('mcp', 'install', 'gemini', '--print');
  expect(code).toBe(0);
  expect(stdout).toContain(`Into ${rig.home}/.gemini/settings.json:`);
  expect(stdout).not.toContain('trust');
  expect(existsSync(join(rig.home, '.gemini'))).toBe(false);
});

test('--scope project takes the file of the project, which codex does not have', async () => {
  const rig = testRig();
  const scope = ['--scope', 'project', '-y'];
  expect((await rig.conclave('mcp', 'install', 'claude', ...scope)).code).toBe(0);
  expect(rig.read('.mcp.json')).toContain('"conclave"');
  const { code, stderr } = await rig.conclave('mcp', 'install', 'codex', ...scope);
  expect(code).toBe(2);
  expect(stderr).toContain('--scope: codex reads its servers only from the file of the user.');
});

test('an unknown host is told with the known ones', async () => {
  const { code, stderr } = await testRig().conclave('mcp', 'install', 'gemni');
  expect(code).toBe(2);
  expect(stderr).toContain('There is no host "gemni". Did you mean gemini?');
});
