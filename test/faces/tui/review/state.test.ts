import { describe, expect, test } from 'vitest';
import {
  chosenField,
  chosenTask,
  commentOn,
  shownOrder,
} from '../../../../src/faces/tui/screens/review/chosen.ts';
import {
  type ReviewAction,
  type ReviewState,
  reviewReducer,
  startingReview,
} from '../../../../src/faces/tui/screens/review/state.ts';
import { deskOf, taskOf } from './sample.ts';

function after(state: ReviewState, ...actions: readonly ReviewAction[]): ReviewState {
  return actions.reduce(reviewReducer, state);
}

const start = startingReview(deskOf());
const tasks: ReviewAction = { type: 'tab', to: 'tasks' };
const down: ReviewAction = { type: 'move', by: 1 };
const back: ReviewAction = { type: 'back' };

describe('a review begins', () => {
  test('with the overview of a first version', () => {
    expect(start.page).toBe('overview');
  });

  test('with what is new in a later one', () => {
    expect(startingReview(deskOf({ version: 2 })).page).toBe('changes');
  });
});

describe('what is chosen', () => {
  test('stays within the tasks', () => {
    expect(chosenTask(after(start, tasks, down, down, down, down))).toBe('c');
    expect(chosenTask(after(start, tasks, { type: 'move', by: -Infinity }))).toBe('a');
  });

  test('moves by groups in the graph', () => {
    const mixed = [taskOf('b', { depends_on: ['a'] }), taskOf('a'), taskOf('c')];
    const graph = after(startingReview(deskOf({ tasks: mixed })), tasks, { type: 'graph' });
    expect(shownOrder(graph)).toEqual(['a', 'c', 'b']);
    expect(chosenTask(after(graph, { type: 'choose', task: 'a' }, down))).toBe('c');
  });

  test('is the task that takes the place of one that is gone', () => {
    const chosen = after(start, tasks, down);
    const left = deskOf({ tasks: [taskOf('a'), taskOf('c')] });
    expect(chosenTask(after(chosen, { type: 'desk', desk: left }))).toBe('c');
  });

  test('is what a comment is on', () => {
    expect(commentOn(start)).toBeNull();
    expect(commentOn(after(start, tasks, down))).toBe('b');
    expect(commentOn(after(start, { type: 'fields', of: 'c', field: null }))).toBe('c');
    const finding = {
      severity: 'warning',
      rule: 'task-order',
      file: 'plan.json',
      pointer: '/task_ids/2',
      message: 'x',
    } as const;
    const found = startingReview(deskOf({ findings: [finding] }));
    expect(commentOn(after(found, { type: 'tab', to: 'findings' }))).toBe('c');
  });
});

/** The field that is chosen where a finding names one. */
const openAt = (field: string) => chosenField(after(start, { type: 'fields', of: 'b', field }));

describe('the fields of a task', () => {
  test('open at the one that a finding names, or near it', () => {
    expect(openAt('convergence.criteria.0')).toBe('convergence.criteria.0');
    expect(openAt('convergence')).toBe('convergence.criteria.0');
    expect(openAt('depends_on')).toBe('depends_on.0');
    expect(openAt('nowhere')).toBe('title');
  });

  test('do not open for a task that is not there', () => {
    expect(after(start, { type: 'fields', of: 'gone', field: null })).toBe(start);
  });

  test('lead to the next task and back to the list', () => {
    const open = after(start, tasks, { type: 'fields', of: 'a', field: null });
    const next = after(open, { type: 'neighbour', by: 1 });
    expect(next).toMatchObject({ page: 'fields', about: 'b', task: 'b' });
    expect(after(next, back)).toMatchObject({ page: 'tasks', task: 'b' });
  });

  test('close where their task is deleted', () => {
    const open = after(start, tasks, { type: 'fields', of: 'b', field: null });
    const left = deskOf({ tasks: [taskOf('a')] });
    expect(after(open, { type: 'desk', desk: left })).toMatchObject({ page: 'tasks', about: null });
  });
});

test('a text that was refused is kept open with the reason', () => {
  const writing = { kind: 'set', task: 'a', field: 'title' } as const;
  const refused = after(
    start,
    { type: 'write', writing },
    { type: 'busy' },
    { type: 'refused', why: 'a needs title' },
  );
  expect(refused).toMatchObject({ page: 'write', writing, refused: 'a needs title', busy: false });
  expect(after(refused, back)).toMatchObject({ page: 'overview', writing: null, refused: null });
});

test('a text from the editor that does not fit is kept until it fits or is dropped', () => {
  const draft = { file: 'plan.json', text: '{', why: 'no JSON' };
  const other = { ...draft, file: '.task/a.json' };
  const kept = after(start, tasks, { type: 'draft', draft });
  expect(kept).toMatchObject({ page: 'mend', drafts: [draft] });
  const both = after(kept, back, { type: 'draft', draft: other });
  expect(both).toMatchObject({ page: 'mend', drafts: [draft, other] });
  const left = after(both, { type: 'no-draft', file: other.file });
  expect(left).toMatchObject({ page: 'tasks', drafts: [draft] });
});
