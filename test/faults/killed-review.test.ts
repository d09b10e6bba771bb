import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Plan } from '../../src/model/plan.ts';
import { Task } from '../../src/model/task.ts';
import { type Rig, ended } from '../helpers/rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { leftOvers, survivors, threeRounds, trials } from './three-rounds.ts';

/** What each killed call wanted; the values grow, so that every state can be told apart. */
const edits = (trial: number) => [
  `plan.summary=Summary ${trial}`,
  `TASK-001.title=Title ${trial}`,
  `TASK-002.title=Title ${trial}`,
];

test('a review that was killed at any moment loses no edit and leaves no half of one', async () => {
  const rig = await threeRounds();
  try {
    await rig.conclave('plan', '--auto-yes', '--max-rounds', '3', todoTask);
    const since = performance.now();
    await review(rig, 0);
    const full = performance.now() - since;
    const count = trials(100);
    const faults: string[] = [];
    for (let trial = 1; trial <= count && faults.length === 0; trial += 1) {
      const at = (full * (trial - Math.random())) / count;
      faults.push(...(await faultsAfterKill(rig, { trial, at })));
    }
    expect(faults).toEqual([]);
  } finally {
    rig.remove();
  }
});

function review(rig: Rig, trial: number) {
  return rig.conclave('review', ...edits(trial).flatMap((edit) => ['--set', edit]), '--approve');
}

async function faultsAfterKill(
  rig: Rig,
  { trial, at }: { readonly trial: number; readonly at: number },
): Promise<readonly string[]> {
  const before = stateOf(rig);
  const sets = edits(trial).flatMap((edit) => ['--set', edit]);
  const child = rig.start('review', ...sets, '--approve');
  const end = ended(child);
  await wait(at);
  child.kill('SIGKILL');
  await end;
  const faults: string[] = [];
  // Mends whatever was cut short, and approves it.
  const { code, stderr } = await rig.conclave('review', '--approve');
  if (code !== 0) faults.push(`approving ended with ${code}: ${stderr}`);
  const after = stateOf(rig);
  const whole = [`Summary ${trial}`, `Title ${trial}`, `Title ${trial}`].join('|');
  if (after !== before && after !== whole) faults.push(`half of an edit: ${after}`);
  const valid = await rig.conclave('validate');
  if (!valid.stdout.includes('No problem found')) faults.push(valid.stdout);
  const handedOver = JSON.stringify(rig.json('execution-context.json'));
  if (!handedOver.includes(after.split('|')[0] ?? '')) faults.push('another plan was handed over');
  faults.push(...leftOvers(rig));
  return faults.map((fault) => `trial ${trial}, killed after ${Math.round(at)} ms: ${fault}`);
}

function stateOf(rig: Rig): string {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(join(rig.session(), file), 'utf8'));
  const plan = Plan.parse(read('plan.json'));
  const titles = ['TASK-001', 'TASK-002'].map((id) => Task.parse(read(`.task/${id}.json`)).title);
  return [plan.summary, ...titles].join('|');
}

/** Each ends with the plan sent back, or rejected. */
const judging = [
  ['--comment', 'TASK-001: one array'],
  ['--reject', '--comment', 'not now'],
] as const;

test('a comment that was killed is paid for once, and no approval stands beside a rejection', async () => {
  const lanes = await Promise.all([threeRounds(), threeRounds()]);
  const count = trials(200);
  try {
    const faults = await Promise.all(
      lanes.map(async (rig, lane) => {
        const flags = judging[lane] ?? [];
        await rig.conclave('plan', '--auto-yes', '--max-rounds', '3', todoTask);
        const since = performance.now();
        await rig.conclave('review', ...flags);
        const full = performance.now() - since;
        const found: string[] = [];
        for (let trial = 0; trial < count && found.length === 0; trial += lanes.length) {
          await rig.conclave('review', '--approve');
          const at = (full * (trial + Math.random())) / count;
          found.push(...(await faultsOfJudging(rig, { flags, at })));
        }
        return found;
      }),
    );
    expect(faults.flat()).toEqual([]);
  } finally {
    for (const rig of lanes) rig.remove();
  }
});

async function faultsOfJudging(
  rig: Rig,
  { flags, at }: { readonly flags: readonly string[]; readonly at: number },
): Promise<readonly string[]> {
  const paidBefore = plansMade(rig);
  const child = rig.start('review', ...flags);
  const end = ended(child);
  await wait(at);
  child.kill('SIGKILL');
  await end;
  const faults: string[] = [];
  const isApproved = existsSync(join(rig.session(), 'approval.json'));
  const journal = readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8');
  const verdicts = journal.match(/"kind":"(?:approve|reject|revise|leave)"/g) ?? [];
  if (isApproved && verdicts.at(-1)?.includes('reject') === true) {
    faults.push('an approval stands beside a rejection');
  }
  const answered = plansMade(rig) - paidBefore;
  // One that had let go of the session was done: the same words again are then a new comment.
  const wasDone = !existsSync(join(rig.session(), 'owner.json'));
  const { code, stderr } = await rig.conclave('review', ...flags);
  if (code !== 0) faults.push(`again: ended with ${code}: ${stderr}`);
  const paid = plansMade(rig) - paidBefore;
  if (answered === 1 && !wasDone && paid > 1) faults.push(`paid for ${paid} times`);
  faults.push(...leftOvers(rig), ...survivors(rig).map((pid) => `still alive: ${pid}`));
  return faults.map((fault) => `${flags[0]}, killed after ${Math.round(at)} ms: ${fault}`);
}

/** How many plans the planner has been asked for and has answered. */
function plansMade(rig: Rig): number {
  const journal = readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8');
  return journal.match(/"type":"finished"[^\n]*"key":"plan-\d+(?:\.\d+)?\/plan\//g)?.length ?? 0;
}
