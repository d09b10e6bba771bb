import { describe, expect, test } from 'vitest';
import type { ContextPackage } from '../../../src/model/context-package.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { Task } from '../../../src/model/task.ts';
import {
  affected,
  checkPlan,
  packageOf,
  planOf,
  short,
  solutionTask,
  taskOf,
  withTasks,
} from './samples.ts';

const files = ['src/load.ts', 'src/cli.ts', 'package.json', 'Makefile'];

async function check({
  tasks,
  plan = planOf(tasks.map(({ id }) => id)),
  contextPackage = packageOf(),
}: {
  readonly tasks: readonly Task[];
  readonly plan?: Plan;
  readonly contextPackage?: ContextPackage;
}) {
  return checkPlan({ plan, tasks, contextPackage, files });
}

const touching = (
  id: string,
  path: string,
  action: 'modify' | 'create' | 'delete',
  ...needs: string[]
) => taskOf(id, { files: [{ path, action }], depends_on: needs });

test('a plan that fits has no finding', async () => {
  const tasks = [
    touching('A', 'src/load.ts', 'modify'),
    touching('B', 'src/new.ts', 'create'),
    touching('C', './src/new.ts', 'modify', 'B'),
    touching('D', 'src/new.ts', 'delete', 'C'),
    touching('E', 'src/new.ts', 'create', 'D'),
  ];
  const contextPackage = packageOf({ affected_files: [affected('src/load.ts')] });
  expect(await check({ tasks, contextPackage })).toEqual([]);
});

test('the meaning rules are part of it, and blocking findings come first', async () => {
  const tasks = [touching('A', 'src/load.ts', 'create', 'B'), taskOf('B', { depends_on: ['A'] })];
  const rules = (await check({ tasks })).map(({ severity, rule }) => `${severity} ${rule}`);
  expect(rules).toEqual(['blocking dependency-cycle', 'warning file-exists']);
});

describe('files', () => {
  test.each<[string, readonly Task[], string | null, string]>([
    [
      'to modify must exist at the base',
      [touching('A', 'src/nowhere.ts', 'modify')],
      'blocking file-missing .task/A.json/files/0/path',
      'A is to modify src/nowhere.ts, which does not exist',
    ],
    [
      'to delete must exist at the base',
      [touching('A', 'src/nowhere.ts', 'delete')],
      'blocking file-missing .task/A.json/files/0/path',
      'A is to delete src/nowhere.ts, which does not exist',
    ],
    [
      'that an earlier task deletes cannot be modified',
      [touching('A', 'src/cli.ts', 'delete'), touching('B', 'src/cli.ts', 'modify', 'A')],
      'blocking file-missing .task/B.json/files/0/path',
      'which A deletes before it',
    ],
    [
      'to create must not exist',
      [touching('A', 'src/cli.ts', 'create')],
      'warning file-exists .task/A.json/files/0/action',
      'which exists already',
    ],
    [
      'that two tasks create are named at the second',
      [touching('A', 'src/x.ts', 'create'), touching('B', 'src/x.ts', 'create', 'A')],
      'warning file-exists .task/B.json/files/0/action',
      'exists after A',
    ],
    [
      'without an action are not judged',
      [taskOf('A', { files: [{ path: 'src/x.ts' }] })],
      null,
      '',
    ],
    [
      'may be named twice in one task',
      [taskOf('A', { files: [{ path: 'src/cli.ts' }, { path: './src/cli.ts' }] })],
      null,
      '',
    ],
    [
      'of tasks that may run at once must differ',
      [touching('A', 'src/cli.ts', 'modify'), touching('B', './src/cli.ts', 'modify')],
      'blocking file-shared .task/B.json/files/0',
      'B and A may run at once and both touch src/cli.ts; let B depend on A.',
    ],
    [
      'of tasks that wait for each other through a third may be the same',
      [
        touching('A', 'src/cli.ts', 'modify'),
        taskOf('B', { depends_on: ['A'] }),
        touching('C', 'src/cli.ts', 'modify', 'B'),
      ],
      null,
      '',
    ],
  ])('%s', async (_what, tasks, finding, message) => {
    const found = await check({ tasks });
    expect(short(found)).toEqual(finding === null ? [] : [finding]);
    expect(found[0]?.message ?? '').toContain(message);
  });
});

describe('coverage', () => {
  test('an affected file without a task blocks', async () => {
    const contextPackage = packageOf({ affected_files: [affected('src/cli.ts')] });
    const [finding] = await check({ tasks: [taskOf('A')], contextPackage });
    expect(finding).toMatchObject({ severity: 'blocking', rule: 'file-uncovered' });
    expect(finding?.message).toContain('changes src/cli.ts');
  });

  test('but not where its reference failed the check', async () => {
    const failed = affected('src/x.ts', { status: 'failed' });
    const contextPackage = packageOf({ affected_files: [failed] });
    expect(await check({ tasks: [taskOf('A')], contextPackage })).toEqual([]);
  });
});

