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

/** One real run of the fixture, without what this run has set. */
const run = ended(
  spawn(process.execPath, [vitest, 'run', '--config', 'vitest.config.ts'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], CI: 'true', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }),
);

/** What the reporter says where so many tests may pass only on a second try. */
async function saidFor(most: number): Promise<string> {
  const { stdout } = await run;
  const from = stdout.indexOf(`Passed only on a second try (at most ${most} may):`);
  expect(from).toBeGreaterThan(0);
  return stdout.slice(from, stdout.indexOf(`${most} may: exit code`, from) + 20);
}

test('a test that passed on its second try is named, and as many as may be let the run pass', async () => {
  const said = await saidFor(3);
  for (const name of ['one', 'two', 'three']) {
    expect(said).toMatch(new RegExp(`numbers\\.flaky\\.ts > flaky ${name}$`, 'm'));
  }
  expect(said).not.toContain('> steady');
  expect(said).toContain('3 may: exit code 0');
});

test('more than two of them fail the run', async () => {
  const said = await saidFor(2);
  for (const name of ['one', 'two', 'three']) expect(said).toContain(`> flaky ${name}\n`);
  expect(said).toContain('2 may: exit code 1');
  expect((await run).code).toBe(1);
});

test('a test that fails twice is a failure, and none that was retried', async () => {
  const { stdout } = await run;
  for (const most of [3, 2]) expect(await saidFor(most)).not.toContain('> failing');
  expect(stdout).toMatch(/Tests +1 failed \| 4 passed/);
});
