import { describe, expect, test } from 'vitest';
import { reviewKeys } from '../../../../src/faces/tui/screens/review/review-keys.ts';
import { pageOf } from '../../../../src/faces/tui/screens/review/review-page.ts';
import {
  type ReviewTools,
  openReviews,
} from '../../../../src/faces/tui/screens/review/review-tools.ts';
import {
  currentField,
  currentTask,
  openTab,
  tabs,
  type Tab,
  withFields,
} from '../../../../src/faces/tui/screens/review/review-state.ts';
import type { TuiPorts } from '../../../../src/faces/tui/ports.ts';
import type { QuestionStage } from '../../../../src/faces/tui/screen-state.ts';
import { textField } from '../../../../src/faces/tui/widgets/text-field/field.ts';
import type { PlanVerdict } from '../../../../src/model/decision.ts';
import { PlanReading, type ReadFinding } from '../../../../src/model/plan-reading.ts';
import type { PlanEdit, SavedComment } from '../../../../src/model/plan-edit.ts';
import type { PlanDesk, PlanOnDesk } from '../../../../src/workflow/view-port.ts';
import { samplesOf } from '../../../helpers/samples.ts';
import { deskOf, taskOf } from './sample.ts';

interface Given {
  readonly seen?: PlanOnDesk;
  /** What its files hold by now. */
  readonly onDisk?: PlanOnDesk;
  readonly canRevise?: boolean;
  /** What the desk answers to an edit or a file; it takes them where nothing is given. */
  readonly answers?: Awaited<ReturnType<PlanDesk['edit']>> | Error;
  /** What comes back from the editor. */
  readonly edited?: Awaited<ReturnType<TuiPorts['editText']>>;
}

const refusing = (message: string) => ({ ok: false, failure: { message } }) as const;

/** A review on a desk in memory, with what was told to it and by it. */
function review(given: Given = {}) {
  const { seen = deskOf(), onDisk = seen, canRevise = true, edited } = given;
  const { answers = { ok: true, value: seen } } = given;
  const edits: PlanEdit[] = [];
  const said: string[] = [];
  const opened: string[] = [];
  let saved: readonly SavedComment[] = seen.comments;
  const verdicts: PlanVerdict[] = [];
  const answered = async () => {
    if (answers instanceof Error) throw answers;
    return answers;
  };
  const desk: PlanDesk = {
    read: () => Promise.resolve(onDisk),
    edit(edit) {
      edits.push(edit);
      return answered();
    },
    comment({ id, ...comment }) {
      saved = saved.filter((one) => one.id !== id);
      const own = { ...comment, id: id ?? `C${saved.length + 1}`, on: 'plan', version: 1 } as const;
      if (comment.text !== '') saved = [...saved, { ...own, sent: null }];
      return Promise.resolve({ ...seen, comments: saved });
    },
    text: () => Promise.resolve('{}'),
    markdown: () => Promise.resolve('# Plan'),
    version: () => Promise.resolve(null),
    replace: answered,
    undo: answered,
  };
  const ports: ReviewTools['ports'] = {
    editText({ text }) {
      opened.push(text);
      return Promise.resolve(edited ?? { ok: false, why: 'No editor is set up.' });
    },
  };
  const planner = canRevise ? 'ada' : null;
  const question: QuestionStage<'approve'>['question'] = { desk, seen, planner, rejected: null };
  const storesFor = openReviews();
  const reviewing: ReviewTools = {
    ...storesFor(question),
    question,
    ports,
    answer: (verdict) => verdicts.push(verdict),
    say: (text) => void (text === null || said.push(text)),
    lookAtRun: () => undefined,
  };
  return { reviewing, edits, said, opened, verdicts, ports, question, storesFor };
}

type Made = ReturnType<typeof review>;

const now = ({ reviewing }: Made) => reviewing.state.get();
const task = (made: Made) => currentTask(now(made))?.id;

function bindings({ reviewing }: Made) {
  return reviewKeys(reviewing, pageOf(reviewing.state.get(), { width: 80, height: 19 }));
}

/** What a key does on the page that is open; undefined where it does nothing. */
const does = (made: Made, name: string) =>
  bindings(made).find(({ keys }) => keys.includes(name))?.does;

