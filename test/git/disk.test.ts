import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lookAt, readPlainFile, withoutLinks } from '../../src/git/disk.ts';

test('a path with a NUL is one where nothing is', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-disk-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of ['a\u0000b', '\u0000', 'a/\u0000/b']) {
    expect(await lookAt(root, path)).toEqual({ kind: 'absent' });
    expect(await readPlainFile(root, path)).toBeNull();
    expect(await withoutLinks(root, path)).toBeNull();
  }
});
