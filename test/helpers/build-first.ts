import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCli } from './built.ts';
import { announce, folderInMemory } from './temporary-folders.ts';

/** Builds the program before the tests that run it, and keeps for them what they make once. */
export function setup(): () => void {
  builtCli();
  const kept = mkdtempSync(join(tmpdir(), 'conclave-tests-'));
  process.env['CONCLAVE_TESTS_KEPT'] = kept;
  const memory = folderInMemory();
  announce(memory);
  return () => {
    for (const folder of [kept, memory]) {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    }
  };
}
