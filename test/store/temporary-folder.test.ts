import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { sweepTemporaryFolders, temporaryFolder } from '../../src/store/temporary-folder.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-swept-')));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test('a folder that was left two days ago is swept; a newer one, and one of others, are not', async () => {
  vi.stubEnv('TMPDIR', place);
  const left = await temporaryFolder('check');
  utimesSync(left, ago(49), ago(49));
  const used = await temporaryFolder('question');
  utimesSync(used, ago(47), ago(47));
  const others = ['conclave-check-abc', `x${basename(left)}`];
  for (const name of others) {
    mkdirSync(join(place, name));
    utimesSync(join(place, name), ago(49), ago(49));
  }
  await sweepTemporaryFolders();
  expect(readdirSync(place).toSorted()).toEqual([basename(used), ...others].toSorted());
});
