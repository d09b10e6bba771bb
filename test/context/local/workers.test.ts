import { expect, test } from 'vitest';
import { wantedFile } from '../../../src/context/local/contents.ts';
import { indexFiles, nothingEarly } from '../../../src/context/local/file-index.ts';
import { indexWorkers } from '../../../src/context/local/index-workers.ts';
import { bytesOf } from '../../../src/context/local/little-endian.ts';
import { openStore, type SegmentStore } from '../../../src/context/local/segment-store.ts';
import { tempRepository, type TempRepository } from '../../git/temp-repository.ts';
import { indexRoom, unhurried } from './search.ts';

/** A tree of files that are worth a thread or two, and an empty store. */
async function given(repo: TempRepository, folder: string) {
  const numbers = Array.from({ length: 90 }, (_, number) => number);
  const files = numbers.map((number) => [`src/f${number}.ts`, `export const x${number} = 1;\n`]);
  await repo.commit('Start', Object.fromEntries(files));
  const repository = await repo.open();
  const wanted = await repository.marks();
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const found = new Uint8Array(new SharedArrayBuffer(90));
  const notes: string[] = [];
  const store = openStore(folder, (note) => notes.push(note));
  return { repository, store, notes, wanted, shared: { root: repo.root, wanted, taken, found } };
}

function keysIn({ segments }: SegmentStore): readonly string[] {
  const keys = segments.map((segment) => bytesOf(segment.keys).toString('latin1'));
  return keys.join('').match(/[^]{16}/g) ?? [];
}

test('threads index every file between them, each once', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const { store, notes, wanted, shared } = await given(repo, room.folder);
  const workers = indexWorkers(store, { files: 90, count: 2 });
  workers.begin(shared);
  expect(await workers.done()).toBe(90);
  expect(keysIn(store).toSorted()).toEqual(wanted.map((file) => wantedFile(file).key).toSorted());
  expect(notes).toEqual([]);
  store.close();
});

test('what a thread took and did not add is indexed all the same', async () => {
  await using repo = await tempRepository();
  await using room = await indexRoom();
  const { repository, store, shared } = await given(repo, room.folder);
  // Where there is no such folder, it finds none of the files that it takes.
  const lost = indexWorkers(store, { files: 90, count: 1 });
  lost.begin({ ...shared, root: `${repo.root}/none` });
  expect(await lost.done()).toBe(0);
  expect(Atomics.load(shared.taken, 0)).toBeGreaterThanOrEqual(90);
  const ended = indexWorkers(store, { files: 90, count: 1 });
  ended.begin(shared);
  await ended.end();
  expect(await ended.done()).toBe(0);
  expect((await indexFiles(repository, { store, early: nothingEarly, ...unhurried })).read).toBe(
    90,
  );
  expect(keysIn(store)).toHaveLength(90);
  store.close();
});
