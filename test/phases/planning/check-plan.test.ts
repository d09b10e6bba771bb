import { describe, expect, test } from 'vitest';
import type { ContextPackage } from '../../../src/model/context-package.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { Task } from '../../../src/model/task.ts';
import { checkPlan } from '../../../src/phases/planning/check-plan.ts';
import { affected, packageOf, planOf, short, solutionTask, taskOf, withTasks } from './samples.ts';
import { cpuFloors } from '../../helpers/cpu-floors.ts';

const base = new Set(['src/load.ts', 'src/cli.ts']);
const exists = async (path: string) => base.has(path);

async function check({
  tasks,
  plan = planOf(tasks.map(({ id }) => id)),
  contextPackage = packageOf(),
}: {
  readonly tasks: readonly Task[];
  readonly plan?: Plan;
  readonly contextPackage?: ContextPackage;
}) {
  return checkPlan({ plan, tasks, contextPackage, exists });
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
  const tasks = [
    taskOf('A', { depends_on: ['B'], checks: [{ kind: 'command', argv: ['npm test'] }] }),
    taskOf('B', { depends_on: ['A'] }),
  ];
  const rules = (await check({ tasks })).map(({ severity, rule }) => `${severity} ${rule}`);
  expect(rules.slice(0, 2)).toEqual(['blocking dependency-cycle', 'warning task-order']);
  expect(rules).toContain('warning check-shell');
});

