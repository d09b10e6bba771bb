// Tests how well many runs fill many machines, by a clock of its own.
import { expect, test } from 'vitest';
import { openRooms } from '../../src/machines/placed-agents.ts';
import { neverAborted } from '../../src/model/signal.ts';

/** A number from 0 to 1 that follows from another one. */
function chance(number: number): number {
  const mixed = Math.imul(number ^ 0x5bd1e995, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

/** Lets everything go on that does not wait for the clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  ['the slots', { slots: 2, atOnce: Infinity }],
  ['what the account may do at once', { slots: 4, atOnce: 60 }],
])('1,000 runs over 50 machines use nine tenths of %s', async (_, { slots, atOnce }) => {
  const [machines, account] = [openRooms(), openRooms()];
  const rooms = Array.from({ length: 50 }, (__, at) => ({ name: `m${at}`, slots }));
  const ends: { readonly at: number; readonly end: () => void }[] = [];
  const inside = new Map<string, number>();
  let now = 0;
  let [running, most, work, done] = [0, 0, 0, 0];
  const runs = Array.from({ length: 1_000 }, async (__, number) => {
    const took = 60 + Math.floor(chance(number) * 240);
    await account.enter([{ name: 'claude', slots: atOnce }], neverAborted);
    const { name } = await machines.enter(rooms, neverAborted);
    inside.set(name, (inside.get(name) ?? 0) + 1);
    expect(inside.get(name)).toBeLessThanOrEqual(slots);
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => ends.push({ at: now + took, end: resolve }));
    work += took;
    done += 1;
    running -= 1;
    inside.set(name, (inside.get(name) ?? 1) - 1);
    machines.leave(name);
    account.leave('claude');
  });
  while (done < runs.length) {
    await settle();
    const [next] = ends.toSorted((a, b) => a.at - b.at);
    if (next === undefined) continue;
    ends.splice(ends.indexOf(next), 1);
    now = next.at;
    next.end();
  }
  await Promise.all(runs);
  const allowed = Math.min(slots * rooms.length, atOnce);
  expect(most).toBeLessThanOrEqual(allowed);
  console.log(`${Math.round((work / (now * allowed)) * 1000) / 10} % of ${allowed} at once`);
  expect(work / (now * allowed)).toBeGreaterThanOrEqual(0.9);
});
