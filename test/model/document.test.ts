import { array, assert, integer, property, string, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  listAnchors,
  blockAt,
  code,
  columns,
  diff,
  diffLines,
  documentOf,
  facts,
  fold,
  form,
  graph,
  item,
  list,
  prose,
  section,
  table,
  textOf,
} from '../../src/model/document.ts';

const stepsOf = (steps: readonly string[]) =>
  documentOf('Plan', [
    section('tasks', 'Tasks', [
      section('#TASK-001', 'TASK-001: Add the flag', [
        facts([
          ['Risk', 'Low'],
          ['Effort', null],
        ]),
        section('steps', 'Steps', [list(steps, true)]),
      ]),
    ]),
  ]);
const anchorsOf = (steps: readonly string[]) =>
  listAnchors(stepsOf(steps).blocks).map(({ anchor }) => anchor);

test('an anchor is made of the task and the field or the content', () => {
  expect(anchorsOf(['add the flag', 'Run `npm test`.'])).toEqual([
    'tasks',
    'TASK-001',
    'TASK-001.risk',
    'TASK-001.steps',
    'TASK-001.steps.add-the-flag',
    expect.stringMatching(/^TASK-001\.steps\.run-npm-test-[a-z\d]{4}$/),
  ]);
});

test('equal contents are told apart by their order', () => {
  expect(anchorsOf(['look', 'look', 'look']).slice(-3)).toEqual([
    'TASK-001.steps.look',
    'TASK-001.steps.look~2',
    'TASK-001.steps.look~3',
  ]);
});

describe('whatever the contents are', () => {
  const texts = uniqueArray(
    string({ minLength: 1, unit: 'grapheme' }).filter((one) => one.trim() !== ''),
    {
      selector: (one) => one.replaceAll(/\s+/gu, ' ').trim(),
      maxLength: 8,
    },
  );

  test('no two lines have the same anchor, and none has a blank or an equals sign', () => {
    assert(
      property(array(string()), (steps) => {
        const all = anchorsOf(steps);
        expect(new Set(all).size).toBe(all.length);
        expect(all.filter((one) => /[\s=]/u.test(one))).toEqual([]);
      }),
    );
  });

  test('a line keeps its anchor when others come, go or move', () => {
    assert(
      property(texts, integer(), (steps, seed) => {
        const before = anchorsOf(steps).slice(4);
        const moved = steps.map((step, at) => ({ step, anchor: before[at] }));
        const others = moved.filter((_, at) => (seed >> at) % 2 === 0).toReversed();
        expect(anchorsOf(others.map(({ step }) => step)).slice(4)).toEqual(
          others.map(({ anchor }) => anchor),
        );
      }),
    );
  });
});

test('what is missing leaves no trace', () => {
  const empty = section('a', 'A', [
    facts([['b', null]]),
    list([]),
    table(['c'], []),
    prose(' '),
    code('\n'),
    columns([null]),
    fold('d', 'D', []),
  ]);
  expect(empty).toBeNull();
});

test('a block is found by its anchor, and its text is told without marks', () => {
  const status = { badge: 'failed', mark: '✗', tone: 'bad' } as const;
  const { blocks } = documentOf('Result', [
    graph([{ id: 'TASK-001', title: 'Add the flag', after: [], status }]),
    form('apply'),
    section('#TASK-001', 'Task', [
      list([item([status, ' in ', { path: 'a.ts', line: 3 }, { code: 'x' }], [], 'end')]),
    ]),
  ]);
  const found = blockAt(blocks, 'TASK-001.end');
  expect(textOf(found?.line ?? '')).toBe('failed in a.ts:3x');
  expect(blockAt(blocks, 'TASK-002')).toBeUndefined();
});

test('each line of a diff has an anchor from its file and its text', () => {
  const lines = diffLines(diff('src/a.ts', '@@ -1 +1 @@\n-old\n+new\n+new'));
  expect(lines.map(({ text }) => text)).toEqual(['@@ -1 +1 @@', '-old', '+new', '+new']);
  expect(lines.map(({ anchor }) => anchor)).toEqual([
    expect.stringMatching(/^src\/a\.ts\.1-1-/),
    expect.stringMatching(/^src\/a\.ts\.old-[a-z\d]{4}$/),
    expect.stringMatching(/^src\/a\.ts\.new-[a-z\d]{4}$/),
    expect.stringMatching(/^src\/a\.ts\.new-[a-z\d]{4}~2$/),
  ]);
});
