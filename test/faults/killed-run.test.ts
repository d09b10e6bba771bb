import { globSync, readFileSync, rmSync } from 'node:fs';
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
    const faults = await Promise.all(
      lanes.map(async (rig, lane) => {
        const found: string[] = [];
        for (let trial = lane; trial < count && found.length === 0; trial += lanes.length) {
          found.push(...(await faultsAfterKill(rig, (full * (trial + Math.random())) / count)));
        }
        return found;
      }),
    );
    expect(faults.flat()).toEqual([]);
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

/** Kills a run at that moment, resumes it, and says what is then not as it should be. */
async function faultsAfterKill(rig: Rig, afterMs: number): Promise<readonly string[]> {
  const child = rig.start('plan', ...flags, todoTask);
  const end = ended(child);
  await wait(afterMs);
  child.kill('SIGKILL');
  await end;
  // Killed before the session had a journal: nothing was paid for, nothing is saved.
  const isSaved =
    globSync('.workflow/.multi-cli-plan/*/journal.jsonl', { cwd: rig.repo }).length > 0;
  const faults = isSaved ? await faultsAfterResume(rig) : [];
  const alive = await lastSurvivors(rig);
  if (alive.length > 0) faults.push(`still alive: ${alive.join(', ')}`);
  forget(rig);
  return faults.map((fault) => `killed after ${Math.round(afterMs)} ms: ${fault}`);
}

async function faultsAfterResume(rig: Rig): Promise<string[]> {
  const paid = finishedRuns(rig);
  const again = await rig.conclave('resume', ...flags, rig.session().split('/').at(-1) ?? '');
  const apart = globSync('data/conclave/running/*/*', { cwd: rig.home });
  const faults = [...leftOvers(rig), ...apart].map((name) => `left over: ${name}`);
  // Killed inside the first write: the record says so, and a new run is free.
  if (again.code === 9 && paid.length === 0) return faults;
  if (again.code !== 0) return [...faults, `resumed with ${again.code}: ${again.stderr}`];
  const { code, stdout } = await rig.conclave('validate');
  if (code !== 0) faults.push(`the plan is invalid: ${stdout}`);
  const starts = startsOf(rig, paid);
  return starts.every((count) => count === 1)
    ? faults
    : [...faults, `paid for again: ${JSON.stringify(paid)} started ${starts.join(', ')} times`];
}

/** Who is still alive when all have had five seconds to end. */
async function lastSurvivors(rig: Rig): Promise<readonly number[]> {
  const until = performance.now() + 5_000;
  let alive = survivors(rig);
  for (; alive.length > 0 && performance.now() < until; alive = survivors(rig)) await wait(20);
  return alive;
}

/** Agent runs that the journal holds as finished: `[vendor, phase-round]`. */
function finishedRuns(rig: Rig): [string, string][] {
  const journals = [
    join(rig.session(), 'journal.jsonl'),
    ...globSync(join(rig.home, 'data/conclave/running/*/journal.jsonl')),
  ];
  const lines = journals.flatMap((path) => readFileSync(path, 'utf8').split('\n'));
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
  rmSync(join(rig.home, 'data/conclave'), { recursive: true, force: true });
  rmSync(join(rig.repo, '.workflow'), { recursive: true, force: true });
  for (const vendor of vendors) rmSync(join(rig.home, `${vendor}.witness`), { force: true });
}
