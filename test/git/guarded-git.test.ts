import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { findChanges } from '../../src/git/base.ts';
import { guardVariables } from '../../src/git/guard.ts';
import { canary } from './canary.ts';
import { tempRepository, type TempRepository } from './temp-repository.ts';

const { signal } = new AbortController();

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Everything that Conclave asks git about a repository. */
async function useAll(repo: TempRepository): Promise<void> {
  const repository = await repo.open();
  await repository.log();
  await repository.read('a.txt');
  await repository.fingerprint(signal);
  await findChanges(repository, signal);
}

const programKeys = [
  'filter.x.clean filter.x.smudge filter.x.process core.fsmonitor core.hooksPath core.pager',
  'core.editor core.sshCommand core.askPass core.gitProxy core.alternateRefsCommand',
  'diff.external diff.x.textconv diff.x.command merge.x.driver gpg.program gpg.ssh.program',
  'credential.helper pager.status pager.log sequence.editor trailer.x.command',
  'uploadpack.packObjectsHook submodule.x.update',
].flatMap((keys) => keys.split(' '));

test('no program starts that only the repository names', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', {
    'a.txt': 'a\n',
    '.gitattributes': '*.txt filter=x diff=x merge=x\n',
  });
  const { path, ran } = canary(repo);
  for (const key of programKeys) {
    repo.git('config', key, key === 'submodule.x.update' ? `!${path}` : path);
  }
  await repo.write({ 'a.txt': 'b\n', 'new.txt': 'c\n' });
  await useAll(repo);
  expect(ran()).toBe(false);
});

test('nor a filter of a file that the repository includes, or of a submodule', async () => {
  await using inner = await tempRepository();
  await inner.commit('start', { 'a.txt': 'a\n', '.gitattributes': '*.txt filter=x\n' });
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n', '.gitattributes': '*.txt filter=y\n' });
  const { path, ran } = canary(repo);
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  repo.git('commit', '-qm', 'sub');
  repo.git('-C', 'sub', 'config', 'filter.x.clean', path);
  writeFileSync(join(repo.root, '.git', 'more'), `[filter "y"]\n\tclean = ${path}\n\trequired\n`);
  repo.git('config', 'include.path', 'more');
  await repo.write({ 'a.txt': 'b\n', 'sub/a.txt': 'b\n' });
  await useAll(repo);
  expect(ran()).toBe(false);
});

test('nor one that comes while the repository is open, in its settings or in a file of them', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n', '.gitattributes': '*.txt filter=x\n' });
  const { path, ran } = canary(repo);
  const more = join(repo.root, '.git', 'more');
  await useAll(repo);
  repo.git('config', 'include.path', 'more');
  await repo.write({ 'a.txt': 'b\n' });
  await useAll(repo);
  writeFileSync(more, `[filter "x"]\n\tclean = ${path}\n`);
  await useAll(repo);
  repo.git('config', '--unset', 'include.path');
  repo.git('config', 'filter.x.clean', path);
  await useAll(repo);
  expect(ran()).toBe(false);
});

test('nor one in linked settings, or in a submodule that comes later', async () => {
  await using inner = await tempRepository();
  await inner.commit('start', { 'a.txt': 'a\n', '.gitattributes': '*.txt filter=x\n' });
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n', '.gitattributes': '*.txt filter=x\n' });
  const { path, ran } = canary(repo);
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  repo.git('commit', '-qm', 'sub');
  const [config, linked] = ['config', 'linked'].map((name) => join(repo.root, '.git', name));
  renameSync(config ?? '', linked ?? '');
  symlinkSync('linked', config ?? '');
  renameSync(join(repo.root, 'sub'), join(repo.root, 'apart'));
  mkdirSync(join(repo.root, 'sub'));
  await repo.write({ 'a.txt': 'b\n' });
  await useAll(repo);
  rmSync(join(repo.root, 'sub'), { recursive: true });
  renameSync(join(repo.root, 'apart'), join(repo.root, 'sub'));
  repo.git('-C', 'sub', 'config', 'filter.x.clean', path);
  await repo.write({ 'sub/a.txt': 'b\n' });
  await useAll(repo);
  appendFileSync(linked ?? '', `[filter "x"]\n\tclean = ${path}\n`);
  await useAll(repo);
  expect(ran()).toBe(false);
});

test('a filter of the user is started, also where the repository names another one', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n', '.gitattributes': '*.txt filter=x\n' });
  const { path, ran } = canary(repo);
  const own = join(repo.root, '.git', 'user');
  writeFileSync(own, `[filter "x"]\n\tclean = ${path}\n`);
  vi.stubEnv('GIT_CONFIG_GLOBAL', own);
  repo.git('config', 'filter.x.clean', 'false');
  await repo.write({ 'a.txt': 'b\n' });
  await useAll(repo);
  expect(ran()).toBe(true);
});

test('what an agent asks git starts none either', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'a\n', '.gitattributes': '*.txt filter=x\n' });
  const { path, ran } = canary(repo);
  repo.git('config', 'filter.x.clean', path);
  repo.git('config', 'core.fsmonitor', path);
  await repo.write({ 'a.txt': 'b\n' });
  for (const [name, value] of Object.entries(await guardVariables({ root: repo.root, signal }))) {
    vi.stubEnv(name, value);
  }
  repo.git('status');
  expect(ran()).toBe(false);
});

test('a bare repository that a project contains is guarded like any other, from a folder in it too', async () => {
  await using repo = await tempRepository();
  repo.git('init', '-q', '--bare', 'inner');
  repo.git('-C', 'inner', 'config', 'filter.x.clean', 'touch ran');
  renameSync(join(repo.root, '.git'), join(repo.root, 'away'));
  for (const at of ['inner', 'inner/refs']) {
    const { GIT_CONFIG_PARAMETERS: guarded } = await guardVariables({
      root: join(repo.root, at),
      signal,
    });
    expect(guarded).toContain("'filter.x.clean'=");
  }
});
