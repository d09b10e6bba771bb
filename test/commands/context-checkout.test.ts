import { spawn } from 'node:child_process';
import { globSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCli } from '../helpers/built.ts';
import { type Rig, ended, makeRig, program } from '../helpers/rig.ts';

const second = 1_700_000_000;
const edited = 'src/f7.ts';
let rig: Rig;

// As after a checkout: all was written in one second, but for the time that cannot be set.
beforeAll(async () => {
  builtCli();
  rig = makeRig();
  await rig.git('init', '-q');
  await rig.git('config', 'core.trustctime', 'false');
  const names = Array.from({ length: 20 }, (_, number) => `src/f${number}.ts`);
  for (const name of names) write(name, 'export const before = 1;\n');
  await rig.git('add', '.');
  await rig.git('commit', '-qm', 'Start');
  write(edited, 'export const laters = 1;\n');
  utimesSync(join(rig.repo, '.git/index'), second, second);
});
afterAll(() => rig.remove());

function write(name: string, text: string): void {
  rig.write(name, text);
  utimesSync(join(rig.repo, name), second, second);
}

/** How a search ends, and the indexes that git was given for it. */
async function search(task: string) {
  const trace = join(rig.home, 'trace');
  const traced = { GIT_TRACE2_EVENT: trace, GIT_TRACE2_ENV_VARS: 'GIT_INDEX_FILE' };
  const env = { ...rig.environment, ...traced };
  const child = spawn(process.execPath, [program, 'context', '--paths', task], {
    cwd: rig.repo,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = await ended(child);
  const events = readFileSync(trace, 'utf8');
  rmSync(trace);
  const given = [...events.matchAll(/"param":"GIT_INDEX_FILE","value":"([^"]*)"/g)];
  return { ...end, given: given.map(([, file = '']) => file) };
}

test('a search after a checkout gives git a copy of its index, and sees what git would see', async () => {
  const before = rig.contents('.git');
  for (const run of ['first', 'second']) {
    const { code, stdout, given } = await search('Rename laters');
    expect([run, code, stdout.split('\n')[0]]).toEqual([run, 0, edited]);
    expect(given).toHaveLength(1);
    expect(given[0]).toContain(join(rig.home, 'data/conclave/context/index-'));
  }
  expect(rig.contents('.git')).toEqual(before);
  expect(globSync('**/*.tmp', { cwd: rig.home })).toEqual([]);
});

test('so does one without an index of the code, and one that ends early leaves no copy', async () => {
  rig.config('[context]\nproviders = ["ripgrep", "scan"]\n');
  const other = await search('Rename laters');
  expect([other.code, other.stdout.split('\n')[0], other.given.length]).toEqual([0, edited, 1]);
  rig.config('[context]\nproviders = 1\n');
  const wrong = await search('Rename laters');
  expect(wrong.code).toBe(2);
  expect(globSync('**/*.tmp', { cwd: rig.home })).toEqual([]);
});