describe('files', () => {
  test.each<[string, readonly Task[], string | null, string]>([
    [
      'to modify must exist at the base',
      [touching('A', 'src/nowhere.ts', 'modify')],
      'blocking file-missing .task/A.json/files/0/path',
      'A modifies src/nowhere.ts, which does not exist',
    ],
    [
      'to delete must exist at the base',
      [touching('A', 'src/nowhere.ts', 'delete')],
      'blocking file-missing .task/A.json/files/0/path',
      'A deletes src/nowhere.ts, which does not exist',
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
      'because of A',
    ],
    [
      'without an action are not judged',
      [taskOf('A', { files: [{ path: 'src/x.ts' }] })],
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

  test('outside the repository are refused and never looked up', async () => {
    const asked: string[] = [];
    const tasks = [touching('A', '../../etc/passwd', 'modify')];
    const found = await checkPlan({
      plan: planOf(['A']),
      tasks,
      contextPackage: packageOf(),
      exists: async (path) => asked.push(path) > 0,
    });
    expect(short(found)).toEqual(['blocking path-outside .task/A.json/files/0/path']);
    expect(asked).toEqual([]);
  });
});

describe('coverage', () => {
  test('an affected file without a task blocks', async () => {
    const contextPackage = packageOf({ affected_files: [affected('src/cli.ts')] });
    const [finding] = await check({ tasks: [taskOf('A')], contextPackage });
    expect(finding).toMatchObject({ severity: 'blocking', rule: 'file-uncovered' });
    expect(finding?.message).toContain('modify src/cli.ts');
  });

  test('but warns where the reference had failed the check', async () => {
    const contextPackage = packageOf({
      affected_files: [affected('src/x.ts', { status: 'failed' })],
    });
    const [finding] = await check({ tasks: [taskOf('A')], contextPackage });
    expect(finding).toMatchObject({ severity: 'warning', rule: 'file-uncovered' });
  });

  const constraints = ['Do not add new runtime dependencies'];

  test('a constraint that nobody mentions is a warning', async () => {
    // In its own list it stands because it was copied there.
    const found = await check({
      plan: planOf(['A'], { constraints }),
      tasks: [taskOf('A')],
      contextPackage: packageOf({ constraints }),
    });
    expect(short(found)).toEqual(['warning constraint-unmentioned plan.json/constraints']);
  });

  test.each([
    ['the plan', planOf(['A'], { approach: constraints.join() }), taskOf('A')],
    [
      'a task',
      planOf(['A']),
      taskOf('A', { description: 'Mind:\nAdd no new runtime\ndependency.' }),
    ],
  ])(
    'a constraint that %s mentions in other forms of its words is met',
    async (_where, plan, task) => {
      const contextPackage = packageOf({ constraints });
      expect(await check({ plan, tasks: [task], contextPackage })).toEqual([]);
    },
  );
});

const after = (need: string) => ({ depends_on: [need] });

describe('the execution flow of the solution', () => {
  const contextPackage = withTasks([solutionTask('T1'), solutionTask('T2')], 'T1 → T2');

  test.each<[string, readonly Task[], readonly string[]]>([
    ['followed', [taskOf('TASK-001'), taskOf('TASK-002', after('TASK-001'))], []],
    [
      'turned round',
      [taskOf('TASK-002'), taskOf('TASK-001', after('TASK-002'))],
      ['warning dependency-turned .task/TASK-001.json/depends_on'],
    ],
    [
      'left out of depends_on',
      [taskOf('TASK-001'), taskOf('TASK-002')],
      ['warning dependency-lost .task/TASK-002.json/depends_on'],
    ],
  ])('%s', async (_how, tasks, findings) => {
    expect(short(await check({ tasks, contextPackage }))).toEqual(findings);
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
    [['/bin/bash', '-lc', 'x'], false],
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

test('1,000 tasks with 3,000 dependencies and one shared file are checked in little time', async () => {
  const tasks = Array.from({ length: 1_000 }, (_, index) =>
    taskOf(`TASK-${index}`, {
      files: [{ path: 'src/load.ts', action: 'modify' }],
      depends_on: [1, 5, 9].filter((back) => back <= index).map((back) => `TASK-${index - back}`),
    }),
  );
  const start = cpuFloors();
  expect(await check({ tasks })).toEqual([]);
  expect(cpuFloors() - start).toBeLessThan(60);
});

/** A task that carries out one of the solution. */
const from = (id: string, origin: string, needs: readonly string[] = []) =>
  taskOf(id, { source: { original_id: origin }, depends_on: [...needs] });

describe('against the decided solution', () => {
  const solution = withTasks([
    solutionTask('T1'),
    solutionTask('T2', { depends_on: ['T1'] }),
    solutionTask('T3'),
  ]);
  const rulesOf = async (tasks: readonly Task[], over: Partial<Plan> = {}) => {
    const plan = planOf(
      tasks.map(({ id }) => id),
      over,
    );
    return short(await check({ plan, tasks: [...tasks], contextPackage: solution }));
  };

  test('a planner that adds a task, turns the order and keeps the old flow is found out', async () => {
    const tasks = [
      from('TASK-001', 'T2'),
      from('TASK-002', 'T1', ['TASK-001']),
      taskOf('TASK-003'),
    ];
    expect(await rulesOf(tasks, { execution_flow: 'TASK-002 → TASK-001 → TASK-009' })).toEqual([
      'blocking origin-lost plan.json/task_ids',
      'warning dependency-turned .task/TASK-002.json/depends_on',
      'warning flow-unknown plan.json/execution_flow',
    ]);
  });

  test('a dependency that the plan has no room for is told', async () => {
    const tasks = [from('TASK-001', 'T1, T3'), from('TASK-002', 'T2')];
    expect(await rulesOf(tasks, { execution_flow: 'T1 → Step-7' })).toEqual([
      'warning dependency-lost .task/TASK-002.json/depends_on',
      'warning flow-unknown plan.json/execution_flow',
    ]);
  });

  test('a flow against the dependencies is told', async () => {
    const tasks = [from('TASK-001', 'T1, T3'), from('TASK-002', 'T2', ['TASK-001'])];
    expect(await rulesOf(tasks, { execution_flow: 'TASK-002 → TASK-001' })).toEqual([
      'warning flow-against plan.json/execution_flow',
    ]);
    expect(await rulesOf(tasks, { execution_flow: 'TASK-001 → TASK-002' })).toEqual([]);
  });

  test('what a person deleted is not missed', async () => {
    const tasks = [from('TASK-001', 'T1'), from('TASK-002', 'T2', ['TASK-001'])];
    expect(await rulesOf(tasks)).toEqual(['blocking origin-lost plan.json/task_ids']);
    const removed = [{ id: 'TASK-003', title: 'x', original_id: 'T3' }];
    expect(await rulesOf(tasks, { removed_tasks: removed })).toEqual([]);
  });

  test('where no task says what it carries out, that is told', async () => {
    const tasks = [taskOf('A'), taskOf('B'), taskOf('C'), taskOf('D')];
    expect(await rulesOf(tasks)).toEqual(['warning origin-unknown plan.json/task_ids']);
  });
});
