import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { confinementCheck } from '../../src/commands/machine-checks.ts';

test('the doctor says of the sandbox of macOS that nobody has tried it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const on = (confine: boolean) =>
    confinementCheck({
      settings: { execution: { confine } },
      environment: { PATH: folder },
      platform: 'darwin',
    });
  expect(await on(true)).toMatchObject({ state: 'missing', found: expect.stringMatching(/^none/) });
  writeFileSync(join(folder, 'sandbox-exec'), '');
  chmodSync(join(folder, 'sandbox-exec'), 0o755);
  expect(await on(true)).toEqual({
    name: 'confinement',
    state: 'note',
    found: 'sandbox-exec (not tried)',
    remedy: null,
  });
  expect(await on(false)).toMatchObject({ found: 'none, as execution.confine is false' });
});