/** Presses keys one after the other; what they ask of the desk is answered before the next. */
async function press(made: Made, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    bindings(made)
      .find(({ keys }) => keys.includes(name))
      ?.run();
    await new Promise(setImmediate);
  }
}

function type({ reviewing }: Made, text: string): void {
  reviewing.field.change(() => textField(text));
}

const finding = (file: string, pointer: string, message = 'a names a path outside.') =>
  ({ severity: 'blocking', rule: 'path-outside', file, pointer, message }) as const;
/** What a reader found: its first finding in this form. */
function readingWith(part: Partial<Record<keyof ReadFinding, unknown>>): PlanReading {
  const sample = PlanReading.parse(samplesOf('plan-reading').good.at(0));
  const [first] = sample.findings;
  return PlanReading.parse({ ...sample, findings: [{ ...first, fate: 'open', ...part }] });
}
const blocking = finding('.task/a.json', '/files/0/path');

describe('an approval', () => {
  test('is of the plan that was seen', async () => {
    const made = review();
    await press(made, 'enter');
    expect(made.verdicts).toEqual([{ kind: 'approve', by: 'user', hash: 'hash' }]);
  });

  test('is not possible while the plan check blocks it: Enter has that fixed, with own comments', async () => {
    const made = review({ seen: deskOf({ findings: [blocking, blocking] }) });
    expect(does(made, 'enter')).toBe('have ada fix 2 open findings');
    expect(does(made, 'A')).toBeUndefined();
    await press(made, 'c');
    type(made, 'Smaller.');
    await press(made, 'enter', 'enter');
    const found = { task: 'a', text: 'a names a path outside.' };
    const comments = [{ task: null, text: 'Smaller.' }, found, found];
    expect(made.verdicts).toEqual([{ kind: 'revise', comments, by: 'user' }]);
  });

  test.each(['blocking', 'major'] as const)(
    'over an open %s finding of a reader is a key of its own, and never Enter',
    async (severity) => {
      const made = review({ seen: deskOf({ reading: readingWith({ severity }) }) });
      expect(does(made, 'enter')).toBe('have ada fix 1 open finding');
      await press(made, 'enter');
      const text = 'codex found: The status is never 503. Ask the database first.';
      expect(made.verdicts).toEqual([
        { kind: 'revise', comments: [{ task: 'TASK-001', text }], by: 'user' },
      ]);
      expect(does(made, 'A')).toBe('approve all the same');
      await press(made, 'A');
      expect(made.verdicts.at(-1)).toMatchObject({ kind: 'approve', hash: 'hash' });
    },
  );

  test('is not what Enter gives where nobody can fix what is open; it shows that', async () => {
    const made = review({ seen: deskOf({ findings: [blocking] }), canRevise: false });
    await press(made, 'enter');
    expect(made.verdicts).toEqual([]);
    expect(now(made).page).toBe('findings');
  });

  test.each([
    [{ severity: 'minor' }],
    [{ severity: 'major', fate: 'refused' }],
    [{ severity: 'major', evidence: [] }],
  ] as const)('is what Enter gives with nothing open: %j', async (part) => {
    const made = review({ seen: deskOf({ reading: readingWith(part) }) });
    await press(made, 'enter');
    expect(made.verdicts).toMatchObject([{ kind: 'approve' }]);
  });
});

test.each([
  ['the person', [], 'left by the user'],
  ['what blocks the plan', [blocking], 'a names a path outside.'],
])('leaving names as its reason %s', async (_what, findings, why) => {
  const made = review({ seen: deskOf({ findings }) });
  await press(made, 'esc', 'enter');
  expect(made.verdicts).toEqual([{ kind: 'leave', why }]);
});

test('a review begins with what is new in a later version', () => {
  expect(now(review({ seen: deskOf({ version: 2 }) })).page).toBe('changes');
});

