import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { type Rig, makeRig, program } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';

const hook = new URL('../fixtures/commands/loaded-files.mjs', import.meta.url).pathname;

let rig: Rig;
beforeAll(async () => {
  rig = makeRig();
  await todoProject(rig);
  await rig.conclave('plan', '--auto-yes', '--tools', 'local', 'Print JSON from `listTodos`');
  // As `config init` leaves it, and some keep it.
  rig.config('# max_rounds = 3\n');
  return () => rig.remove();
});

/** The files that a command loads, and their text. */
async function loadedBy(command: string, input = ''): Promise<readonly string[]> {
  const list = join(rig.home, 'loaded.txt');
  rmSync(list, { force: true });
  const env = { ...rig.environment, LOADED_FILES: list };
  const args = ['--import', hook, program, ...command.split(' ')];
  const run = promisify(execFile)(process.execPath, args, { cwd: rig.repo, env });
  run.child.stdin?.end(input);
  await run;
  return readFileSync(list, 'utf8').trim().split('\n');
}

/** zod, what reads TOML, the chart of a session, and execa, each by a text of its own. */
const zod = 'invalid_type';
const toml = 'Invalid TOML document';
const engine = 'xstate.init';
const spawner = 'forceKillAfterDelay';

test.each([
  ['schema event', 12, 125, [zod, toml, engine]],
  ['sessions list', 25, 245, [zod, toml, engine]],
  ['sessions show', 44, 475, [toml, engine]],
  ['config', 32, 380, [zod, engine]],
  ['agents', 42, 495, [zod, engine]],
])('%s loads at most %i files of %i kB, and none of what it does not show', async (...given) => {
  const [command, files, kilobytes, without] = given;
  // The first run brings the index up to date.
  await loadedBy(command);
  const loaded = await loadedBy(command);
  const bytes = loaded.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(loaded.length).toBeLessThanOrEqual(files);
  expect(bytes / 1000).toBeLessThanOrEqual(kilobytes);
  const texts = loaded.map((path) => readFileSync(path, 'utf8')).join('\n');
  expect(without.filter((text) => texts.includes(text))).toEqual([]);
});

test('the list of its tools loads nothing that only a call of one needs', async () => {
  const listing = ['initialize', 'tools/list'].map((method, id) => {
    const clientInfo = { name: 'a host', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  });
  const loaded = await loadedBy('mcp', listing.join(''));
  const bytes = loaded.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(loaded.length).toBeLessThanOrEqual(33);
  expect(bytes / 1000).toBeLessThanOrEqual(330);
  const texts = loaded.map((path) => readFileSync(path, 'utf8')).join('\n');
  expect([zod, engine, spawner].filter((text) => texts.includes(text))).toEqual([]);
});

test('the gate of a host loads neither zod nor the chart to let a right plan pass', async () => {
  const plan = 'Change `listTodos()` in src/commands/list.js:4.';
  const shown = { hook_event_name: 'PreToolUse', tool_name: 'ExitPlanMode', tool_input: { plan } };
  const input = JSON.stringify({ ...shown, cwd: rig.repo, session_id: 's' });
  const loaded = await loadedBy('critique --hook', input);
  expect(loaded.length).toBeLessThanOrEqual(60);
  const texts = loaded.map((path) => readFileSync(path, 'utf8')).join('\n');
  expect([zod, engine].filter((text) => texts.includes(text))).toEqual([]);
});
