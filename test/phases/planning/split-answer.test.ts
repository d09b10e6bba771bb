import { describe, expect, test } from 'vitest';
import type { ContextPackage } from '../../../src/model/context-package.ts';
import { Plan, type PlanAnswer } from '../../../src/model/plan.ts';
import { Task } from '../../../src/model/task.ts';
import { splitAnswer } from '../../../src/phases/planning/split-answer.ts';
import {
  checkPlan,
  now,
  packageOf,
  planOf,
  short,
  solutionTask,
  taskOf,
  withTasks,
} from './samples.ts';

function answerOf(tasks: readonly Task[], plan: Partial<PlanAnswer['plan']> = {}): PlanAnswer {
  return {
    session: 'MCP-cache-2026-11-21-ab12',
    phase: 'planning',
    plan: { summary: 'A summary.', approach: 'An approach.', ...plan },
    tasks: [...tasks],
  };
}

const given = { contextPackage: withTasks([]), now };

function split(answer: PlanAnswer, contextPackage: ContextPackage = withTasks([])) {
  return splitAnswer({ answer, contextPackage, now });
}

test('fills what code knows better than the agent', () => {
  const answer = answerOf([taskOf('TASK-001'), taskOf('TASK-002', { depends_on: ['TASK-001'] })], {
    task_count: 9,
    _metadata: { timestamp: '1999-01-01T00:00:00.000Z', source: 'direct-planning' },
  });
  const { plan, tasks, findings } = split(answer);
  expect(findings).toEqual([]);
  expect(plan).toMatchObject({
    task_ids: ['TASK-001', 'TASK-002'],
    task_count: 2,
    _metadata: { timestamp: '2026-11-21T08:00:00.000Z', source: 'cli-lite-planning-agent' },
  });
  expect(Plan.parse(plan)).toEqual(plan);
  expect(tasks.map((task) => Task.parse(task))).toEqual(tasks);
});

describe('ids', () => {
  test('that a person took out stay out in a new version', () => {
    const removed_tasks = [{ id: 'TASK-002', title: 'Cache it' }];
    const earlier = { plan: planOf(['TASK-001'], { removed_tasks }), tasks: [taskOf('TASK-001')] };
    const answer = answerOf([taskOf('TASK-001', { title: 'Another title' })]);
    expect(splitAnswer({ ...given, answer, earlier }).plan).toMatchObject({ removed_tasks });
  });

  test('stay in the agent’s order, moved only behind what they depend on', () => {
    const tasks = [taskOf('A', { depends_on: ['C'] }), taskOf('B'), taskOf('C'), taskOf('D')];
    expect(split(answerOf(tasks)).plan.task_ids).toEqual(['C', 'A', 'B', 'D']);
  });
});

test('what only execution may write is dropped', () => {
  const task = taskOf('A', {
    status: 'completed',
    executed_at: '2026-11-21T08:00:00.000Z',
    result: { success: true },
    context_package_path: '/etc/passwd',
  });
  const [kept] = split(answerOf([task])).tasks;
  const own = { context_package_path: 'context-package.json', test: { commands: [] } };
  expect(kept).toEqual(taskOf('A', own));
});

test.each(['/etc/passwd', '../x', '.git/hooks/x', '.workflow/x', 'a\u0007b', 'C:\\x'])(
  'the hostile path %j is kept in sight of the plan check',
  async (path) => {
    const contextPackage = withTasks([solutionTask('T1')]);
    const made = split(answerOf([taskOf('A', { files: [{ path }] })]), contextPackage);
    const found = await checkPlan({ ...made, contextPackage, files: [path] });
    expect(short(found)).toContain('blocking path-outside .task/A.json/files/0/path');
  },
);

test('a check without the form of one is a finding at its task, a lost detail of one is not', () => {
  const leftOut = [
    { pointer: '/tasks/1/checks/0/symbol', message: 'is missing' },
    { pointer: '/tasks/0/checks/0/describes', message: 'is missing' },
    { pointer: '/tasks/0/checks/1/criterion', message: 'must be an integer' },
    { pointer: '/tasks/0/effort', message: 'must be one of …' },
    { pointer: '/tasks/9/checks/0', message: 'is missing' },
  ];
  const answer = answerOf([taskOf('TASK-001'), taskOf('TASK-002')]);
  const { findings } = splitAnswer({ ...given, answer, leftOut });
  expect(short(findings)).toEqual([
    'warning check-lost .task/TASK-002.json/checks',
    'warning check-lost .task/TASK-001.json/checks',
  ]);
  expect(findings[0]?.message).toContain('/tasks/1/checks/0/symbol is missing;');
});