describe('what is chosen', () => {
  test('stays within the tasks', async () => {
    const made = review();
    await press(made, '2', 'down', 'down', 'down', 'down');
    expect(task(made)).toBe('c');
    await press(made, 'home');
    expect(task(made)).toBe('a');
  });

  test('moves by groups in the graph', async () => {
    const tasks = [taskOf('b', { depends_on: ['a'] }), taskOf('a'), taskOf('c')];
    const made = review({ seen: deskOf({ tasks }) });
    await press(made, '2', 'g', 'end');
    expect(task(made)).toBe('b');
    await press(made, 'up');
    expect(task(made)).toBe('c');
  });

  test('is the task that takes the place of one that is gone, whose fields close', async () => {
    const left = deskOf({ tasks: [taskOf('a'), taskOf('c')] });
    const made = review({ answers: { ok: true, value: left } });
    await press(made, '2', 'down', 'enter', 'u');
    expect(now(made).page).toBe('tasks');
    expect(task(made)).toBe('c');
  });

  test('is a task that was just added', async () => {
    const tasks = [taskOf('a'), taskOf('new'), taskOf('b'), taskOf('c')];
    const made = review({ answers: { ok: true, value: deskOf({ tasks }) } });
    await press(made, '2', 'a');
    type(made, 'One more');
    await press(made, 'enter');
    expect(made.said).toEqual(['new added. u undoes it.']);
    expect(task(made)).toBe('new');
  });
});

describe('the findings', () => {
  test.each([
    ['a field of a task', finding('.task/a.json', '/files/0/path'), 'a', 'files.0'],
    ['a part of a task', finding('.task/b.json', '/convergence'), 'b', 'convergence.criteria.0'],
    ['a task as a whole', finding('.task/b.json', ''), 'b', 'title'],
    ['a task by its place in the plan', finding('plan.json', '/task_ids/2'), 'c', 'title'],
    ['a field of the plan', finding('plan.json', '/constraints'), null, 'constraints.0'],
  ])('lead to %s', async (_what, found, about, field) => {
    const made = review({ seen: deskOf({ findings: [found] }) });
    await press(made, '3', 'enter');
    expect(now(made)).toMatchObject({ page: 'fields', about });
    expect(currentField(now(made))?.path).toBe(field);
    await press(made, 'esc');
    expect(now(made).page).toBe('findings');
  });

  test.each([
    ['nothing', []],
    ['a task that is in no plan', [finding('.task/left-over.json', '')]],
    ['another file', [finding('context-package.json', '/summary')]],
  ])('offer no place where they are about %s', async (_what, findings) => {
    const made = review({ seen: deskOf({ findings }) });
    await press(made, '3');
    expect(does(made, 'enter')).toBeUndefined();
  });
});

test('the fields of a task lead to the next one, and back to the list', async () => {
  const made = review();
  await press(made, '2', 'enter', 'right');
  expect(now(made)).toMatchObject({ page: 'fields', about: 'b' });
  await press(made, 'esc');
  expect(now(made).page).toBe('tasks');
  expect(task(made)).toBe('b');
});

/** A review in which a comment is written, on the page that is open. */
async function commented(given: Given = {}, page: Tab = 'overview') {
  const made = review(given);
  made.reviewing.state.change(openTab(tabs.indexOf(page)));
  await press(made, 'c');
  type(made, 'Say why');
  await press(made, 'enter');
  return made;
}

test('files that were changed elsewhere are read again', async () => {
  const onDisk = { ...deskOf(), hash: 'changed elsewhere' };
  const made = review({ onDisk });
  await press(made, 'r');
  expect(made.said).toEqual(['The files were read again.']);
  expect(now(made).desk).toEqual(onDisk);
});

