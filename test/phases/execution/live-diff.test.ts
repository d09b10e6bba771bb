import { realpathSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorktrees } from '../../../src/git/git-worktrees.ts';
import type { SessionEvent } from '../../../src/model/event.ts';
import { showChanges, showChangesDuring } from '../../../src/phases/execution/show-changes.ts';
import { memorySnapshots, tempRepository } from '../../git/temp-repository.ts';

const { signal } = new AbortController();

test('what a task changes is told while it is at work, once, and as it was committed', async () => {
  await using repo = await tempRepository();
  await repo.commit('first', { 'src/a.js': 'export const a = 1;\n' });
  const folder = realpathSync(await mkdtemp(join(tmpdir(), 'conclave-data-')));
  const snapshots = memorySnapshots();
  const repository = await repo.open(null, snapshots);
  const trees = await openWorktrees({ session: 'S-1', repository, snapshots, folder, signal });
  const { commit: start } = await trees.start();
  const told: SessionEvent[] = [];
  const seen = Promise.withResolvers<void>();
  const emit = (event: SessionEvent) => {
    told.push(event);
    seen.resolve();
  };
  const job = { tools: { emit }, trees, task: { id: 'TASK-001' }, start, signal };
  const { path, parents } = await trees.make('TASK-001', [start]);
  const work = async () => {
    await writeFile(join(path, 'src/a.js'), 'export const a = 2;\n');
    await seen.promise;
    return await trees.commit('TASK-001', { parents, message: 'done' });
  };
  const commit = (await showChangesDuring(job, work())) ?? '';
  await showChanges(job, { commit });
  expect(told).toHaveLength(2);
  for (const event of told) {
    expect(event).toMatchObject({ type: 'task.changed', task: 'TASK-001' });
    expect(event).toMatchObject({ diff: expect.stringMatching(/^-.*a = 1;\n\+.*a = 2;$/m) });
  }
  await showChanges(job, { commit: 'f'.repeat(40) });
  expect(told).toHaveLength(2);
  await rm(folder, { recursive: true, force: true });
});
