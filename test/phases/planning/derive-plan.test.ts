import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BuildFact } from '../../../src/model/context.ts';
import type { ContextPackage } from '../../../src/model/context-package.ts';
import { Plan, isDraftPlan } from '../../../src/model/plan.ts';
import { Task } from '../../../src/model/task.ts';
import type { SolutionTask } from '../../../src/model/proposal.ts';
import { derivePlan } from '../../../src/phases/planning/derive-plan.ts';
import { testCommand } from '../../../src/phases/planning/test-facts.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';
import {
  affected,
  checkPlan,
  exampleFiles,
  examplePackage,
  now,
  solutionTask,
  withTasks,
} from './samples.ts';

function derive(contextPackage: ContextPackage) {
  return derivePlan({ contextPackage, known: exampleFiles, now });
}

const check = (contextPackage: ContextPackage) =>
  checkPlan({ ...derive(contextPackage), contextPackage, files: exampleFiles });

const modify = (file: string, line?: number): SolutionTask['files'][number] => ({
  file,
  action: 'modify',
  ...(line === undefined ? {} : { line }),
});

describe('the example', () => {
  const { plan, tasks } = derive(examplePackage);
  const [, load, remove] = tasks;

  test('becomes one task for each of the solution’s, in the order of their dependencies', () => {
    expect(plan).toMatchObject({
      task_ids: ['TASK-001', 'TASK-002', 'TASK-003', 'TASK-004'],
      task_count: 4,
      execution_flow: 'TASK-001 → (TASK-002, TASK-003) → TASK-004',
      constraints: ['No new dependency'],
      _metadata: { timestamp: now.toISOString(), source: 'direct-planning' },
    });
    expect(tasks.map((task) => task.source?.original_id)).toEqual(['T1', 'T2', 'T3', 'T4']);
  });

  test('keeps what the user answered as a decision', () => {
    expect(plan.design_decisions).toEqual([
      { decision: 'May the cache outlive a command?', rationale: 'The user answered: No.' },
    ]);
  });

  test('passes the plan check without a finding', async () => {
    expect(await check(examplePackage)).toEqual([]);
  });

  test('says that it is a draft where only rules made its solution', () => {
    expect(isDraftPlan(plan)).toBe(false);
    const solution = { ...examplePackage.solution, draft: true };
    const { plan: draft } = derive({ ...examplePackage, solution });
    expect(draft.approach).toContain('This plan is a draft');
    expect(isDraftPlan(draft)).toBe(true);
  });

  test('has no criterion that holds before the work, unless a person is to judge it', () => {
    const [first, ...others] = tasks.map(({ checks }) => checks?.map(({ kind }) => kind));
    expect(first).toEqual(['file', 'manual']);
    // The last command keeps what works, and proves no criterion.
    expect(others).toEqual([
      ['manual', 'command'],
      ['file', 'manual'],
      ['file', 'test', 'manual', 'command'],
    ]);
    for (const { checks = [], convergence } of tasks) {
      const criteria = checks.flatMap(({ describes }) => describes ?? []);
      expect(criteria).toEqual(convergence.criteria);
    }
    expect(remove?.checks?.[0]).toMatchObject({ path: 'src/legacy-config.ts', exists: false });
    expect(load?.convergence.verification).toBe('`npm test` still ends with exit code 0.');
  });
});

describe('the order', () => {
  test('follows the dependencies', () => {
    const { tasks } = derive(withTasks([needing('T1', 'T2'), needing('T2')]));
    expect(tasks.map((task) => task.source?.original_id)).toEqual(['T2', 'T1']);
    expect(tasks.map((task) => task.depends_on)).toEqual([[], ['TASK-001']]);
  });

  test('lets two tasks that touch one file wait for each other', async () => {
    const tasks = [
      solutionTask('T1', { files: [modify('src/cli.ts')] }),
      solutionTask('T2', { files: [modify('./src/cli.ts')] }),
    ];
    const contextPackage = withTasks(tasks);
    expect(derive(contextPackage).tasks[1]?.depends_on).toEqual(['TASK-001']);
    expect(await check(contextPackage)).toEqual([]);
  });
});

const needing = (id: string, ...needs: string[]) => solutionTask(id, { depends_on: needs });

