import { globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ProofSet } from '../../src/model/proof.ts';
import { jsonProof, markGuard, proofRig, proves } from '../helpers/proof-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { witnessed } from '../helpers/vendors.ts';
import { killed, killings, leftOvers, survivors, timeOf, trials } from './three-rounds.ts';

const plan = ['plan', '--auto-yes', todoTask];

test('a run that was killed in its proof goes on to an approved plan, pays for no call twice, and loses no proof', async () => {
  const late = markGuard({ expect_today: 'fails' });
  const rig = await proofRig({
    beta: { proof: proves([jsonProof(), late]), 'proof-1-repair': proves([markGuard()]) },
  });
  const within = await timeOf(rig, plan);
  const faults = await killings({ count: trials(40), within }, async (at) => {
    forget(rig);
    await killed(rig, plan, at);
    return await faultsAfterResume(rig);
  });
  expect(faults).toEqual([]);
});

async function faultsAfterResume(rig: Rig): Promise<readonly string[]> {
  const [journal] = globSync('.workflow/.multi-cli-plan/*/journal.jsonl', { cwd: rig.repo });
  if (journal === undefined) return [];
  const [paid, before] = [finishedCalls(rig), starts(rig)];
  const again = await rig.conclave('resume', '--auto-yes', basename(rig.session()));
  // Killed inside the first write: the record says so, and a new run is free.
  if (again.code === 9 && paid === 0) return [];
  if (again.code !== 0) return [`resumed with ${again.code}: ${again.stderr}`];
  const { code, stdout } = await rig.conclave('validate');
  await expect.poll(() => survivors(rig)).toEqual([]);
  const called = starts(rig) - before;
  return [
    ...(code === 0 ? [] : [`the plan is invalid: ${stdout}`]),
    ...(called <= allCalls - paid && before + called >= allCalls
      ? []
      : [`of ${before} calls ${paid} were paid, and ${called} made again`]),
    ...leftOvers(rig),
    ...(ProofSet.parse(rig.json('proof/proof.json')).proofs.length === 2
      ? []
      : ['a proof is lost']),
  ];
}

/** The author is asked for its tests, and once more about one of them. */
const allCalls = 2;

/** The author's calls that the journal holds as finished; a further one may be staged beside it, and counts, too. */
function finishedCalls(rig: Rig): number {
  const text = readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8');
  return (
    text.match(/"type":"finished".*?"key":"proof-1\/(?:mend-)?proof\/beta[^"/]*"/g)?.length ?? 0
  );
}

function starts(rig: Rig): number {
  return witnessed(rig, 'beta').filter((line) => line.startsWith('start proof-1 ')).length;
}

function forget(rig: Rig): void {
  rmSync(join(rig.home, 'beta.witness'), { force: true });
  rmSync(join(rig.repo, '.workflow'), { recursive: true, force: true });
}
