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
} from 'fast-check';
import { expect, test } from 'vitest';
import { planFindings, taskFile } from '../../../src/model/plan-rules.ts';
import type { PlanEdit } from '../../../src/model/plan-edit.ts';
import { topologicalOrder } from '../../../src/model/task-order.ts';
import { applyEdits } from '../../../src/phases/planning/editing/apply-edit.ts';
import { planChanges } from '../../../src/phases/planning/editing/plan-changes.ts';
import type { PlanFiles } from '../../../src/phases/planning/editing/task-edits.ts';
import { planHash } from '../../../src/phases/planning/approval.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';
import { planOf, taskOf } from './samples.ts';

const schemas = await schemaCheck({});

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
const title = constantFrom('Read the flag', 'Write the file', ' ', '');
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
  record({ kind: constant('delete'), task: id }),
  record({
    kind: constant('split'),
    task: id,
    titles: array(title, { minLength: 2, maxLength: 4 }),
  }),
  record({ kind: constant('move'), task: id, to: nat({ max: 6 }) }),
  record({ kind: constant('add'), after: option(id), title }),
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
      expect(found.filter(({ rule }) => rule === 'task-order')).toEqual([]);
    }),
    { numRuns: 400 },
  );
  expect(refusals.filter((message) => !/^\S[^\n]+[.;]$/.test(message))).toEqual([]);
  expect([...accepted].toSorted()).toEqual(['add', 'delete', 'move', 'set', 'split']);
});

test('what an edit changed is told, and only then', () => {
  assert(
    property(array(edit, { maxLength: 6 }), (edits) => {
      let files = start;
      for (const one of edits) {
        const edited = applyEdits(files, [one], schemas);
        if (edited.ok) files = edited.value;
      }
      const changes = planChanges(start, files);
      const same = planHash(start.plan, start.tasks) === planHash(files.plan, files.tasks);
      expect(changes.length === 0).toBe(same);
      for (const { before, after } of changes) expect(before).not.toBe(after);
      expect(planChanges(files, files)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
