import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { analysedRig } from '../helpers/planned-rig.ts';
import { ended } from '../helpers/rig.ts';
import { leavingFlags } from '../helpers/test-rig.ts';
import { trials } from './three-rounds.ts';

test('of two resumes of one session at once, one runs and the other ends with 5', async () => {
  // Of fewer than five, most may happen to be no race.
  const all = Math.max(5, trials(50));
  let contested = 0;
  for (let trial = 0; trial < all; trial += 1) {
    const rig = await analysedRig(...leavingFlags);
    const id = basename(rig.session());
    const resume = () => ended(rig.start('resume', id, '--auto-yes'));
    const both = await Promise.all([resume(), resume()]);
    // Where the first was done before the second tried, the second finds a finished session.
    const codes = both.map(({ code }) => code).join(' ');
    expect(['0 0', '0 5', '5 0']).toContain(codes);
    for (const { stderr } of both.filter(({ code }) => code === 5)) {
      contested += 1;
      expect(stderr).toMatch(/is in use by process \d+ on \S+ since/);
    }
    expect((await rig.conclave('validate', id)).code).toBe(0);
  }
  // Most of the trials were a real race.
  expect(contested).toBeGreaterThan(all / 2);
});