const origin = (id: string) => ({ source: { original_id: id } });

describe('what the agent dropped of the context package comes back', () => {
  const contextPackage = withTasks(
    [solutionTask('T1'), solutionTask('T2', { depends_on: ['T1'] })],
    '',
    {
      constraints: ['No new dependency'],
      dependencies: { internal: ['src/parse.ts'], external: [] },
      uncertainty: 'Nobody agreed.',
    },
  );

  const tasks = [taskOf('TASK-001', origin('T1')), taskOf('TASK-002', origin('T2'))];

  test('dependencies between the solution’s tasks, but not against the agent’s own order', () => {
    expect(split(answerOf(tasks), contextPackage).tasks[1]?.depends_on).toEqual(['TASK-001']);
    const turned = [taskOf('TASK-001', { ...origin('T1'), depends_on: ['TASK-002'] })];
    const made = split(answerOf([...turned, ...tasks.slice(1)]), contextPackage);
    expect(made.tasks.map(({ id }) => id)).toEqual(['TASK-002', 'TASK-001']);
    expect(made.tasks.map((task) => task.depends_on)).toEqual([[], ['TASK-002']]);
  });

  test('constraints, flow, milestones, package dependencies and uncertainty', () => {
    const { implementation_plan: implementation } = contextPackage;
    const made = split(answerOf(tasks, { constraints: ['Be quick'] }), {
      ...contextPackage,
      implementation_plan: { ...implementation, milestones: ['It is cached'] },
    });
    expect(made.plan).toMatchObject({
      constraints: ['Be quick', 'No new dependency'],
      execution_flow: 'TASK-001 → TASK-002',
      milestones: ['It is cached'],
      uncertainty: 'Nobody agreed.',
      shared_context: { dependencies: { internal: ['src/parse.ts'], external: [] } },
    });
  });

  test('what the agent wrote itself stays', () => {
    const own = { milestones: ['mine'], shared_context: { x: 1 } };
    const { plan } = split(answerOf([taskOf('TASK-001')], own), packageOf());
    expect(plan).toMatchObject(own);
  });
});

describe('fields that nobody asked for', () => {
  const odd = { evidence: 'src/a.js:1', commit: 7, parallel_group: 'A', status: 'done', own: [1] };

  test('are left out, whatever stands in them; fields of no shape stay', () => {
    const task: Task = Object.assign(taskOf('TASK-001'), Object(odd));
    const answer = answerOf([task], Object({ removed_tasks: 'TASK-009' }));
    const { plan, tasks, findings } = split(answer);
    expect(Task.parse(tasks[0])).toEqual(tasks[0]);
    expect(Plan.parse(plan)).toEqual(plan);
    expect(Object.keys(tasks[0] ?? {})).not.toEqual(expect.arrayContaining(['evidence']));
    expect(tasks[0]).toMatchObject({ own: [1], context_package_path: 'context-package.json' });
    expect(findings).toEqual([]);
  });

  test('stay as a person set them in the version before, and where the user’s schema asks for them', () => {
    const meta = { execution_config: { method: 'cli' as const } };
    const before = taskOf('TASK-001', { meta });
    const earlier = { plan: Plan.parse(planOf(['TASK-001'])), tasks: [before] };
    const answer = answerOf([Object.assign(taskOf('TASK-001'), { inputs: ['a'], outputs: 'b' })]);
    const extension = { properties: { inputs: {}, outputs: {} } };
    const { tasks } = splitAnswer({ answer, ...given, earlier, extension });
    expect(tasks[0]).toMatchObject({
      meta: { execution_config: { method: 'cli' } },
      inputs: ['a'],
    });
    expect(tasks[0]).not.toHaveProperty('outputs');
  });
});