describe('comments', () => {
  test.each([
    ['overview', null],
    ['tasks', 'a'],
    ['findings', 'c'],
  ] as const)('on the page %s are about %j, and are sent together', async (page, about) => {
    const findings = [finding('plan.json', '/task_ids/2')];
    const made = await commented({ seen: deskOf({ findings }) }, page);
    await press(made, '5', 's');
    const comments = [{ task: about, text: 'Say why' }];
    expect(made.verdicts).toEqual([{ kind: 'revise', by: 'user', comments }]);
  });

  test('stay where nobody is ready to revise the plan, and what to do is said', async () => {
    const made = await commented({ canRevise: false });
    await press(made, 's');
    expect(made.verdicts).toEqual([]);
    expect(made.said.at(-1)).toMatch(
      /no planning agent that is ready.*conclave resume --tools AGENT/,
    );
    expect(now(made).comments).toHaveLength(1);
  });

  test('can be changed, and an empty text deletes one', async () => {
    const made = await commented();
    await press(made, '5', 'enter');
    type(made, 'Say more');
    await press(made, 'enter');
    expect(now(made).comments).toMatchObject([{ task: null, text: 'Say more' }]);
    await press(made, 'enter');
    type(made, '');
    await press(made, 'enter');
    expect(now(made)).toMatchObject({ page: 'comments', comments: [] });
    expect(does(made, 'enter')).toBeUndefined();
  });

  test('are asked about before an approval would lose them', async () => {
    const made = await commented();
    await press(made, 'enter');
    expect(made.verdicts).toEqual([]);
    expect(now(made).popup?.title).toBe('Approve the plan without sending your comments?');
    await press(made, 'enter');
    expect(made.verdicts).toMatchObject([{ kind: 'approve' }]);
  });

  test('come back from the disk until they are sent', async () => {
    const made = await commented();
    const { question, storesFor } = made;
    const [comment] = now(made).comments;
    if (comment === undefined) throw new Error('nothing was saved');
    const again = storesFor({ ...question, seen: deskOf({ comments: [comment] }) });
    expect(again.state.get().comments).toHaveLength(1);
    const sent = deskOf({ version: 2, comments: [{ ...comment, sent: 2 }] });
    const next = storesFor({ ...question, seen: sent });
    expect(next.state.get()).toMatchObject({ comments: [], page: 'changes' });
  });
});

describe('an edit', () => {
  test('that is refused keeps what was typed, with the reason', async () => {
    const made = review({ answers: refusing('a needs title.') });
    await press(made, '2', 'enter', 'enter');
    expect(made.reviewing.field.get().text).toBe('What a does');
    type(made, '');
    await press(made, 'enter');
    expect(made.edits).toEqual([{ kind: 'set', task: 'a', field: 'title', value: null }]);
    expect(now(made)).toMatchObject({ popup: {}, refused: 'a needs title.', busy: false });
    await press(made, 'esc');
    expect(now(made)).toMatchObject({ page: 'fields', popup: null, refused: null });
  });

  test('that is refused where nothing is typed says why until the next key', async () => {
    const made = review({ answers: refusing('c is the only task.') });
    await press(made, '2', 'end', 'd', 'enter');
    expect(now(made)).toMatchObject({ popup: {}, refused: 'c is the only task.' });
    await press(made, 'esc');
    expect(now(made)).toMatchObject({ popup: null, refused: null });
  });

  test('that changes nothing does not reach the desk', async () => {
    const made = review();
    await press(made, '2', 'enter', 'enter', 'enter');
    expect(made.edits).toEqual([]);
    expect(now(made)).toMatchObject({ page: 'fields', popup: null });
  });

  test('is made once, however often Enter is pressed meanwhile', async () => {
    const made = review();
    await press(made, '2', 'a');
    type(made, 'One more');
    const enter = bindings(made).find(({ keys }) => keys.includes('enter'));
    for (let times = 0; times < 3; times += 1) enter?.run();
    expect(made.edits).toEqual([{ kind: 'add', after: 'a', title: 'One more' }]);
  });

  test('says that an approval does not hold any more', async () => {
    const seen = deskOf({ approvedHash: 'hash' });
    const after = { ...seen, hash: 'other', tasks: [taskOf('a'), taskOf('b')] };
    const made = review({ seen, answers: { ok: true, value: after } });
    await press(made, '2', 'end', 'd', 'enter');
    expect(made.said).toEqual(['c deleted. u undoes it. The plan needs a new approval now.']);
  });

  test('that the disk refuses is said, and nothing is lost', async () => {
    const made = review({ answers: new Error('disk full') });
    await press(made, '2', 'end', 'd', 'enter');
    expect(made.said).toEqual(['Not done: disk full']);
    expect(now(made).busy).toBe(false);
  });
});

test('a task is split in two, and its files go where they are ticked', async () => {
  const files = ['a.ts', 'b.ts', 'c.ts'].map((path) => ({ path }));
  const made = review({ seen: deskOf({ tasks: [taskOf('a', { files })] }) });
  await press(made, '2', 'p');
  type(made, 'Second');
  await press(made, 'enter', 'space', 'down', 'space', 'down', 'up', 'up', 'space', 'enter');
  const titles = ['What a does', 'Second'];
  expect(made.edits).toEqual([{ kind: 'split', task: 'a', titles, files: [0, 1, 0] }]);
});

