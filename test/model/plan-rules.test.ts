import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import type { Task } from '../../src/model/task.ts';
import { planFindings, taskFile, taskFindings } from '../../src/model/plan-rules.ts';
import { planOf, short, taskOf } from '../phases/planning/samples.ts';

const inFiles = (tasks: readonly Task[]) =>
  tasks.map((task) => ({ file: taskFile(task.id), task }));
const findings = (plan: Plan, tasks: readonly Task[]) =>
  short(planFindings({ plan, tasks: inFiles(tasks) }));

test('a plan whose ids, files and dependencies fit has no finding', () => {
  const tasks = [
    taskOf('TASK-001', { files: [{ path: 'src/a.ts', action: 'modify' }] }),
    taskOf('TASK-002', { depends_on: ['TASK-001'] }),
  ];
  expect(findings(planOf(['TASK-001', 'TASK-002']), tasks)).toEqual([]);
});

test('a wrong task_count is named with the right one', () => {
  const [finding] = planFindings({
    plan: planOf(['A'], { task_count: 3 }),
    tasks: inFiles([taskOf('A')]),
  });
  expect(finding).toEqual({
    severity: 'blocking',
    rule: 'task-count',
    file: 'plan.json',
    pointer: '/task_count',
    message: 'task_count says 3 but task_ids names 1; set it to 1.',
  });
});

describe('ids', () => {
  test.each(['../evil', 'a/b', 'a b', '', '-x', `x${'y'.repeat(64)}`, 'a\u001b[2J'])(
    'that could not be a file name are refused in both places: %j',
    (id) => {
      const found = planFindings({
        plan: planOf([id]),
        tasks: [{ file: '.task/TASK-001.json', task: taskOf(id) }],
      });
      expect(short(found)).toContain('blocking task-id-unsafe plan.json/task_ids/0');
      expect(short(found)).toContain('blocking task-id-unsafe .task/TASK-001.json/id');
      expect(found.map(({ message }) => message).join('\n')).not.toContain('\u001b');
    },
  );

  test('that stand twice in task_ids are named at the second place, in any case', () => {
    expect(findings(planOf(['A', 'a']), [taskOf('A')])).toContain(
      'blocking task-id-duplicate plan.json/task_ids/1',
    );
  });

  test('that two files hold are named in the second file', () => {
    const tasks = [
      { file: '.task/A.json', task: taskOf('A') },
      { file: '.task/B.json', task: taskOf('A') },
    ];
    expect(short(planFindings({ plan: planOf(['A']), tasks }))).toEqual([
      'warning task-file-left-over .task/B.json',
      'blocking task-file-name .task/B.json/id',
      'blocking task-id-duplicate .task/B.json/id',
    ]);
  });
});

describe('files', () => {
  test('that are missing are named in the list', () => {
    expect(findings(planOf(['A', 'B']), [taskOf('A')])).toEqual([
      'blocking task-file-missing plan.json/task_ids/1',
    ]);
  });

  test('that are there but unreadable are not called missing', () => {
    const found = planFindings({
      plan: planOf(['A', 'B']),
      tasks: inFiles([taskOf('A')]),
      files: ['.task/A.json', '.task/B.json'],
    });
    expect(found).toEqual([]);
  });

  test('that no id names are left over', () => {
    expect(findings(planOf(['A']), [taskOf('A'), taskOf('B')])).toEqual([
      'warning task-file-left-over .task/B.json',
    ]);
  });

  test('whose name is not the id are named', () => {
    const tasks = [{ file: '.task/TASK-001.json', task: taskOf('TASK-002') }];
    expect(short(planFindings({ plan: planOf(['TASK-002']), tasks }))).toContain(
      'blocking task-file-name .task/TASK-001.json/id',
    );
  });
});

describe('dependencies', () => {
  test('on no task of the plan are named', () => {
    const tasks = [taskOf('A', { depends_on: ['Z'] })];
    expect(findings(planOf(['A']), tasks)).toEqual([
      'blocking dependency-unknown .task/A.json/depends_on/0',
    ]);
  });

  test('on a left-over task count as unknown', () => {
    const tasks = [taskOf('A', { depends_on: ['B'] }), taskOf('B')];
    expect(findings(planOf(['A']), tasks)).toContain(
      'blocking dependency-unknown .task/A.json/depends_on/0',
    );
  });

  test('on itself are named once, not also as a circle', () => {
    expect(findings(planOf(['A']), [taskOf('A', { depends_on: ['A'] })])).toEqual([
      'blocking dependency-self .task/A.json/depends_on/0',
    ]);
  });

  test('named twice are a warning', () => {
    const tasks = [taskOf('A'), taskOf('B', { depends_on: ['A', 'A'] })];
    expect(findings(planOf(['A', 'B']), tasks)).toEqual([
      'warning dependency-duplicate .task/B.json/depends_on/1',
    ]);
  });

  test('in a circle are named with the whole way', () => {
    const tasks = [
      taskOf('A', { depends_on: ['C'] }),
      taskOf('B', { depends_on: ['A'] }),
      taskOf('C', { depends_on: ['B'] }),
      taskOf('D', { depends_on: ['A'] }),
    ];
    const found = planFindings({ plan: planOf(['A', 'B', 'C', 'D']), tasks: inFiles(tasks) });
    const circle = found.find(({ rule }) => rule === 'dependency-cycle');
    expect(circle).toMatchObject({
      severity: 'blocking',
      file: '.task/A.json',
      pointer: '/depends_on/0',
    });
    expect(circle?.message).toContain('A → C → B → A');
    expect(circle?.message).not.toContain('D');
  });

  test('listed behind the task that needs them are a warning', () => {
    const tasks = [taskOf('A', { depends_on: ['B'] }), taskOf('B')];
    expect(findings(planOf(['A', 'B']), tasks)).toEqual([
      'warning task-order plan.json/task_ids/0',
    ]);
    expect(findings(planOf(['B', 'A']), tasks)).toEqual([]);
  });
});

test.each([
  ['files', { files: [{ path: '/etc/passwd' }] }, '/files/0/path'],
  ['checks', { checks: [{ kind: 'test' as const, path: '../x.test.ts' }] }, '/checks/0/path'],
  ['focus_paths', { focus_paths: ['.git/hooks'] }, '/focus_paths/0'],
  ['reference', { reference: { files: ['.workflow/x'] } }, '/reference/files/0'],
])('a path in %s that leaves the repository is refused', (_field, over, pointer) => {
  expect(findings(planOf(['A']), [taskOf('A', over)])).toEqual([
    `blocking path-outside .task/A.json${pointer}`,
  ]);
});

test('the whole repository may be in focus, and a web page may be a reference', () => {
  const over = { focus_paths: ['.', './'], reference: { files: ['https://example.org/x'] } };
  expect(findings(planOf(['A']), [taskOf('A', over)])).toEqual([]);
});

test('without a plan, the tasks are checked among themselves', () => {
  const tasks = inFiles([taskOf('A', { depends_on: ['B'] }), taskOf('B', { depends_on: ['X'] })]);
  expect(short(taskFindings({ tasks }))).toEqual([
    'blocking dependency-unknown .task/B.json/depends_on/0',
  ]);
});
