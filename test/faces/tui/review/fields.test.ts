import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  editable,
  fieldName,
  fieldsIn,
  listOf,
  planDocument,
  taskDocument,
  typedValue,
  valueAt,
} from '../../../../src/faces/tui/screens/review/fields.ts';
import { isObject } from '../../../../src/model/json.ts';
import { Plan } from '../../../../src/model/plan.ts';
import { samplesOf } from '../../../helpers/samples.ts';
import { fullTask, taskOf } from './sample.ts';

/** The paths of everything that is no list and no object. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  const inside = (name: string, inner: unknown) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value)) return value.flatMap((one, index) => inside(String(index), one));
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => inside(name, one));
  return [path];
}

/** A step that says the number which its place in the list says. */
function isNumber(path: string): boolean {
  const at = /^implementation\.(\d+)\.step$/.exec(path)?.[1];
  return at !== undefined && String(valueAt(fullTask, path)) === String(Number(at) + 1);
}

test('a task is shown with everything that it holds, each field once', () => {
  const fields = fieldsIn(taskDocument(fullTask));
  expect(new Set(fields).size).toBe(fields.length);
  const shown = fields.filter((field) => valueAt(fullTask, field) !== undefined);
  const held = leavesOf(fullTask).filter((path) => path !== 'id' && !isNumber(path));
  expect(shown.toSorted()).toEqual(held.toSorted());
});

test('a task says what is missing, at the field where it would be written', () => {
  const missing = taskDocument(taskOf('a')).flatMap((line) =>
    'fields' in line && line.label === ''
      ? line.fields.map(({ text, field }) => [text, field])
      : [],
  );
  expect(missing).toEqual([
    ...['action', 'type', 'priority', 'effort'].map((field) => ['none', field]),
    ['no other task', 'depends_on.0'],
    ['no files', 'files.0'],
    ['no steps', 'implementation.0'],
    ['no verification', 'convergence.verification'],
    ['no definition of done', 'convergence.definition_of_done'],
    ['no checks that a program can run', 'checks.0'],
    ['no tests', 'test.unit.0'],
    ['no risks', 'risks.0'],
  ]);
});

test('a plan is shown with everything that it holds but what follows from its tasks', () => {
  const plan = Plan.parse(samplesOf('plan').good.at(-1));
  const shown = fieldsIn(planDocument(plan)).filter((field) => valueAt(plan, field) !== undefined);
  const held = leavesOf(plan).filter((path) => !/^task_(?:ids|count)/.test(path));
  expect(shown.toSorted()).toEqual(held.toSorted());
});

test('a path is told in words that count from 1', () => {
  expect(fieldName('files.0.conflict_risk')).toBe('files 1 conflict risk');
});

describe('what is typed', () => {
  test('comes back as the value that it was made of', () => {
    // As a file holds it: JSON knows no negative zero.
    const anyHeld = fc
      .jsonValue()
      .filter((value) => value !== null)
      .map((value): unknown => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(anyHeld, (before) => {
        fc.pre(typeof before !== 'string' || (before.trim() === before && before !== ''));
        expect(typedValue(editable(before), { before, field: 'x' })).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['nothing removes the field', '  ', 'old', 'title', null],
    ['a number stays one', '90', 80, 'test.coverage_target', 90],
    ['what is no number is left to be refused', 'many', 80, 'test.coverage_target', 'many'],
    ['a text stays one, whatever it looks like', 'true', 'old', 'title', 'true'],
    ['a new check', 'Look', undefined, 'checks.0', { kind: 'manual', describes: 'Look' }],
    ['a new file is its path', 'a.js', undefined, 'files.2', { path: 'a.js' }],
    ['a part of a new file is a text', 'a()', undefined, 'files.2.target', 'a()'],
    ['a new step is a text', 'Do', undefined, 'implementation.0', 'Do'],
  ])('%s', (_, text, before, field, value) => {
    expect(typedValue(text, { before, field })).toEqual(value);
  });

  test('belongs to the list that its field is in', () => {
    expect(listOf('files.1.path')).toEqual({ list: 'files', index: 1 });
    expect(listOf('files.1.changes.2')).toEqual({ list: 'files.1.changes', index: 2 });
    expect(listOf('convergence.verification')).toBeNull();
  });
});
