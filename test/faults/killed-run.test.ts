import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Rig, ended } from '../helpers/rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { witnessed } from '../helpers/vendors.ts';
import { leftOvers, survivors, threeRounds, trials, vendors } from './three-rounds.ts';

const flags = ['--auto-yes', '--max-rounds', '3'];

test('a run that was killed at any moment goes on to its end without asking a finished agent again', async () => {
  const count = trials(200);
  const lanes = await Promise.all([threeRounds(), threeRounds()]);
  try {
    const full = await timeOf(lanes[0]);
    await Promise.all(
      lanes.map(async (rig, lane) => {
        for (let trial = lane; trial < count; trial += lanes.length) {
          await killAndResume(rig, (full * (trial + Math.random())) / count);
        }
      }),
    );
  } finally {
    for (const rig of lanes) rig.remove();
  }
});

async function timeOf(rig: Rig): Promise<number> {
  const start = performance.now();
  const { code, stderr } = await rig.conclave('plan', ...flags, todoTask);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const full = performance.now() - start;
  forget(rig);
  return full;
}

async function killAndResume(rig: Rig, afterMs: number): Promise<void> {
  const child = rig.start('plan', ...flags, todoTask);
  const end = ended(child);
  await wait(afterMs);
  child.kill('SIGKILL');
  await end;
  const folder = join(rig.repo, '.workflow/.multi-cli-plan');
  // Killed before the session's folder was there: nothing was paid for, nothing is saved.
  if (existsSync(folder) && existsSync(join(rig.session(), 'journal.jsonl'))) {
    const paid = finishedRuns(rig);
    const again = await rig.conclave('resume', ...flags, rig.session().split('/').at(-1) ?? '');
    const at = `killed after ${Math.round(afterMs)} ms in ${rig.session()}`;
    if (again.code === 0) {
      expect(startsOf(rig, paid), at).toEqual(paid.map(() => 1));
      const { code, stdout } = await rig.conclave('validate');
      expect({ code, stdout, at }).toMatchObject({ code: 0, at });
    } else {
      // Killed inside the first write: the record says so, and a new run is free.
      expect({ ...again, at, paid }).toMatchObject({ code: 9, paid: [] });
    }
    expect(leftOvers(rig), at).toEqual([]);
  }
  await expect.poll(() => survivors(rig), { timeout: 5_000 }).toEqual([]);
  forget(rig);
}

/** Agent runs that the journal holds as finished: `[vendor, phase-round]`. */
function finishedRuns(rig: Rig): [string, string][] {
  const lines = readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8').split('\n');
  const key = /"type":"finished".*?"key":"round-(\d+)\/(propose|examine)\/([a-z]+)"/;
  return lines.flatMap((line): [string, string][] => {
    const found = key.exec(line);
    const complete = line.endsWith('}');
    return found === null || !complete ? [] : [[found[3] ?? '', `${found[2]}-${found[1]}`]];
  });
}

function startsOf(rig: Rig, runs: readonly [string, string][]): number[] {
  return runs.map(
    ([vendor, key]) =>
      witnessed(rig, vendor).filter((line) => line.startsWith(`start ${key} `)).length,
  );
}

function forget(rig: Rig): void {
  rmSync(join(rig.repo, '.workflow'), { recursive: true, force: true });
  for (const vendor of vendors) rmSync(join(rig.home, `${vendor}.witness`), { force: true });
}
