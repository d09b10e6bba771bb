import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  editableText,
  fieldName,
  listOf,
  planOutline,
  taskOutline,
  readTypedValue,
  valueAt,
} from '../../../../src/faces/tui/screens/review/plan-fields.ts';
import { isObject } from '../../../../src/model/json.ts';
import { Plan } from '../../../../src/model/plan.ts';
import { samplesOf } from '../../../helpers/samples.ts';
import { fullTask, taskOf } from './sample.ts';

/** The paths of everything that is no list and no object; the words of a command are one line. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  const inside = (name: string, inner: unknown) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value) && !path.endsWith('argv'))
    return value.flatMap((one, index) => inside(String(index), one));
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => inside(name, one));
  return [path];
}

const pathsOf = (lines: ReturnType<typeof taskOutline>) => lines.flatMap(({ path }) => path ?? []);

test('a task is shown with everything that it holds, each field once', () => {
  const paths = pathsOf(taskOutline(fullTask));
  expect(new Set(paths).size).toBe(paths.length);
  const shown = paths.filter((path) => valueAt(fullTask, path) !== undefined);
  const held = leavesOf(fullTask).filter((path) => path !== 'id');
  expect(shown.toSorted()).toEqual(held.toSorted());
});

test('a task says what is missing, at the field where it would be written', () => {
  const missing = taskOutline(taskOf('a', { files: [] })).filter(({ text }) => text === null);
  expect(pathsOf(missing.slice(missing.findIndex(({ label }) => label === 'not set')))).toEqual([
    'depends_on.0',
    'files.0',
    'scope',
    'action',
    'type',
    'priority',
    'effort',
    'implementation.0',
    'convergence.verification',
    'convergence.definition_of_done',
    'checks.0',
    'test.unit.0',
    'risks.0',
  ]);
});

test('a plan is shown with everything that it holds but what follows from its tasks', () => {
  const plan = Plan.parse(samplesOf('plan').good.at(-1));
  const shown = pathsOf(planOutline(plan)).filter((path) => valueAt(plan, path) !== undefined);
  const held = leavesOf(plan).filter(
    (path) => !/^(?:task_(?:ids|count)|execution_flow)/.test(path),
  );
  expect(shown.toSorted()).toEqual(held.toSorted());
});

test('a path is named in words that count from 1', () => {
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
        expect(readTypedValue(editableText(before), 'x', before)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['nothing removes the field', '  ', 'old', 'title', null],
    ['a number stays one', '90', 80, 'test.coverage_target', 90],
    ['what is no number is left to be refused', 'many', 80, 'test.coverage_target', 'many'],
    ['a text stays one, whatever it looks like', 'true', 'old', 'title', 'true'],
    [
      'a command is one line',
      'npm run "my test"',
      ['npm'],
      'checks.0.argv',
      ['npm', 'run', 'my test'],
    ],
    ['a new check', 'Look', undefined, 'checks.0', { kind: 'manual', describes: 'Look' }],
    ['a new file is its path', 'a.js', undefined, 'files.2', { path: 'a.js' }],
    ['a part of a new file is a text', 'a()', undefined, 'files.2.target', 'a()'],
    ['a new step is a text', 'Do', undefined, 'implementation.0', 'Do'],
  ])('%s', (_, text, before, field, value) => {
    expect(readTypedValue(text, field, before)).toEqual(value);
  });

  test('belongs to the list that its field is in', () => {
    expect(listOf('files.1.path')).toEqual({ list: 'files', index: 1 });
    expect(listOf('files.1.changes.2')).toEqual({ list: 'files.1.changes', index: 2 });
    expect(listOf('convergence.verification')).toBeNull();
  });
});
