import { expect, test } from 'vitest';
import { tempRepository } from './temp-repository.ts';

test('the past is read once: the latest commits first, without merges and deleted files', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'a.ts': '1', 'gone.ts': '1' });
  await repo.remove('gone.ts');
  const id = await repo.commit('Fix\u001b[31m it\n\nWith a body.', { 'a.ts': '2', 'ö b.ts': '1' });
  const repository = await repo.open();
  await repo.commit('Later', { 'a.ts': '3' });
  const commits = await repository.log();
  expect(commits).toMatchObject([
    { id, subject: 'Fix [31m it', body: 'With a body.\n', isRoot: false },
    { subject: 'Start', isRoot: true },
  ]);
  expect(commits?.[0]?.files).toEqual([
    { path: 'a.ts', status: 'modified' },
    { path: 'ö b.ts', status: 'added' },
  ]);
  expect(repository.log()).toBe(repository.log());
});

test('there is no past without a commit, and none without git', async () => {
  await using repo = await tempRepository();
  expect(await (await repo.open()).log()).toBeNull();
  await using plain = await tempRepository('plain');
  expect(await (await plain.open()).log()).toBeNull();
});
