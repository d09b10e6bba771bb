import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { sweepTemporaryFolders, temporaryFolder } from '../../src/store/temporary-folder.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-swept-')));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

const source = new URL('../../src/store/temporary-folder.ts', import.meta.url).href;

/** Makes a folder in a process that is over then. */
function leftBehind(): string {
  const code = `import(${JSON.stringify(source)}).then(async ({ temporaryFolder }) => {
    console.log(await temporaryFolder('check'));
  });`;
  return basename(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }).trim());
}

test.runIf(process.platform === 'linux')(
  'a folder whose owner is gone is swept; one of a living owner, of another machine or without a mark is not',
  async () => {
    vi.stubEnv('TMPDIR', place);
    const left = leftBehind();
    const own = basename(await temporaryFolder('question'));
    const elsewhere = left.replace(/check-[0-9a-f]{8}/, 'check-00000000');
    const others = [elsewhere, 'conclave-check-abcdef', `x${left}`];
    for (const name of others) mkdirSync(join(place, name));
    expect(readdirSync(place)).toContain(left);
    await sweepTemporaryFolders();
    expect(readdirSync(place).toSorted()).toEqual([own, ...others].toSorted());
  },
);
