import { describe, expect, test } from 'vitest';
import type { TuiPorts } from '../../../../src/faces/tui/ports.ts';
import { deleteTask } from '../../../../src/faces/tui/screens/review/changes.ts';
import { dropDraft, openInEditor } from '../../../../src/faces/tui/screens/review/in-editor.ts';
import { reviewKeys } from '../../../../src/faces/tui/screens/review/keys.ts';
import { pageOf } from '../../../../src/faces/tui/screens/review/page.ts';
import {
  dispatch,
  keptFor,
  type Reviewing,
} from '../../../../src/faces/tui/screens/review/reviewing.ts';
import { approve, leave, sendComments } from '../../../../src/faces/tui/screens/review/verdicts.ts';
import {
  accept,
  stepBack,
  writeComment,
  writeField,
  writeParts,
  writeTask,
} from '../../../../src/faces/tui/screens/review/writing.ts';
import type { Approve } from '../../../../src/faces/tui/state.ts';
import { textField } from '../../../../src/faces/tui/widgets/text-field/state.ts';
import type { PlanVerdict } from '../../../../src/model/decision.ts';
import type { PlanEdit } from '../../../../src/model/plan-edit.ts';
import type { PlanDesk, PlanOnDesk } from '../../../../src/workflow/view.ts';
import { deskOf, taskOf } from './sample.ts';

interface Given {
  readonly seen?: PlanOnDesk;
  readonly canRevise?: boolean;
  /** What the desk says to an edit or a file; nothing where it takes them. */
  readonly refuses?: string;
  /** What comes back from the editor. */
  readonly edited?: Awaited<ReturnType<TuiPorts['editText']>>;
}

/** A review on a desk in memory, with what was told to it and by it. */
function review(given: Given = {}) {
  const { seen = deskOf(), canRevise = true, refuses, edited } = given;
  const told: { edits: PlanEdit[]; said: string[]; opened: string[]; verdict: PlanVerdict | null } =
    {
      edits: [],
      said: [],
      opened: [],
      verdict: null,
    };
  const answered =
    refuses === undefined
      ? ({ ok: true, value: seen } as const)
      : ({ ok: false, failure: { message: refuses } } as const);
  const desk: PlanDesk = {
    read: () => Promise.resolve(seen),
    edit(edit) {
      told.edits.push(edit);
      return Promise.resolve(answered);
    },
    text: () => Promise.resolve('{}'),
    replace: () => Promise.resolve(answered),
  };
  const ports = portsWith((text) => {
    told.opened.push(text);
    return edited ?? { ok: false, why: 'No editor is set up.' };
  });
  const question: Approve['question'] = { desk, seen, canRevise, rejected: null };
  const reviewing: Reviewing = {
    ...keptFor(question, ports),
    question,
    ports,
    answer: (verdict) => (told.verdict = verdict),
    say: (line) => told.said.push((line ?? []).map(({ text }) => text).join('')),
    lookAtRun: () => undefined,
  };
  return { reviewing, told, ports, question };
}

function portsWith(edit: (text: string) => Awaited<ReturnType<TuiPorts['editText']>>): TuiPorts {
  return {
    interrupt: () => undefined,
    earlierTasks: () => Promise.resolve([]),
    files: () => Promise.resolve([]),
    agents: () => Promise.resolve(),
    sessions: () => Promise.resolve([]),
    removeSession: () => Promise.resolve(),
    codeAround: () => Promise.resolve(null),
    editText: ({ text }) => Promise.resolve(edit(text)),
  };
}

function type(reviewing: Reviewing, text: string): void {
  reviewing.field.change(() => textField(text));
}

const blocking = {
  severity: 'blocking',
  rule: 'path-outside',
  file: '.task/a.json',
  pointer: '/files/0/path',
  message: 'a names a path outside.',
} as const;

describe('an approval', () => {
  test('is of the plan that was seen', () => {
    const { reviewing, told } = review();
    approve(reviewing);
    expect(told.verdict).toEqual({ kind: 'approve', by: 'user', hash: 'hash' });
  });

  test('is not given while something blocks it, and the reason is said', () => {
    const { reviewing, told } = review({ seen: deskOf({ findings: [blocking, blocking] }) });
    approve(reviewing);
    expect(told.verdict).toBeNull();
    expect(told.said).toEqual([
      'It cannot be approved yet: 2 blocking findings (3 shows all). a names a path outside.',
    ]);
  });
});

