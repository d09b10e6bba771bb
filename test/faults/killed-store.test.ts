import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sweepTemporary } from '../../src/store/atomic.ts';
import { claimSession } from '../../src/store/session-folder.ts';
import { startFixture, type Child } from '../store/child.ts';
import { newRoot, someTime, withJournal } from '../store/room.ts';
import { trials } from './three-rounds.ts';

test('kills of appending processes lose no acknowledged record', async () => {
  const lives = await Promise.all([killedTimes(trials(50)), killedTimes(trials(50))]);
  for (const { keys, acknowledged } of lives.flat()) {
    expect(keys).toEqual(keys.map((_, number) => `step-${number}`));
    // The one that was written but not acknowledged may be there, too.
    expect([acknowledged + 1, acknowledged + 2]).toContain(keys.length);
  }
});

/** The keys that the journal held after each kill, and the last number that was told before. */
async function killedTimes(count: number) {
  const root = await newRoot();
  const folder = await claimSession({ root, task: 'x', now: someTime });
  const lives: { keys: string[]; acknowledged: number }[] = [];
  for (let round = 1; round <= count; round += 1) {
    const child = startFixture('append-for-ever.ts', [root, folder.id]);
    const acknowledged = await lastNumberOf(child, { killAfter: (round % 10) * 5 + 5 });
    const keys = await withJournal(folder, async ({ records }) =>
      records.flatMap((record) => (record.type === 'finished' ? [record.key] : [])),
    );
    lives.push({ keys, acknowledged });
  }
  return lives;
}

test('a kill in the middle of replacing a file leaves it whole, and the sweep the folder clean', async () => {
  const root = await newRoot();
  const folder = await claimSession({ root, task: 'x', now: someTime });
  for (let round = 1; round <= trials(40); round += 1) {
    const child = startFixture('replace-for-ever.ts', [root, folder.id]);
    const acknowledged = await lastNumberOf(child, { killAfter: (round % 8) * 2 + 2 });
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

/** Kills the child once it has told some numbers; returns the last one that it told. */
async function lastNumberOf(child: Child, { killAfter }: { killAfter: number }): Promise<number> {
  const numbers: number[] = [];
  for (let next = await child.lines.next(); !next.done; next = await child.lines.next()) {
    numbers.push(Number(next.value));
    if (numbers.length === killAfter) child.process.kill('SIGKILL');
  }
  expect(await child.ended()).toBe('');
  return numbers.at(-1) ?? -1;
}
