import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Plan } from '../../src/model/plan.ts';
import { Task } from '../../src/model/task.ts';
import { plannedRig } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { killed, killings, leftOvers, survivors, timeOf, trials } from './three-rounds.ts';

/** The values grow, so that every state can be told apart. */
const editing = (trial: number) => {
  const fields = [`plan.summary=Summary`, `TASK-001.title=Title`, `TASK-002.title=Title`];
  return ['review', ...fields.flatMap((field) => ['--set', `${field} ${trial}`]), '--approve'];
};

test('a review that was killed at any moment loses no edit and leaves no half of one', async () => {
  const rig = await plannedRig();
  const within = await timeOf(rig, editing(1));
  const faults = await killings({ count: trials(100), within }, async (at, number) => {
    const trial = number + 2;
    const before = stateOf(rig);
    await killed(rig, editing(trial), at);
    // Mends whatever was cut short, and approves it.
    const { code, stderr } = await rig.conclave('review', '--approve');
    const after = stateOf(rig);
    const { stdout } = await rig.conclave('validate');
    const handedOver = JSON.stringify(rig.json('execution-context.json'));
    return [
      ...(code === 0 ? [] : [`approving ended with ${code}: ${stderr}`]),
      ...([before, `Summary ${trial}|Title ${trial}|Title ${trial}`].includes(after)
        ? []
        : [`half of an edit: ${after}`]),
      ...(stdout.includes('No problem found') ? [] : [stdout]),
      ...(handedOver.includes(after.split('|')[0] ?? '') ? [] : ['another plan was handed over']),
      ...leftOvers(rig),
    ];
  });
  expect(faults).toEqual([]);
});

function stateOf(rig: Rig): string {
  const tasks = ['TASK-001', 'TASK-002'].map((id) => Task.parse(rig.json(`.task/${id}.json`)));
  return [Plan.parse(rig.json('plan.json')).summary, ...tasks.map(({ title }) => title)].join('|');
}

/** Each ends with the plan sent back, or rejected. */
const judging = [
  ['review', '--comment', 'TASK-001: one array'],
  ['review', '--reject', '--comment', 'not now'],
];

test('a comment that was killed is paid for once, and no approval stands beside a rejection', async () => {
  const faults = await Promise.all(
    judging.map(async (words) => {
      const rig = await plannedRig();
      const within = await timeOf(rig, words);
      return killings({ count: trials(200 / judging.length), within }, async (at) => {
        await rig.conclave('review', '--approve');
        const before = plansMade(rig);
        await killed(rig, words, at);
        const answered = plansMade(rig) > before;
        // One that had let go of the session was done: the same words again are a new comment.
        const wasDone = !existsSync(join(rig.session(), 'owner.json'));
        const isApproved = existsSync(join(rig.session(), 'approval.json'));
        const verdict = journalOf(rig)
          .match(/"kind":"(?:approve|reject|revise|leave)"/g)
          ?.at(-1);
        const { code, stderr } = await rig.conclave(...words);
        const paid = plansMade(rig) - before;
        return [
          ...(isApproved && verdict?.includes('reject') ? ['an approval beside a rejection'] : []),
          ...(code === 0 ? [] : [`again: ended with ${code}: ${stderr}`]),
          ...(answered && !wasDone && paid > 1 ? [`paid for ${paid} times`] : []),
          ...leftOvers(rig),
          ...survivors(rig).map((pid) => `still alive: ${pid}`),
        ];
      });
    }),
  );
  expect(faults.flat()).toEqual([]);
});

function journalOf(rig: Rig): string {
  return readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8');
}

/** How many plans the planner has been asked for and has answered. */
function plansMade(rig: Rig): number {
  const made = /"type":"finished"[^\n]*"key":"plan-\d+(?:\.\d+)?\/plan\//g;
  return journalOf(rig).match(made)?.length ?? 0;
}
