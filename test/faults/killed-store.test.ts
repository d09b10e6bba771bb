import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sweepTemporary } from '../../src/store/atomic.ts';
import { claimSession } from '../../src/store/session-folder.ts';
import { startFixture } from '../store/child.ts';
import { newRoot, someTime, withJournal } from '../store/room.ts';
import { trials } from './three-rounds.ts';

test('kills of an appending process lose no acknowledged record', async () => {
  const root = await newRoot();
  const folder = await claimSession({ root, task: 'x', now: someTime });
  for (let round = 0; round < trials(100); round += 1) {
    const args = [root, folder.id];
    const acknowledged = await killedOnceTold('append-for-ever.ts', args, (round % 10) * 5 + 10);
    const keys = await withJournal(folder, async ({ records }) =>
      records.flatMap((record) => (record.type === 'finished' ? [record.key] : [])),
    );
    expect(keys).toEqual(keys.map((_, number) => `step-${number}`));
    // The one that was written but not acknowledged may be there, too.
    expect([acknowledged + 1, acknowledged + 2]).toContain(keys.length);
  }
});

test('a kill in the middle of replacing a file leaves it whole, and the sweep the folder clean', async () => {
  const root = await newRoot();
  const folder = await claimSession({ root, task: 'x', now: someTime });
  for (let round = 0; round < trials(40); round += 1) {
    const args = [root, folder.id];
    const acknowledged = await killedOnceTold('replace-for-ever.ts', args, (round % 8) * 2 + 4);
    const { number, filler } = z
      .object({ number: z.int(), filler: z.string() })
      .parse(JSON.parse((await folder.read('session-state.json')) ?? ''));
    expect(number).toBeGreaterThanOrEqual(acknowledged);
    expect(filler).toBe(`${number} `.repeat(20_000));
  }
  await writeFile(folder.absolute('.x.0123456789abcdef.tmp'), '');
  expect(await sweepTemporary(folder.path)).toBeGreaterThan(0);
  expect(await sweepTemporary(folder.path)).toBe(0);
});

/** Kills a program once it has told so many numbers; returns the last one that it told. */
async function killedOnceTold(name: string, args: readonly string[], count: number) {
  const child = startFixture(name, args);
  const numbers: number[] = [];
  for (let next = await child.lines.next(); !next.done; next = await child.lines.next()) {
    numbers.push(Number(next.value));
    if (numbers.length === count) child.process.kill('SIGKILL');
  }
  expect(await child.ended()).toBe('');
  return numbers.at(-1) ?? -1;
}