test('Esc at the files of a split goes back to its title, which is kept', async () => {
  const files = [{ path: 'a.ts' }];
  const made = review({ seen: deskOf({ tasks: [taskOf('a', { files })] }) });
  await press(made, '2', 'p');
  type(made, 'Second');
  await press(made, 'enter', 'esc', 'enter', 'enter');
  const titles = ['What a does', 'Second'];
  expect(made.edits).toEqual([{ kind: 'split', task: 'a', titles, files: [0] }]);
});

describe('a field of fixed choice', () => {
  const full = taskOf('b', {
    priority: 'high',
    depends_on: ['a'],
    files: [{ path: 'a.ts' }],
    checks: [{ kind: 'file', path: 'a.ts', exists: true }],
  });
  const seen = deskOf({ tasks: [taskOf('a'), full, taskOf('c')] });

  test.each([
    ['priority', ['critical', 'high', 'medium', 'low'], 1],
    ['effort', ['small', 'medium', 'large'], 0],
    ['checks.0.exists', ['true', 'false'], 0],
    ['depends_on.0', ['a', 'c'], 0],
    ['title', undefined, undefined],
    ['checks.0.path', undefined, undefined],
  ])('%s offers %j', async (field, entries, at) => {
    const made = review({ seen });
    made.reviewing.state.change(withFields('b', field));
    await press(made, 'enter');
    const { popup } = now(made);
    expect([popup?.entries, popup?.at]).toEqual([entries, at]);
    expect(popup?.writes === undefined).toBe(entries !== undefined);
  });

  test('takes what is chosen; the one that stands there is no edit', async () => {
    const made = review({ seen });
    made.reviewing.state.change(withFields('b', 'priority'));
    await press(made, 'enter', 'enter', 'enter', 'down', 'down', 'down', 'down', 'enter', 'd');
    const set = { kind: 'set', task: 'b', field: 'priority' };
    expect(made.edits).toEqual([
      { ...set, value: 'low' },
      { ...set, value: null },
    ]);
    expect(now(made).popup).toBeNull();
  });
});

test('u takes back the last edit, or says that there is none', async () => {
  const made = review();
  await press(made, 'u');
  expect(made.said).toEqual(['The last edit is undone.']);
  const none = review({ answers: refusing('There is no edit to undo.') });
  await press(none, 'u');
  expect(now(none).refused).toBe('There is no edit to undo.');
});

test('x rejects the plan from every page between the tabs', async () => {
  const made = review();
  await press(made, '3', 'x');
  type(made, 'Too large');
  await press(made, 'enter');
  expect(made.verdicts).toEqual([{ kind: 'reject', why: 'Too large', by: 'user' }]);
});

describe('the editor', () => {
  test('is opened again with a text that did not fit, until it is dropped', async () => {
    const edited = { ok: true, text: '{ wrong' } as const;
    const made = review({ edited });
    await press(made, 'e');
    expect(now(made).popup?.body?.[0]?.text).toBe('line 1: the first heading must be "# Plan"');
    await press(made, 'e', 'esc', 'd', 'e');
    expect(made.opened).toEqual(['# Plan', '{ wrong', '{ wrong', '# Plan']);
  });

  test('names the line of a field that does not fit', async () => {
    const text = '# Plan\n\n## Summary\n\nx\n\n# a: A\n\n## Files\n\n- src/a.ts\n';
    const answers = refusing('a files.1.path: must be inside the repository.');
    const made = review({ answers, edited: { ok: true, text } });
    await press(made, 'e');
    expect(made.edits).toMatchObject([{ kind: 'whole', tasks: [{ id: 'a' }] }]);
    expect(now(made).popup?.body?.[0]?.text).toMatch(/^line 9: a files\.1\.path/);
  });

  test('gets the file that cannot be read while there is no plan', async () => {
    const made = review({ seen: deskOf({ plan: null, tasks: [] }) });
    await press(made, 'e');
    expect(made.opened).toEqual(['{}']);
  });

  test('that cannot be opened leaves everything as it is, and says why', async () => {
    const made = review();
    await press(made, 'e');
    expect(made.said).toEqual(['No editor is set up.']);
    expect(now(made)).toMatchObject({ page: 'overview', popup: null, busy: false });
  });
});