describe('criteria', () => {
  test('that are all blank block', async () => {
    const tasks = [taskOf('A', { convergence: { criteria: [' ', ''] } })];
    expect(short(await check({ tasks }))).toEqual([
      'blocking criteria-missing .task/A.json/convergence/criteria',
    ]);
  });

  test.each([
    [['sh', '-c', 'npm test'], false],
    [['npm test'], false],
    [[''], false],
    [['npm', 'test'], true],
    [['sh', 'test/run.sh'], true],
    [['make'], true],
  ])('checked by %j warn where that is a shell line', async (argv, isFine) => {
    const tasks = [taskOf('A', { checks: [{ kind: 'command', argv }] })];
    const found = isFine ? [] : ['warning check-shell .task/A.json/checks/0/argv'];
    expect(short(await check({ tasks }))).toEqual(found);
  });
});

/** A task that carries out one of the solution. */
const from = (id: string, origin: string) => taskOf(id, { source: { original_id: origin } });

describe('against the decided solution', () => {
  const contextPackage = withTasks([solutionTask('T1'), solutionTask('T2'), solutionTask('T3')]);
  const found = async (tasks: readonly Task[], over: Partial<Plan> = {}) => {
    const plan = planOf(
      tasks.map(({ id }) => id),
      over,
    );
    return short(await check({ plan, tasks, contextPackage }));
  };
  const lost = 'blocking origin-lost plan.json/task_ids';

  test('each of its tasks has to be carried out by one that says so', async () => {
    const both = [from('TASK-001', 'T1, T3'), taskOf('TASK-002')];
    expect(await found(both)).toEqual([lost]);
    expect(await found([...both, from('TASK-003', 'T2')])).toEqual([]);
  });

  test('what a person deleted is not missed', async () => {
    const removed = [{ id: 'TASK-003', title: 'x', original_id: 'T3' }];
    const tasks = [from('TASK-001', 'T1'), from('TASK-002', 'T2')];
    expect(await found(tasks, { removed_tasks: removed })).toEqual([]);
  });

  test('where no task says what it carries out, that is a warning', async () => {
    expect(await found([taskOf('A'), taskOf('B')])).toEqual([
      'warning origin-unknown plan.json/task_ids',
    ]);
  });
});

/** What the check says of a plan with one task, in short. */
const rulesFor = async (over: {
  readonly remarks: ContextPackage['remarks'];
  readonly task?: Partial<Task>;
  readonly decisions?: Plan['design_decisions'];
}) => {
  const tasks = [taskOf('A', over.task ?? {})];
  const plan = { ...planOf(['A']), design_decisions: over.decisions ?? [] };
  const contextPackage = packageOf({ remarks: over.remarks });
  return short(await check({ tasks, plan, contextPackage }));
};

describe('remarks of examinations', () => {
  const claim = { statement: 'S', path: 'src/load.ts', line: 3, quote: 'load(' };
  const remark = (
    id: string,
    kind: 'objection' | 'note' | 'change' | 'adopted',
    status: 'verified' | 'failed' | null,
  ) => ({
    id,
    kind,
    text: `Look at ${id}.`,
    agents: ['codex'],
    evidence: status === null ? [] : [{ ...claim, status }],
  });
  test.each([
    ['objection', 'verified', ['blocking remark-unanswered plan.json/design_decisions']],
    ['change', 'verified', ['blocking remark-unanswered plan.json/design_decisions']],
    ['adopted', 'verified', ['blocking remark-unanswered plan.json/design_decisions']],
    ['objection', 'failed', ['warning remark-unanswered plan.json/design_decisions']],
    ['change', null, ['warning remark-unanswered plan.json/design_decisions']],
    ['note', 'verified', []],
  ] as const)('an unanswered %s whose evidence is %s: %j', async (kind, status, expected) => {
    expect(await rulesFor({ remarks: [remark('O1', kind, status)] })).toEqual(expected);
  });

  test('are answered by a task, by a decision, or by their id in the text of either', async () => {
    const remarks = ['O1', 'O2', 'O3'].map((id) => remark(id, 'objection', 'verified'));
    const task = { answers: ['O1'], implementation: ['As O3 asks, load once.'] };
    const decisions = [{ decision: 'Not twice.', rationale: 'src/load.ts:3', answers: ['O2'] }];
    expect(await rulesFor({ remarks, task, decisions })).toEqual([]);
    expect(await rulesFor({ remarks: [remark('O12', 'objection', 'verified')], task })).toEqual([
      'blocking remark-unanswered plan.json/design_decisions',
    ]);
  });
});
