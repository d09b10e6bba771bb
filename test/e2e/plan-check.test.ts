// Tests of what becomes of findings: back to the planner, kept with the plan, gone with an edit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planWith } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution, stances, witnessed } from '../helpers/vendors.ts';

const overview = {
  phase: 'planning',
  plan: { summary: 'Print the todos as JSON on request.', approach: 'Read the flag.' },
};

const first = {
  id: 'TASK-001',
  source: { original_id: 'T1' },
  title: 'Print JSON from listTodos',
  description: 'Read --json from args in listTodos and print JSON.stringify(todos).',
  depends_on: [],
  files: [
    { path: 'src/commands/list.js', action: 'modify', target: 'listTodos', change: 'Branch.' },
  ],
  implementation: ['In listTodos (src/commands/list.js:4), look for --json among args.'],
  convergence: { criteria: ['`todo list --json` prints an array that JSON.parse reads'] },
  checks: [{ kind: 'command', argv: ['node', '--test'] }],
};

const second = {
  ...first,
  id: 'TASK-002',
  source: { original_id: 'T2' },
  title: 'Test the JSON output',
  description: 'Parse the printed JSON.',
  depends_on: ['TASK-001'],
  files: [{ path: 'test/list.test.js', action: 'modify', change: 'Add a test.' }],
  implementation: ['Follow test/list.test.js:5.'],
};

const good = { ...overview, tasks: [first, second] };

/** One planner that answers so, and so once more when it is told of findings. */
function plannerOf(rig: Rig, answer: unknown, again: unknown): void {
  const propose = { answer: { solutions: [listSolution()], questions: [] } };
  const examine = { answer: stances({ A: 'support' }) };
  const plan = { answer };
  const script = { propose, examine, plan, 'plan-1-repair': { answer: again } };
  configureVendors(rig, { alpha: script, beta: script });
}

const plans = (rig: Rig) =>
  ['alpha', 'beta']
    .flatMap((name) => witnessed(rig, name))
    .filter((line) => line.startsWith('start plan-1'));

test('a good plan is written with one call and without a finding', async () => {
  const rig = await todoRig();
  planWith(rig, { answer: good });
  const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(code).toBe(0);
  expect(stdout).toMatch(/plan check +no problems/);
  expect(plans(rig).length).toBe(1);
});

test(
  'untrue statements about the code go back to the planner once, with all findings',
  short,
  async () => {
    const rig = await todoRig();
    const planted = {
      ...first,
      implementation: ['Follow src/store.js:999.'],
      uses: [{ name: 'TodoFormatter', path: 'src/store.js' }],
      convergence: { criteria: ['The output works correctly'] },
      checks: [
        { kind: 'command', argv: ['pytest', '-q'] },
        { kind: 'text', path: 'src/commands/list.js', contains: 'listTodos' },
      ],
    };
    plannerOf(rig, { ...overview, tasks: [planted, second] }, good);
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toMatch(/plan check +no problems/);
    expect(plans(rig).length).toBe(2);
    const [name = ''] =
      plans(rig).length === 2
        ? ['alpha', 'beta'].filter((one) =>
            witnessed(rig, one).some((line) => line.startsWith('start plan-1')),
          )
        : [];
    const prompt = readFileSync(join(rig.session(), `planning/1/${name}-mended/prompt.md`), 'utf8');
    for (const said of [
      'cites src/store.js:999, but that file ends with line 11',
      'TodoFormatter',
      'runs pytest, but no file of the repository knows this program',
      'already passes before the work',
    ]) {
      expect(prompt).toContain(said);
    }
  },
);

test('a planner mends its plan by the one task that changes, and keeps its plan where it names no task of it', async () => {
  const planted = { ...first, implementation: ['Follow src/store.js:999.'] };
  const rig = await todoRig();
  plannerOf(rig, { ...overview, tasks: [planted, second] }, { plan: null, tasks: [first] });
  const mended = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(mended.stdout).toMatch(/plan check +no problems/);
  expect(rig.json('plan.json')).toMatchObject({ task_ids: ['TASK-001', 'TASK-002'] });
  const elsewhere = { ...first, id: 'TASK-009' };
  plannerOf(rig, { ...overview, tasks: [planted, second] }, { plan: null, tasks: [elsewhere] });
  const refused = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(refused.stdout).toContain(
    'TASK-009 is not a task of the plan; its tasks are TASK-001, TASK-002',
  );
  expect(rig.json('plan.json')).toMatchObject({ task_ids: ['TASK-001', 'TASK-002'] });
});

describe('an answer of a planner', () => {
  test('with one id for two tasks is asked for again, and nothing of it is guessed', async () => {
    const rig = await todoRig();
    plannerOf(rig, { ...overview, tasks: [first, { ...second, id: 'TASK-001' }] }, good);
    const planned = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(planned).toMatchObject({ code: 0 });
    expect(plans(rig).length).toBe(2);
    expect(rig.json('plan.json')).toMatchObject({ task_ids: ['TASK-001', 'TASK-002'] });
  });

  test('whose check was left out for its form says so', async () => {
    const rig = await todoRig();
    const lost = {
      ...first,
      checks: [...first.checks, { kind: 'symbol', path: 'src/cli.js', label: 'x' }],
    };
    const answer = { ...overview, tasks: [lost, second] };
    plannerOf(rig, answer, answer);
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(plans(rig).length).toBe(2);
    expect(stdout).toContain('A check of TASK-001 was left out');
  });
});
