import { globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Rig } from '../helpers/rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { witnessed } from '../helpers/vendors.ts';
import {
  killed,
  killings,
  leftOvers,
  pieces,
  survivors,
  threeRounds,
  timeOf,
  vendors,
} from './three-rounds.ts';

// The letters are dealt anew, so that in some sessions nobody supports anything at the end.
const flags = ['--auto-yes', '--max-rounds', '3', '--solution', '1'];
const plan = ['plan', ...flags, todoTask];

test.each(pieces(100, 25))(
  'a run that was killed at any moment goes on to its end without asking a finished agent again ($piece/$of)',
  async (share) => {
    const lanes = await Promise.all([threeRounds(), threeRounds()]);
    const [within] = await Promise.all(lanes.map((rig) => timeOf(rig, plan)));
    const faults = await Promise.all(
      lanes.map((rig) =>
        killings({ ...share, within: within ?? 0 }, async (at) => {
          forget(rig);
          await killed(rig, plan, at);
          return faultsAfterResume(rig);
        }),
      ),
    );
    expect(faults.flat()).toEqual([]);
  },
);

async function faultsAfterResume(rig: Rig): Promise<readonly string[]> {
  // Killed before the session had a journal: nothing was paid for, nothing is saved.
  const saved = globSync('.workflow/.multi-cli-plan/*/journal.jsonl', { cwd: rig.repo });
  if (saved.length > 0) {
    const paid = finishedRuns(rig);
    const again = await rig.conclave('resume', ...flags, basename(rig.session()));
    const apart = globSync('data/conclave/running/*/*', { cwd: rig.home });
    const faults = [...leftOvers(rig), ...apart].map((name) => `left over: ${name}`);
    if (faults.length > 0) return faults;
    // Killed inside the first write: the record says so, and a new run is free.
    if (again.code === 9 && paid.length === 0) return [];
    if (again.code !== 0) return [`resumed with ${again.code}: ${again.stderr}`];
    const { code, stdout } = await rig.conclave('validate');
    if (code !== 0) return [`the plan is invalid: ${stdout}`];
    const starts = paid.map(([vendor, key]) => startsOf(rig, vendor, key));
    if (starts.some((count) => count !== 1)) return [`paid for again: ${paid.join(' ')}`];
  }
  await expect.poll(() => survivors(rig)).toEqual([]);
  return [];
}

/** Agent runs that the journals hold as finished: `[vendor, phase-round]`. */
function finishedRuns(rig: Rig): readonly (readonly [string, string])[] {
  const journals = [
    join(rig.session(), 'journal.jsonl'),
    ...globSync(join(rig.home, 'data/conclave/running/*/journal.jsonl')),
  ];
  const text = journals.map((path) => readFileSync(path, 'utf8')).join('\n');
  const key = /"type":"finished".*?"key":"(\w+-\d+)\/(propose|examine|read)\/([a-z]+)".*\}$/gm;
  return [...text.matchAll(key)].map(([, group = '', call, vendor = '']) => [
    vendor,
    `${call === 'read' ? 'plan-review' : call}-${group.replace(/^\w+-/, '')}`,
  ]);
}

function startsOf(rig: Rig, vendor: string, key: string): number {
  return witnessed(rig, vendor).filter((line) => line.startsWith(`start ${key} `)).length;
}

function forget(rig: Rig): void {
  const witnesses = vendors.map((vendor) => `.${vendor}/witness`);
  for (const path of ['data/conclave', ...witnesses]) {
    rmSync(join(rig.home, path), { recursive: true, force: true });
  }
  rmSync(join(rig.repo, '.workflow'), { recursive: true, force: true });
}
