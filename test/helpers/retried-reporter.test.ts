// Tests of the reporter that counts tests which passed only on a second try.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ended } from './rig.ts';

const folder = new URL('../fixtures/flaky/', import.meta.url).pathname;
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);

/** Runs the tests of the fixture that have such a title, without what this run has set. */
function runTitled(title: string) {
  const args = [vitest, 'run', '--config', 'vitest.config.ts', '-t', title];
  const env = { PATH: process.env['PATH'], CI: 'true', NO_COLOR: '1' };
  return ended(
    spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

const retried = 'Passed only on a second try';

test('a test that passed on its second try is named, and the run passes', async () => {
  const { code, stdout } = await runTitled('flaky one|steady');
  expect(stdout).toContain(retried);
  expect(stdout).toMatch(/numbers\.flaky\.ts > flaky one$/m);
  expect(stdout).not.toContain('> steady');
  expect(code).toBe(0);
});

test('more than two of them fail the run', async () => {
  const { code, stdout } = await runTitled('flaky');
  for (const name of ['one', 'two', 'three']) expect(stdout).toContain(`> flaky ${name}\n`);
  expect(stdout).toMatch(/Tests +3 passed/);
  expect(code).toBe(1);
});

test('a test that fails twice is a failure, and none that was retried', async () => {
  const { code, stdout } = await runTitled('failing|steady');
  expect(stdout).not.toContain(retried);
  expect(stdout).toMatch(/Tests +1 failed \| 1 passed/);
  expect(code).toBe(1);
});
