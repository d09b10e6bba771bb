import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Work, workBy } from '../helpers/executed-rig.ts';
import { type Rig, fixture, program } from '../helpers/rig.ts';
import { planOf, runs, task } from '../helpers/small-plans.ts';
import { copiedRig } from '../helpers/test-rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import { type Row, medians, useOf } from './measure.ts';

/** Approved plans carried out by the program, against a script that does the same with work trees of git. */
export async function* executionRows(short: boolean): AsyncGenerator<Row> {
  const kept = mkdtempSync(join(tmpdir(), 'conclave-bench-'));
  process.env['CONCLAVE_TESTS_KEPT'] = kept;
  try {
    const turns = short ? 1 : 5;
    yield await executionRow({ count: 1, checked: false, turns, limit: 2 });
    yield await executionRow({ count: 4, checked: false, turns, limit: 1.6 });
    yield await executionRow({ count: 16, checked: false, turns, limit: 1.8 });
    yield await executionRow({ count: 4, checked: true, turns: short ? 1 : 3, limit: 1.6 });
  } finally {
    delete process.env['CONCLAVE_TESTS_KEPT'];
    rmSync(kept, { recursive: true, force: true });
  }
}

interface Execution {
  readonly count: number;
  /** True if each task has a check of its own that takes three seconds. */
  readonly checked: boolean;
  readonly turns: number;
  readonly limit: number;
}

async function executionRow({ count, checked, turns, limit }: Execution): Promise<Row> {
  const median = await medians(turns, async () => {
    const ours = await inCopy(count, checked, ({ repo: cwd, environment: env }) => {
      const words = ['execute', '-y', '--jobs', String(count)];
      return useOf([process.execPath, program, ...words], { cwd, env });
    });
    const hand = await inCopy(count, checked, ({ repo: cwd, environment: env, home }) => {
      const agent = [process.execPath, fixture('vendor'), join(home, 'alpha.json')];
      const words = [String(count), checked ? 'checked' : '', ...agent];
      return useOf(['sh', byHand, ...words], { cwd, env });
    });
    return { ours: ours.ms, hand: hand.ms, oursCpu: ours.cpu, handCpu: hand.cpu };
  });
  const tasks = count === 1 ? 'a task of 1 s' : `${count} tasks of 1 s`;
  return {
    name: `execute ${tasks}${checked ? ', each with a check of 3 s' : ''}`,
    value: median('ours'),
    unit: 'ms',
    floor: [median('hand'), 'by hand in a script'],
    limit,
    cpu: median('oursCpu') / median('handCpu'),
  };
}

const byHand = new URL('by-hand.sh', import.meta.url).pathname;

/** Measures in a copy of the little project with an approved plan of that many tasks. */
async function inCopy<T>(count: number, checked: boolean, measure: (rig: Rig) => T): Promise<T> {
  const rig = await copiedRig(`${count}-${checked}`, (one) => approvedPlan(one, count, checked));
  try {
    return measure(rig);
  } finally {
    rig.remove();
  }
}

async function approvedPlan(rig: Rig, count: number, checked: boolean): Promise<void> {
  await todoProject(rig);
  rig.write('check.sh', 'sleep 3\ntest -f "part-$1.txt"\n');
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Add the check');
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const tasks = numbers.map((n) => {
    const file = `part-${n}.txt`;
    const checks = checked ? [runs('sh', 'check.sh', String(n))] : undefined;
    return { ...task(n, [], [file], checks), id: idOf(n), source: { original_id: `T${n}` } };
  });
  const work: Work = Object.fromEntries(
    numbers.map((n) => [idOf(n), { delay_ms: 1_000, edits: { [`part-${n}.txt`]: 'done\n' } }]),
  );
  workBy(rig, work, { plan: planOf(tasks) });
  const words = ['plan', '--auto-yes', '--max-rounds', '1', '--review', 'skip'];
  const { code, stderr } = await rig.conclave(...words, `Write ${count} parts`);
  if (code !== 0) throw new Error(`there is no approved plan: ${stderr}`);
}

const idOf = (n: number) => `TASK-${String(n).padStart(3, '0')}`;
