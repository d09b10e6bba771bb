import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { type Ended, ended, makeRig, program, type Rig } from '../helpers/rig.ts';

test('the program is kept compiled for its next start, and what another version kept is removed', async () => {
  await using rig = ownRig();
  const folder = join(rig.home, 'data/conclave/code');
  mkdirSync(join(folder, '0.0.1'), { recursive: true });
  expect(await help(rig)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(folder)).toEqual([version]);
  expect(globSync('*/*/*', { cwd: folder }).length).toBeGreaterThan(0);
  expect(await help(rig)).toMatchObject({ code: 0, stderr: '' });
});

test('where it cannot be kept, the program starts all the same', async () => {
  await using rig = ownRig();
  writeFileSync(join(rig.home, 'data'), '');
  expect(await help(rig)).toMatchObject({ code: 0, stderr: '' });
});

function ownRig(): Rig & AsyncDisposable {
  const rig = makeRig();
  return { ...rig, [Symbol.asyncDispose]: async () => rig.remove() };
}

/** Without the cache that all tests share. */
function help(rig: Rig): Promise<Ended> {
  const { NODE_COMPILE_CACHE: _, ...env } = rig.environment;
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return ended(
    spawn(process.execPath, [program, '--help'], { cwd: rig.repo, env, stdio: [...stdio] }),
  );
}