describe('leaving', () => {
  test('gives what blocks the plan as the reason, and else the person', () => {
    const blocked = review({ seen: deskOf({ findings: [blocking] }) });
    leave(blocked.reviewing);
    expect(blocked.told.verdict).toEqual({ kind: 'leave', why: 'a names a path outside.' });
    const { reviewing, told } = review();
    leave(reviewing);
    expect(told.verdict).toEqual({ kind: 'leave', why: 'left by the user' });
  });
});

/** What the keys of a page are said to do, by the first of them. */
function keysOn(page: 'findings' | 'comments', { reviewing }: ReturnType<typeof review>) {
  dispatch(reviewing, { type: 'tab', to: page });
  const rows = pageOf(reviewing.state.get(), { width: 80, height: 19 });
  const bindings = reviewKeys(reviewing, rows);
  return new Map(bindings.map((binding) => [binding.keys[0], binding]));
}

const about = (file: string, pointer: string) => ({ ...blocking, file, pointer });

describe('the findings', () => {
  test.each([
    ['a field of a task', about('.task/a.json', '/files/0/path'), 'a'],
    ['a task as a whole', about('.task/b.json', ''), 'b'],
    ['a task by its place in the plan', about('plan.json', '/task_ids/2'), 'c'],
    ['a field of the plan', about('plan.json', '/constraints'), null],
  ])('lead to %s', (_what, finding, task) => {
    const made = review({ seen: deskOf({ findings: [finding] }) });
    keysOn('findings', made).get('enter')?.run();
    expect(made.reviewing.state.get()).toMatchObject({ page: 'fields', about: task });
  });

  test.each([
    ['nothing', []],
    ['the plan as a whole', [about('plan.json', '')]],
    ['what follows from its tasks', [about('plan.json', '/task_ids')]],
    ['a task that is in no plan', [about('.task/left-over.json', '')]],
    ['another file', [about('context-package.json', '/summary')]],
  ])('offer no place where they are about %s', (_what, findings) => {
    const made = review({ seen: deskOf({ findings }) });
    expect(keysOn('findings', made).has('enter')).toBe(false);
  });
});

/** A review in which a comment on the whole plan is written. */
async function commented(given: Given = {}) {
  const made = review(given);
  writeComment(made.reviewing);
  type(made.reviewing, 'Say why');
  await accept(made.reviewing);
  return made;
}

describe('comments', () => {
  test('are sent together', async () => {
    const { reviewing, told } = await commented();
    sendComments(reviewing);
    const comments = [{ task: null, text: 'Say why' }];
    expect(told.verdict).toEqual({ kind: 'revise', by: 'user', comments });
  });

  test('stay where nobody is ready to revise the plan, and what to do is said', async () => {
    const { reviewing, told } = await commented({ canRevise: false });
    sendComments(reviewing);
    expect(told.verdict).toBeNull();
    expect(told.said.at(-1)).toMatch(/No planning agent is ready.*conclave agents/);
    expect(reviewing.state.get().comments).toHaveLength(1);
  });

  test('can be changed, sent and deleted where there are some, each by one key', async () => {
    const withOne = keysOn('comments', await commented());
    expect(['enter', 's', 'd'].map((name) => withOne.get(name)?.does)).toEqual([
      'change it',
      'send comments',
      'delete it',
    ]);
    const without = keysOn('comments', review());
    expect([without.has('enter'), without.has('d')]).toEqual([false, false]);
  });

  test('are asked about before an approval would lose them', async () => {
    const { reviewing, told } = await commented();
    approve(reviewing);
    expect(told.verdict).toBeNull();
    expect(reviewing.state.get()).toMatchObject({ page: 'confirm', doubt: { kind: 'approve' } });
    approve(reviewing);
    expect(told.verdict).toMatchObject({ kind: 'approve' });
  });

  test('come back with the same version, and are gone with the next', async () => {
    const { reviewing, question, ports } = await commented();
    sendComments(reviewing);
    const again = keptFor({ ...question }, ports);
    expect(again.state.get().comments).toHaveLength(1);
    const next = keptFor({ ...question, seen: deskOf({ version: 2 }) }, ports);
    expect(next.state.get()).toMatchObject({ comments: [], page: 'changes' });
  });
});

