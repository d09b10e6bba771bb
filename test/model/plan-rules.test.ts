import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import type { Task } from '../../src/model/task.ts';
import { planFindings, taskFile } from '../../src/model/plan-rules.ts';
import { planOf, short, taskOf } from '../phases/planning/samples.ts';

const inFiles = (tasks: readonly Task[]) =>
  tasks.map((task) => ({ file: taskFile(task.id), task }));
const findings = (plan: Plan, tasks: readonly Task[]) =>
  short(planFindings({ plan, tasks: inFiles(tasks) }));
const needing = (id: string, ...needs: string[]) => taskOf(id, { depends_on: needs });

test.each<[string, Plan, readonly Task[], readonly string[]]>([
  ['ids, files and dependencies fit', planOf(['A', 'B']), [taskOf('A'), needing('B', 'A')], []],
  [
    'task_count is wrong',
    planOf(['A'], { task_count: 3 }),
    [taskOf('A')],
    ['blocking task-count plan.json/task_count'],
  ],
  [
    'an id is listed twice, in any case',
    planOf(['A', 'a']),
    [taskOf('A'), taskOf('a')],
    ['blocking task-id-duplicate plan.json/task_ids/1'],
  ],
  [
    'a file is missing',
    planOf(['A', 'B']),
    [taskOf('A')],
    ['blocking task-file-missing plan.json/task_ids/1'],
  ],
  [
    'a file is left over',
    planOf(['A']),
    [taskOf('A'), taskOf('B')],
    ['warning task-file-left-over .task/B.json'],
  ],
  [
    'a dependency is no task',
    planOf(['A']),
    [needing('A', 'Z')],
    ['blocking dependency-unknown .task/A.json/depends_on/0'],
  ],
  [
    'a task depends on itself',
    planOf(['A']),
    [needing('A', 'A')],
    ['blocking dependency-cycle .task/A.json/depends_on/0'],
  ],
])('what is found where %s', (_where, plan, tasks, found) => {
  expect(findings(plan, tasks)).toEqual(found);
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

  test('that two files hold are named in the second file', () => {
    const tasks = [
      { file: '.task/A.json', task: taskOf('A') },
      { file: '.task/B.json', task: taskOf('A') },
    ];
    expect(short(planFindings({ plan: planOf(['A']), tasks }))).toEqual([
      'warning task-file-left-over .task/B.json',
      'blocking task-file-name .task/B.json/id',
    ]);
  });
});

describe('files', () => {
  test('that are there but unreadable are not called missing', () => {
    const found = planFindings({
      plan: planOf(['A', 'B']),
      tasks: inFiles([taskOf('A')]),
      files: ['.task/A.json', '.task/B.json'],
    });
    expect(found).toEqual([]);
  });
});

test('tasks in a circle are named with the whole way', () => {
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