test.each<[string, SolutionTask[], string]>([
  ['a circle', [needing('T1', 'T2'), needing('T2', 'T1')], 'dependency-cycle'],
  ['a dependency on nothing', [needing('T1', 'T9')], 'dependency-unknown'],
  ['a missing file', [solutionTask('T1', { files: [modify('src/no.ts')] })], 'file-missing'],
  ...['../x', '/etc/passwd', '.git/hooks/pre-commit', 'a\u0000b'].map(
    (file): [string, SolutionTask[], string] => [
      `the hostile path ${JSON.stringify(file)}`,
      [solutionTask('T1', { files: [modify(file)] })],
      'path-outside',
    ],
  ),
])('%s of the solution is left for the plan check', async (_what, tasks, rule) => {
  expect((await check(withTasks(tasks))).map((finding) => finding.rule)).toContain(rule);
});

test('one file named twice in a task is one file with two places', () => {
  const files = [modify('src/cli.ts', 3), modify('./src/cli.ts', 9)];
  const { tasks } = derive(withTasks([solutionTask('T1', { files })]));
  expect(tasks[0]?.files).toMatchObject([{ path: 'src/cli.ts', target: 'line 3, 9' }]);
});

/** Contexts whose references are all valid; texts, order, flow and dependencies are anything. */
const present = exampleFiles.filter((file) => file !== 'package.json');
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const contexts = fc
  .array(
    fc.record({
      name: text,
      needs: fc.array(fc.nat(12), { maxLength: 4 }),
      key_point: fc.option(text),
      files: fc.array(
        fc.oneof(
          fc.record({
            file: fc.constantFrom(...present),
            line: fc.integer({ min: 1, max: 99 }),
            action: fc.constant('modify' as const),
          }),
          fc.record({
            file: fc.constantFrom('src/new.ts', 'test/new.test.ts', 'docs/x.md'),
            action: fc.constant('create' as const),
          }),
        ),
        { maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .chain((drafts) => {
    const tasks = drafts.map(({ name, needs, key_point, files }, index) =>
      solutionTask(`T${index + 1}`, {
        name,
        key_point,
        files,
        depends_on: needs.filter((need) => need < index).map((need) => `T${need + 1}`),
      }),
    );
    return fc.record({
      tasks: fc.shuffledSubarray(tasks, { minLength: tasks.length }),
      concerns: fc.array(text, { maxLength: 3 }),
      constraints: fc.array(text, { maxLength: 3 }),
    });
  })
  .map(({ tasks, concerns, constraints }) =>
    withTasks(tasks, '', {
      technical_concerns: concerns,
      constraints,
      affected_files: tasks.flatMap(({ files }) =>
        files.map(({ file, action }) => affected(file, { action })),
      ),
    }),
  );

test('whatever valid solution comes in, plan and tasks are valid and nothing blocks', async () => {
  const schemas = await schemaCheck({});
  await fc.assert(
    fc.asyncProperty(contexts, async (contextPackage) => {
      const { plan, tasks } = derive(contextPackage);
      expect(Plan.parse(plan)).toEqual(plan);
      expect(schemas.check('plan', plan)).toEqual([]);
      for (const task of tasks) {
        expect(Task.parse(task)).toEqual(task);
        expect(schemas.check('task', task)).toEqual([]);
        expect(task.implementation?.length).toBeGreaterThanOrEqual(2);
      }
      const blocking = (await check(contextPackage)).filter(
        ({ severity }) => severity === 'blocking',
      );
      expect(blocking).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

function fact(value: string, more: Partial<BuildFact> = {}): BuildFact {
  return { kind: 'test', value, folder: '', language: null, source: 'x', ...more };
}

const python = { language: 'python' };
const script = { language: 'javascript' };

test.each<[string, readonly string[], readonly BuildFact[], string | null]>([
  ['none is stated', ['a.test.ts'], [], null],
  ['there is no test', [], [fact('npm test')], null],
  ['it is for another language', ['test_a.py'], [fact('npm test', script)], null],
  ['the language has its own', ['test_a.py'], [fact('make test'), fact('tox', python)], 'tox'],
  ['any language will do', ['a.test.ts'], [fact('make test'), fact('tox', python)], 'make test'],
  [
    'a nearer folder has one',
    ['packages/a/x.test.ts'],
    [fact('npm test', script), fact('npm test', { ...script, folder: 'packages/a' })],
    'cd packages/a && npm test',
  ],
  [
    'the tests are in several folders',
    ['packages/a/x.test.ts', 'packages/b/y.test.ts'],
    [fact('npm run all', script), fact('npm test', { ...script, folder: 'packages/a' })],
    'npm run all',
  ],
  ['it only builds', ['a.test.ts'], [fact('npm run build', { ...script, kind: 'build' })], null],
])('the command for tests where %s', (_when, tests, facts, command) => {
  expect(testCommand(tests, facts)).toBe(command);
});
