import { describe, expect, test } from 'vitest';
import { codeAround, repositoryFiles } from '../../../src/commands/wiring/terminal-files.ts';
import { openRepository } from '../../../src/git/open-repository.ts';
import type { Repository } from '../../../src/git/repository.ts';
import type { Rig } from '../../helpers/rig.ts';
import { testRig, todoRig } from '../../helpers/test-rig.ts';

function repositoryOf(rig: Rig): Promise<Repository> {
  const { signal } = new AbortController();
  return openRepository({ root: rig.repo, base: null, snapshots: null, signal });
}

describe('the files of a repository', () => {
  test('are those of git and the new ones, not the ignored ones, each once', async () => {
    const rig = await todoRig();
    rig.write('.gitignore', 'built/\n');
    rig.write('built/out.js', 'x\n');
    rig.write('new file.ts', 'x\n');
    rig.write('src/evil\u001b[2J.ts', 'x\n');
    expect([...(await repositoryFiles(rig.repo))].toSorted()).toEqual([
      '.gitignore',
      'README.md',
      'new file.ts',
      'package.json',
      'src/cli.js',
      'src/commands/add.js',
      'src/commands/list.js',
      'src/store.js',
      'test/list.test.js',
    ]);
  });

  test('are found without git, too', async () => {
    const rig = testRig();
    rig.write('src/a.ts', 'x\n');
    expect(await repositoryFiles(rig.repo)).toEqual(['src/a.ts']);
  });
});

describe('the code around a place', () => {
  test('is that of the base, also where the file has changed since', async () => {
    const rig = await todoRig();
    const repository = await repositoryOf(rig);
    rig.write('src/commands/list.js', 'changed\n');
    const code = await codeAround(repository, { path: 'src/commands/list.js', line: 4 });
    expect(code).toMatchObject({ path: 'src/commands/list.js', start: 1 });
    expect(code?.lines[3]).toBe('export function listTodos(args) {');
  });

  test('is there for a line behind the end, and bounded in a long file', async () => {
    const rig = testRig();
    rig.write(
      'long.txt',
      Array.from({ length: 500 }, (_, n) => `${n + 1} ${'x'.repeat(900)}`).join('\n'),
    );
    const repository = await repositoryOf(rig);
    const middle = await codeAround(repository, { path: 'long.txt', line: 300 });
    expect(middle?.start).toBe(293);
    expect(middle?.lines).toHaveLength(67);
    expect(middle?.lines[7]).toMatch(/^300 x{496}$/);
    expect((await codeAround(repository, { path: 'long.txt', line: 9999 }))?.start).toBe(493);
  });

  test.each(['no.txt', '../outside.txt', '/etc/passwd'])('is nothing for %s', async (path) => {
    const rig = testRig();
    rig.write('../outside.txt', 'secret\n');
    const repository = await repositoryOf(rig);
    expect(await codeAround(repository, { path, line: 1 })).toBeNull();
    expect(await codeAround(null, { path, line: 1 })).toBeNull();
  });
});