describe('an edit', () => {
  test('that is refused keeps what was typed, with the reason', async () => {
    const { reviewing, told } = review({ refuses: 'a needs title.' });
    dispatch(reviewing, { type: 'fields', of: 'a', field: 'title' });
    writeField(reviewing);
    expect(reviewing.field.get().text).toBe('What a does');
    type(reviewing, '');
    await accept(reviewing);
    expect(told.edits).toEqual([{ kind: 'set', task: 'a', field: 'title', value: null }]);
    expect(reviewing.state.get()).toMatchObject({ page: 'write', refused: 'a needs title.' });
  });

  test('that is refused where nothing is typed says why until the next key', async () => {
    const why = 'c is the only task.';
    const { reviewing } = review({ refuses: why });
    dispatch(reviewing, { type: 'doubt', doubt: { kind: 'delete', task: 'c' } });
    await deleteTask(reviewing, 'c');
    expect(reviewing.state.get()).toMatchObject({ page: 'confirm', refused: why });
    dispatch(reviewing, { type: 'heard' });
    expect(reviewing.state.get().refused).toBeNull();
  });

  test('that changes nothing does not reach the desk', async () => {
    const { reviewing, told } = review();
    dispatch(reviewing, { type: 'fields', of: 'a', field: 'title' });
    writeField(reviewing);
    await accept(reviewing);
    expect(told.edits).toEqual([]);
    expect(reviewing.state.get().page).toBe('fields');
  });

  test('is made once, however often Enter is pressed meanwhile', async () => {
    const { reviewing, told } = review();
    writeTask(reviewing);
    type(reviewing, 'One more');
    await Promise.all([accept(reviewing), accept(reviewing), accept(reviewing)]);
    expect(told.edits).toEqual([{ kind: 'add', after: 'a', title: 'One more' }]);
  });

  test('says that an approval does not hold any more', async () => {
    const before = deskOf({ approvedHash: 'hash' });
    const { reviewing, told } = review({ seen: before });
    const after = { ...before, hash: 'other', tasks: [taskOf('a'), taskOf('b')] };
    const desk = {
      ...reviewing.question.desk,
      edit: async () => ({ ok: true, value: after }) as const,
    };
    await deleteTask({ ...reviewing, question: { ...reviewing.question, desk } }, 'c');
    expect(told.said).toEqual(['c deleted. The plan needs a new approval now.']);
  });

  test('that the disk refuses is said, and nothing is lost', async () => {
    const { reviewing, told } = review();
    const desk = { ...reviewing.question.desk, edit: () => Promise.reject(new Error('disk full')) };
    await deleteTask({ ...reviewing, question: { ...reviewing.question, desk } }, 'c');
    expect(told.said).toEqual(['Not done: disk full']);
    expect(reviewing.state.get().busy).toBe(false);
  });
});

test('the parts of a task are asked for one after the other, and Esc goes back by one', async () => {
  const { reviewing, told } = review();
  writeParts(reviewing);
  await accept(reviewing);
  type(reviewing, 'Wrong');
  await accept(reviewing);
  stepBack(reviewing);
  expect(reviewing.field.get().text).toBe('Wrong');
  type(reviewing, 'Second');
  await accept(reviewing);
  await accept(reviewing);
  expect(told.edits).toEqual([{ kind: 'split', task: 'a', titles: ['What a does', 'Second'] }]);
});

describe('the editor', () => {
  test('is opened again with a text that did not fit, until it is dropped', async () => {
    const edited = { ok: true, text: '{ wrong' } as const;
    const { reviewing, told } = review({ refuses: 'plan.json is no JSON.', edited });
    await openInEditor(reviewing, 'plan.json');
    expect(reviewing.state.get()).toMatchObject({
      page: 'mend',
      drafts: [{ file: 'plan.json', text: '{ wrong', why: 'plan.json is no JSON.' }],
    });
    await openInEditor(reviewing, 'plan.json');
    await openInEditor(reviewing, '.task/a.json');
    await openInEditor(reviewing, 'plan.json');
    dropDraft(reviewing, 'plan.json');
    await openInEditor(reviewing, 'plan.json');
    expect(told.opened).toEqual(['{}', '{ wrong', '{}', '{ wrong', '{}']);
  });

  test('that cannot be opened leaves everything as it is, and says why', async () => {
    const { reviewing, told } = review();
    await openInEditor(reviewing, 'plan.json');
    expect(told.said).toEqual(['No editor is set up.']);
    expect(reviewing.state.get()).toMatchObject({ page: 'overview', drafts: [], busy: false });
  });
});
