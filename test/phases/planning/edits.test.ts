import {
  type Arbitrary,
  array,
  assert,
  constant,
  constantFrom,
  nat,
  oneof,
  option,
  property,
  record,
  subarray,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../../src/model/check.ts';
import { planFindings, taskFile } from '../../../src/model/plan-rules.ts';
import type { PlanEdit } from '../../../src/model/plan-edit.ts';
import type { PlanFiles } from '../../../src/model/plan.ts';
import type { Task } from '../../../src/model/task.ts';
import { topologicalOrder } from '../../../src/model/task-order.ts';
import { planHash } from '../../../src/phases/planning/plan-hash.ts';
import { applyEdits } from '../../../src/phases/planning/editing/apply-edit.ts';
import { changeText, planChanges } from '../../../src/phases/planning/editing/plan-changes.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';
import { planOf, taskOf } from './samples.ts';

const schemas = await schemaCheck({});

function chain(...over: readonly Partial<Task>[]): PlanFiles {
  const tasks = over.map((part, index) => taskOf(`TASK-00${index + 1}`, part));
  return { plan: planOf(tasks.map(({ id }) => id)), tasks };
}

const three = chain({}, { depends_on: ['TASK-001'] }, { depends_on: ['TASK-002'] });

function done(files: PlanFiles, ...edits: readonly PlanEdit[]): PlanFiles {
  const edited = applyEdits(files, edits, schemas);
  if (!edited.ok) throw new Error(edited.failure.message);
  return edited.value;
}

function why(files: PlanFiles, edit: PlanEdit): string {
  const edited = applyEdits(files, [edit], schemas);
  return edited.ok ? 'accepted' : edited.failure.message;
}

function set(
  task: string | null,
  field: string,
  value: Extract<PlanEdit, { kind: 'set' }>['value'],
): PlanEdit {
  return { kind: 'set', task, field, value };
}

/** The edit that a person makes in the Markdown of the whole plan. */
function whole(
  { plan, tasks }: PlanFiles,
  change: (tasks: readonly Task[]) => readonly Task[],
): PlanEdit {
  return { kind: 'whole', plan, tasks: change(tasks) };
}

describe('setting a field', () => {
  test('works at any depth, adds at the end of a list and takes out with null', () => {
    const files = done(
      three,
      set('TASK-001', 'files.0.path', 'src/a.ts'),
      set('TASK-001', 'files.0.action', 'create'),
      set('TASK-001', 'convergence.criteria.1', 'src/a.ts exports a'),
      set('TASK-001', 'convergence.criteria.0', null),
      set(null, 'constraints.0', 'No new dependency'),
      set('TASK-002', 'priority', 'low'),
      set('TASK-002', 'priority', null),
    );
    expect(files.tasks[0]).toMatchObject({
      files: [{ path: 'src/a.ts', action: 'create' }],
      convergence: { criteria: ['src/a.ts exports a'] },
    });
    expect(files.plan.constraints).toEqual(['No new dependency']);
    expect(files.tasks[1]).not.toHaveProperty('priority');
  });

  test.each([
    [set('TASK-001', 'priority', 'urgent'), 'TASK-001 priority: must be one of "critical", "high"'],
    [set('TASK-001', 'title', null), 'TASK-001 title: '],
    [set('TASK-001', 'titel', 'x'), 'no field "titel"; "conclave schema task" lists the built-in'],
    [set('TASK-001', 'files.1.path', 'x'), 'there is no entry 2 in a list of 0 entries'],
    [set('TASK-001', 'files.0.mode', 'x'), 'TASK-001 files.1.path: is missing'],
    [set('TASK-001', 'title.first', 'x'), 'it is inside a single value'],
    [set('TASK-001', 'priority', null), 'there is nothing to remove'],
    [
      set('TASK-001', 'convergence.criteria.0', null),
      'TASK-001 convergence.criteria: must not be empty',
    ],
    [set('TASK-001', 'constructor', 'x'), 'no field "constructor"'],
    [set('TASK-001', 'test.__proto__.x', 'y'), 'no field "test.__proto__.x"'],
    [set(null, 'execution_flow', 'x'), 'plan execution_flow follows from the tasks'],
    [set('TASK-001', 'id', 'X'), 'TASK-001 keeps its id'],
    [set('TASK-001', 'status', 'completed'), 'TASK-001 status is written by execution'],
    [set(null, 'task_ids.0', 'X'), 'plan task_ids follows from the tasks'],
    [set('TASK-001', 'depends_on', ['TASK-003']), 'wait for each other in a circle'],
    [set('TASK-001', 'files.0.path', '../x'), 'may lead out of the repository'],
    [set('TASK-404', 'title', 'x'), 'There is no task "TASK-404"; the plan has TASK-001'],
  ])('refuses %j', (edit, sentence) => {
    expect(why(three, edit)).toContain(sentence);
  });

  test('of the test commands is refused where they differ from the checks that they follow from', () => {
    const checks: Check[] = [{ kind: 'command', argv: ['npm', 'test'] }];
    const files = chain({ checks, test: { commands: ['npm test'], unit: ['a.test.js'] } });
    const said = 'test.commands follows from its checks and differs from them: change checks';
    expect(why(files, set('TASK-001', 'test.commands', ['rm -rf x']))).toContain(said);
    expect(why(files, set('TASK-001', 'test.commands.0', 'npm run lint'))).toContain(said);
    expect(why(files, set('TASK-001', 'test', { commands: [] }))).toContain(said);
    expect(why(files, set('TASK-001', 'test.unit', ['b.test.js']))).toBe('accepted');
    const other = [{ kind: 'command', argv: ['npm', 'run', 'lint'] }];
    expect(why(files, set('TASK-001', 'checks', other))).toBe('accepted');
  });

  test('keeps a field that only the user’s own schema knows', () => {
    const own = chain({ owner: 'me' });
    expect(done(own, set('TASK-001', 'owner', 'you')).tasks[0]).toMatchObject({ owner: 'you' });
    expect(why(chain({}), set('TASK-001', 'owner', 'you'))).toContain('no field "owner"');
  });

  test('knows the fields of one’s own schema in all its parts', () => {
    const extension = { allOf: [{ anyOf: [{ properties: { owner: {} } }] }] };
    const own = { ...schemas, extension: () => extension };
    const edited = (field: string) => applyEdits(three, [set('TASK-001', field, 'you')], own).ok;
    expect([edited('owner'), edited('owners')]).toEqual([true, false]);
  });

  test('of what a task waits for moves it behind that', () => {
    const files = done(chain({}, {}, {}), set('TASK-001', 'depends_on.0', 'TASK-003'));
    expect(files.plan.task_ids).toEqual(['TASK-003', 'TASK-001', 'TASK-002']);
  });
});

describe('a task', () => {
  test('moves only where nothing stands before what it waits for', () => {
    expect(why(three, { kind: 'move', task: 'TASK-003', to: 0 })).toBe(
      'TASK-003 cannot stand at place 1: TASK-003 depends on TASK-002, which must come before it.',
    );
    expect(why(three, { kind: 'move', task: 'TASK-001', to: 1 })).toContain(
      'TASK-002 depends on TASK-001, which must come before it',
    );
    expect(why(three, { kind: 'move', task: 'TASK-001', to: 3 })).toContain(
      'from 1 to 3, not at 4',
    );
    const free = done(chain({}, {}, {}), { kind: 'move', task: 'TASK-003', to: 0 });
    expect(free.plan.task_ids).toEqual(['TASK-003', 'TASK-001', 'TASK-002']);
  });
});

function lines(before: PlanFiles, after: PlanFiles): readonly string[] {
  return planChanges(before, after).map(changeText);
}

const long = (word: string) =>
  `The list command reads the flag among its arguments, and ${word} the todos as one JSON array on standard output, whatever else is asked for.`;

describe('the changes between two states', () => {
  test('name task, field and both contents', () => {
    const after = done(
      three,
      whole(three, (tasks) => [
        taskOf('TASK-004', { title: 'New' }),
        ...tasks.flatMap((task) => (task.id === 'TASK-002' ? [] : [{ ...task, depends_on: [] }])),
      ]),
      set('TASK-001', 'title', 'Two\nlines'),
      set('TASK-001', 'convergence.criteria.1', 'b'),
      set(null, 'summary', 'Other.'),
    );
    expect(lines(three, after)).toEqual([
      'plan summary: "A summary." → "Other."',
      'TASK-002 removed: "Task TASK-002"',
      'TASK-004 added: "New"',
      'TASK-001 title: "Task TASK-001" → "Two lines"',
      'TASK-001 convergence.criteria.2: added "b"',
      'TASK-003 depends_on.1: removed "TASK-002"',
    ]);
  });

  test('show of a long text the part that differs, and an entry in words', () => {
    const before = done(three, set('TASK-001', 'description', long('prints')));
    expect(lines(before, done(before, set('TASK-001', 'description', long('writes'))))).toEqual([
      'TASK-001 description: "…its arguments, and prints the todos as one JSON…" → "…its arguments, and writes the todos as one JSON…"',
    ]);
    const check = { kind: 'text', path: 'README.md', contains: 'list [--json]' };
    const [added] = lines(three, done(three, set('TASK-001', 'checks', [check])));
    expect(added).toMatch(/added "kind: text, path: README.md, contains: list \[--json\]/);
  });

  test('tell an entry in the middle of a list as one, and an order as one', () => {
    const many = chain({ outputs: ['a', 'b', 'c'] }, {});
    expect(lines(many, done(many, set('TASK-001', 'outputs', ['a', 'x', 'b', 'c'])))).toEqual([
      'TASK-001 outputs.2: added "x"',
    ]);
    expect(lines(many, done(many, { kind: 'move', task: 'TASK-002', to: 0 }))).toEqual([
      'plan task_ids: "TASK-001, TASK-002" → "TASK-002, TASK-001"',
    ]);
  });

  test('leave out what execution writes and when the plan was written', () => {
    const run = {
      ...three,
      tasks: three.tasks.map((task) => ({ ...task, status: 'completed' as const })),
    };
    const { _metadata: metadata } = run.plan;
    const later = { ...metadata, timestamp: '2030-01-01T00:00:00Z' };
    expect(lines(three, { ...run, plan: { ...run.plan, _metadata: later } })).toEqual([]);
  });
});

const start: PlanFiles = {
  plan: planOf(['TASK-001', 'TASK-002', 'TASK-003'], {
    execution_flow: 'TASK-001 → TASK-002 → TASK-003',
  }),
  tasks: [
    taskOf('TASK-001', { files: [{ path: 'src/a.ts', action: 'modify' }] }),
    taskOf('TASK-002', { depends_on: ['TASK-001'] }),
    taskOf('TASK-003', { depends_on: ['TASK-002', 'TASK-001'] }),
  ],
};

const id = constantFrom('TASK-001', 'TASK-002', 'TASK-003', 'TASK-004', 'TASK-005', 'TASK-099');
const field = constantFrom(
  'title',
  'depends_on',
  'depends_on.0',
  'depends_on.1',
  'priority',
  'files.0.path',
  'files.1.path',
  'files.0.nothing',
  'convergence.criteria.0',
  'convergence.criteria.1',
  'parallel_group',
  'id',
  'status',
  'task_ids',
  'summary',
  'constraints.0',
  '__proto__',
  'a..b',
);
const value = oneof(
  id,
  constantFrom(null, 'high', '../outside', 'src/b.ts', 3, true, [], {}),
  array(id, { maxLength: 3 }),
);
const edit: Arbitrary<PlanEdit> = oneof(
  record({ kind: constant('set'), task: option(id), field, value }),
  record({ kind: constant('move'), task: id, to: nat({ max: 6 }) }),
  subarray([...start.tasks], { minLength: 1 }).map((tasks) => whole(start, () => tasks)),
);

test('after any edits that were accepted the plan is valid, and what it refers to is there', () => {
  const accepted = new Set<string>();
  const refusals: string[] = [];
  assert(
    property(array(edit, { maxLength: 12 }), (edits) => {
      let files = start;
      for (const one of edits) {
        const edited = applyEdits(files, [one], schemas);
        if (!edited.ok) {
          refusals.push(edited.failure.message);
          continue;
        }
        files = edited.value;
        accepted.add(one.kind);
      }
      const { plan, tasks } = files;
      expect(schemas.check('plan', plan)).toEqual([]);
      for (const task of tasks) expect(schemas.check('task', task)).toEqual([]);
      expect(plan.task_ids).toEqual(tasks.map((task) => task.id));
      const entries = tasks.map((task) => ({ file: taskFile(task.id), task }));
      const found = planFindings({ plan, tasks: entries });
      expect(found.filter(({ severity }) => severity === 'blocking')).toEqual([]);
      expect(topologicalOrder(tasks)).toEqual({ ok: true, value: plan.task_ids });
      const same = planHash(start.plan, start.tasks) === planHash(plan, tasks);
      expect(planChanges(start, files).length === 0).toBe(same);
    }),
    { numRuns: 150 },
  );
  expect(refusals.filter((message) => !/^\S[^\n]+[.;]$/.test(message))).toEqual([]);
  expect([...accepted].toSorted()).toEqual(['move', 'set', 'whole']);
});
