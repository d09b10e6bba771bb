import { expect, test } from 'vitest';
import { ended, makeRig } from '../helpers/rig.ts';
import { leavingFlags } from '../helpers/test-rig.ts';
import { todoProject, todoTask } from '../helpers/todo-project.ts';
import { trials } from './three-rounds.ts';

test('of two resumes of one session at once, one runs and the other ends with 5 within half a second', async () => {
  const rig = makeRig();
  try {
    await todoProject(rig);
    let contested = 0;
    for (let trial = 0; trial < trials(50); trial += 1) {
      await rig.conclave('plan', ...leavingFlags, '--tools', 'local', todoTask);
      const id = rig.session().split('/').at(-1) ?? '';
      const resume = () => timed(ended(rig.start('resume', id, '--auto-yes')));
      const both = await Promise.all([resume(), resume()]);
      const busy = both.filter(({ code }) => code === 5);
      // Where the first was done before the second tried, the second finds a finished session.
      expect(both.filter(({ code }) => code === 0).length + busy.length, String(trial)).toBe(2);
      expect(busy.length, String(trial)).toBeLessThanOrEqual(1);
      contested += busy.length;
      for (const { ms, stderr } of busy) {
        expect(stderr).toMatch(/is in use by process \d+ on \S+ since/);
        expect(ms - startUpMs).toBeLessThan(500);
      }
      expect((await rig.conclave('validate', id)).code).toBe(0);
      await rig.conclave('sessions', 'rm', id, '--yes');
    }
    // Most of the trials were a real race.
    expect(contested).toBeGreaterThan(trials(50) / 2);
  } finally {
    rig.remove();
  }
});

/** What the program needs to start when two of them share the machine, at the most. */
const startUpMs = 400;

async function timed<T extends object>(end: Promise<T>): Promise<T & { ms: number }> {
  const start = performance.now();
  const result = await end;
  return { ...result, ms: performance.now() - start };
}
