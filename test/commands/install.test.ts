import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { program, type Rig } from '../helpers/rig.ts';
import { testRig } from '../helpers/test-rig.ts';

/** A program of a host that ends with 0 and installs nothing, and logs how it is called. */
function hostThatDoesNothing(rig: Rig, name: string): string {
  const bin = join(rig.home, 'bin');
  mkdirSync(bin);
  const log = join(rig.home, 'calls.log');
  const script = `#!/bin/sh\necho "$*" >> ${log}\necho Done.\n`;
  writeFileSync(join(bin, name), script, { mode: 0o755 });
  rig.environment['PATH'] = `${bin}:${rig.environment['PATH']}`;
  return log;
}

test('a host that ends well and does not list the package has not installed it', async () => {
  const rig = testRig();
  const log = hostThatDoesNothing(rig, 'gemini');
  const { code, stderr } = await rig.conclave('install', 'gemini', '-y');
  expect(code).toBe(2);
  expect(stderr).toContain('gemini does not list conclave after its own installation.');
  expect(readFileSync(log, 'utf8')).toContain('extensions install');
});

test('the package names this Node and this program, and its hook checks places only', async () => {
  const rig = testRig();
  hostThatDoesNothing(rig, 'claude');
  await rig.conclave('install', 'claude', '-y');
  const plugin = join(rig.home, 'data/conclave/hosts/package/plugin');
  const json = (path: string): unknown => JSON.parse(readFileSync(join(plugin, path), 'utf8'));
  const variables = ['CONCLAVE_INSIDE', 'CONCLAVE_RUN', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'];
  const env_vars = expect.arrayContaining(variables);
  expect(json('.mcp.json')).toEqual({
    mcpServers: { conclave: { command: process.execPath, args: [program, 'mcp'], env_vars } },
  });
  const [node, file] = [`'${process.execPath}'`, `'${program}'`];
  const command = `test -x ${node} && test -f ${file} || exit 0; exec ${node} ${file} critique --hook`;
  expect(json('hooks/codex-hooks.json')).toMatchObject({
    hooks: { Stop: [{ hooks: [{ command }] }] },
  });
  expect(JSON.stringify(json('hooks/hooks.json'))).not.toContain('{{');
  expect(readFileSync(join(plugin, 'skills/plan-with-conclave/SKILL.md'), 'utf8')).toContain(
    'plan_start',
  );
});

test('a host that ends the shell of its hook is left with no program that it would wait for', async () => {
  const rig = testRig();
  hostThatDoesNothing(rig, 'claude');
  await rig.conclave('install', 'claude', '-y');
  const hooks = join(rig.home, 'data/conclave/hosts/package/plugin/hooks/hooks.json');
  const [, command = ''] = /"command": "([^"]+)"/.exec(readFileSync(hooks, 'utf8')) ?? [];
  // It waits for what the host tells it.
  const shell = spawn('/bin/sh', ['-c', command], { env: rig.environment });
  await expect.poll(() => argvOf(shell)).toContain('--hook');
  shell.kill('SIGTERM');
  expect(await once(shell, 'close')).toEqual([null, 'SIGTERM']);
});

const argvOf = ({ pid }: ChildProcess) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');

test('--print shows the commands of the host, and runs none', async () => {
  const rig = testRig();
  const { code, stdout } = await rig.conclave('install', 'codex', '--print');
  expect(code).toBe(0);
  expect(stdout).toContain('  codex plugin add conclave@conclave --json\n');
  expect(stdout).toContain('until you trust the hook in /hooks');
});

test('without a terminal nothing is installed unless -y is given', async () => {
  const { code, stderr } = await testRig().conclave('install', 'claude');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'conclave: Do that? There is no terminal to ask in; add -y.\n',
  });
});

test('a host whose program is missing is told', async () => {
  const rig = testRig();
  rig.environment['PATH'] = '/nowhere';
  const { code, stderr } = await rig.conclave('install', 'copilot', '-y');
  expect(code).toBe(2);
  expect(stderr).toContain('copilot is not on PATH');
});

test('opencode gets files, which go again, and one of a person’s own stays', async () => {
  const rig = testRig();
  const folder = join(rig.home, 'config/opencode');
  const own = join(folder, 'commands/mine.md');
  mkdirSync(join(folder, 'commands'), { recursive: true });
  writeFileSync(own, 'mine');
  expect((await rig.conclave('install', 'opencode', '-y')).code).toBe(0);
  const files = rig.contents('../home/config/opencode');
  expect(Object.keys(files).toSorted()).toEqual([
    'commands/conclave-critique.md',
    'commands/conclave-plan.md',
    'commands/mine.md',
    'opencode.json',
    'skills/plan-with-conclave/SKILL.md',
  ]);
  await rig.conclave('install', 'opencode', '--remove', '-y');
  expect(Object.keys(rig.contents('../home/config/opencode'))).toEqual(['commands/mine.md']);
});

test('nothing is written for opencode where its own settings cannot be changed', async () => {
  const rig = testRig();
  const file = join(rig.home, 'config/opencode/opencode.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{ "mcp": [');
  const { code, stderr } = await rig.conclave('install', 'opencode', '-y');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(file) });
  expect(Object.keys(rig.contents('../home/config/opencode'))).toEqual(['opencode.json']);
});

test('the extension of gemini names the keys that it would keep back, and holds none', async () => {
  const rig = testRig();
  hostThatDoesNothing(rig, 'gemini');
  rig.environment['OPENAI_API_KEY'] = 'sk-canary';
  await rig.conclave('install', 'gemini', '-y');
  const file = join(rig.home, 'data/conclave/hosts/extension/gemini-extension.json');
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    mcpServers: { conclave: { env: { OPENAI_API_KEY: '$OPENAI_API_KEY' } } },
  });
  expect(text).not.toContain('sk-canary');
});

test('a file of opencode that a person wrote or changed is neither replaced nor removed', async () => {
  const rig = testRig();
  const command = join(rig.home, 'config/opencode/commands/conclave-plan.md');
  const own = '---\ndescription: my own way with conclave\n---\n';
  mkdirSync(dirname(command), { recursive: true });
  writeFileSync(command, own);
  const { code, stderr } = await rig.conclave('install', 'opencode', '-y');
  expect(code).toBe(2);
  expect(stderr).toContain(`${command} is not the file that conclave writes there`);
  expect(readFileSync(command, 'utf8')).toBe(own);
  rmSync(command);
  await rig.conclave('install', 'opencode', '-y');
  appendFileSync(command, 'And my own words.\n');
  await rig.conclave('install', 'opencode', '--remove', '-y');
  expect(Object.keys(rig.contents('../home/config/opencode'))).toEqual([
    'commands/conclave-plan.md',
  ]);
});

test('--scope project puts the files of opencode into the project, and takes them out again', async () => {
  const rig = testRig();
  const scope = ['--scope', 'project', '-y'];
  await rig.conclave('install', 'opencode', ...scope);
  const files = Object.keys(rig.contents('.')).filter((path) => path.includes('opencode'));
  expect(files.toSorted()).toEqual([
    '.opencode/commands/conclave-critique.md',
    '.opencode/commands/conclave-plan.md',
    '.opencode/skills/plan-with-conclave/SKILL.md',
    'opencode.json',
  ]);
  await rig.conclave('install', 'opencode', '--remove', ...scope);
  expect(rig.contents('.')).toEqual({});
  const { code, stderr } = await rig.conclave('install', 'codex', ...scope);
  expect(code).toBe(2);
  expect(stderr).toContain('--scope: codex installs packages only for the user.');
});
