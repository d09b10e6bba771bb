import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { indexRoom, searchIn } from '../context/local/search.ts';
import { type TempRepository, tempRepository } from '../git/temp-repository.ts';
import { RelevantFile } from '../../src/model/context.ts';
import { trials } from './three-rounds.ts';

const task = 'Round the totals of invoices';
const Found = z.object({
  files: z.array(RelevantFile),
  report: z.object({ filesRead: z.int() }),
  notes: z.array(z.string()),
});

test('a search that was killed at any moment leaves an index that finds the same', async () => {
  await using repo = await largeRepository();
  await using reference = await indexRoom();
  await using room = await indexRoom();
  const started = performance.now();
  const right = await searched(start(repo, reference.folder));
  const full = performance.now() - started;
  const count = trials(100);
  let torn = 0;
  for (let trial = 0; trial < count; trial += 1) {
    // Each kill meets an index that lacks what has changed since.
    await repo.write({ [changing]: contentOf(trial) });
    const child = start(repo, room.folder);
    const end = searched(child);
    await wait((full * (trial + 1)) / count);
    child.kill('SIGKILL');
    if ((await end) === null) torn += 1;
    const { files, notes } = await searchIn(room.folder, { repository: await repo.open(), task });
    expect({ files, notes }, `trial ${trial}`).toEqual({
      files: right?.files,
      notes: [],
    });
  }
  expect(torn).toBeGreaterThan(count / 4);
  expect(globSync('**/*.seg', { cwd: room.folder }).length).toBeLessThan(20);
});

test('ten searches at once find the same, and the index that they leave is whole', async () => {
  await using repo = await largeRepository();
  await using reference = await indexRoom();
  const right = await searched(start(repo, reference.folder));
  for (let trial = 0; trial < trials(10); trial += 1) {
    await using room = await indexRoom();
    const all = await Promise.all(
      Array.from({ length: 10 }, () => searched(start(repo, room.folder))),
    );
    for (const found of all) {
      expect({ files: found?.files, notes: found?.notes }).toEqual({
        files: right?.files,
        notes: [],
      });
    }
    const last = await searched(start(repo, room.folder));
    expect(last).toMatchObject({ report: { filesRead: 0 }, notes: [] });
    expect(bytesIn(room.folder)).toBeLessThan(2 * bytesIn(reference.folder));
  }
});

const changing = 'src/changing.ts';

/** Always as long and as far from the task, so that nothing else changes. */
function contentOf(trial: number): string {
  return `export const changed = ${String(trial).padStart(2, '0')};\n`;
}

/** Enough files that an index of them is not written in one instant. */
async function largeRepository(): Promise<TempRepository> {
  const repo = await tempRepository();
  const words = ['total', 'invoice', 'round', 'price', 'tax', 'customer', 'order'];
  for (let n = 0; n < 400; n += 1) {
    const [a, b] = [words[n % 7] ?? '', words[(n * 3 + 1) % 7] ?? ''];
    const lines = Array.from(
      { length: 60 },
      (_, line) => `export const ${a}_${b}_${n}_${line} = 1;`,
    );
    await repo.write({ [`src/${a}/file-${n}.ts`]: `${lines.join('\n')}\n` });
  }
  await repo.write({ [changing]: contentOf(0) });
  await repo.commit('Round totals');
  return repo;
}

function start(repo: TempRepository, folder: string): ChildProcess {
  const program = new URL('context-cache-search.ts', import.meta.url).pathname;
  return spawn(process.execPath, [program, repo.root, folder, task], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Null where the search was killed before it had said all. */
async function searched(child: ChildProcess): Promise<z.infer<typeof Found> | null> {
  if (child.stdout === null) throw new Error('the output is not piped');
  const said = await text(child.stdout);
  return said.endsWith('}') ? Found.parse(JSON.parse(said)) : null;
}

function bytesIn(folder: string): number {
  return globSync('**/*.seg', { cwd: folder })
    .map((name) => statSync(`${folder}/${name}`).size)
    .reduce((total, size) => total + size, 0);
}
