import { describe, expect, test } from 'vitest';
import { reviewKeys } from '../../../../src/faces/tui/screens/review/review-screen.tsx';
import { pageOf } from '../../../../src/faces/tui/screens/review/review-screen.tsx';
import {
  type ReviewTools,
  openReviews,
} from '../../../../src/faces/tui/screens/review/review-tools.ts';
import {
  linesOn,
  moveTo,
  taskInView,
  unsent,
} from '../../../../src/faces/tui/screens/review/review-state.ts';
import type { TuiPorts } from '../../../../src/faces/tui/ports.ts';
import type { QuestionStage } from '../../../../src/faces/tui/screen-state.ts';
import { textField } from '../../../../src/faces/tui/widgets/text-field/field.ts';
import type { PlanVerdict } from '../../../../src/model/decision.ts';
import { PlanReading, type ReadFinding } from '../../../../src/model/plan-reading.ts';
import type { PlanEdit, SavedComment } from '../../../../src/model/plan-edit.ts';
import type { PlanDesk, PlanOnDesk } from '../../../../src/workflow/view-port.ts';
import { ContextPackage } from '../../../../src/model/context-package.ts';
import { ProofSet } from '../../../../src/model/proof.ts';
import { planDocument } from '../../../../src/phases/documents/plan-document.ts';
import { withoutCode } from '../../../../src/phases/proof/proof-files.ts';
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
      return Promise.resolve(saved);
    },
    text: () => Promise.resolve('{}'),
    markdown: () => Promise.resolve('# Plan'),
    version: (number) => {
      const old = [taskOf('a', { title: 'Old' }), ...seen.tasks.slice(1)];
      const { plan, tasks } = number === seen.version ? seen : deskOf({ tasks: old });
      return Promise.resolve(plan === null ? null : { plan, tasks: [...tasks] });
    },
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
const lineOf = (made: Made, part: string) => {
  const lines = linesOn(now(made));
  const line = lines.find((one) => one === part) ?? lines.find((one) => one.includes(part));
  if (line === undefined) throw new Error(`no line ${part}`);
  return line;
};

/** Moves the cursor to the line whose anchor has this part. */
const goTo = (made: Made, part: string) => made.reviewing.state.change(moveTo(lineOf(made, part)));

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

/** A plan with a proof. */
function withProof(findings: PlanOnDesk['findings'] = []): PlanOnDesk {
  const seen = deskOf({ findings });
  const [, { proofs } = { proofs: [] }] = ProofSet.array().parse(samplesOf('proof').good);
  const plan = seen.plan && { ...seen.plan, proofs: proofs.map(withoutCode) };
  const told = {
    ...seen,
    contextPackage: ContextPackage.parse(samplesOf('context-package').good[0]),
  };
  return { ...seen, plan, document: plan && planDocument({ ...told, plan }) };
}

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

  test('first runs a proof that a person changed', async () => {
    const made = review({
      seen: withProof([{ ...finding('plan.json', ''), rule: 'proof-edited' }]),
    });
    expect(does(made, 'enter')).toBe('run it');
    await press(made, 'enter');
    expect(made.verdicts).toMatchObject([{ kind: 'approve' }]);
  });

  test('is not what Enter gives where nobody can fix what is open; it shows that', async () => {
    const made = review({ seen: deskOf({ findings: [blocking] }), canRevise: false });
    await press(made, 'enter');
    expect(made.verdicts).toEqual([]);
    expect(now(made).anchor).toBe('check');
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
  const made = review({ seen: deskOf({ version: 2 }) });
  expect(now(made).anchor).toBe('changes');
});

describe('the cursor', () => {
  test('goes from line to line, and stays within the page', async () => {
    const made = review();
    await press(made, 'up', 'down');
    expect(now(made).anchor).toBe(linesOn(now(made))[1]);
    await press(made, 'end', 'down');
    expect(now(made).anchor).toBe(linesOn(now(made)).at(-1));
    await press(made, 'home');
    expect(now(made).anchor).toBe('');
  });

  test('goes from part to part, and along a link to the task that a line names', async () => {
    const made = review();
    goTo(made, 'tasks');
    await press(made, 'tab');
    expect(taskInView(now(made))).toBe('a');
    await press(made, 'tab', 'shift+tab', 'shift+tab');
    expect(now(made).anchor).toBe('tasks');
    goTo(made, 'tasks.b');
    expect(does(made, 'right')).toBe('go to b');
    await press(made, 'right');
    expect(now(made).anchor).toBe('b');
  });

  test('is on what takes the place of a line that is gone', async () => {
    const left = deskOf({ tasks: [taskOf('a'), taskOf('c')] });
    const made = review({ answers: { ok: true, value: left } });
    goTo(made, 'b.criteria');
    await press(made, 'u');
    expect(linesOn(now(made))).toContain(now(made).anchor);
    expect(now(made).anchor).not.toBe('');
  });
});

/** A review in which a comment is written, on the line with this part in its anchor or on the plan. */
async function commented(given: Given = {}, line = '') {
  const made = review(given);
  if (line !== '') goTo(made, line);
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
    ['', { task: null }],
    ['b.criteria', { task: 'b', anchor: 'b.criteria', quote: 'Done when' }],
  ] as const)('on the line %j are about %j, and are sent together', async (line, about) => {
    const made = await commented({}, line);
    await press(made, 's');
    const comments = [{ ...about, text: 'Say why' }];
    expect(made.verdicts).toEqual([{ kind: 'revise', by: 'user', comments }]);
  });

  test('stay where nobody is ready to revise the plan, and what to do is said', async () => {
    const made = await commented({ canRevise: false });
    await press(made, 's');
    expect(made.verdicts).toEqual([]);
    expect(made.said.at(-1)).toMatch(
      /no planning agent that is ready.*conclave resume --tools AGENT/,
    );
    expect(unsent(now(made))).toHaveLength(1);
  });

  test.each(['', 'b.criteria'])(
    'on %j can be changed, and an empty text deletes one',
    async (line) => {
      const made = await commented({}, line);
      await press(made, 'c');
      expect(made.reviewing.field.get().text).toBe('Say why');
      type(made, 'Say more');
      await press(made, 'enter');
      expect(unsent(now(made))).toMatchObject([{ text: 'Say more' }]);
      await press(made, 'c');
      type(made, '');
      await press(made, 'enter');
      expect(unsent(now(made))).toEqual([]);
    },
  );

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
    const [comment] = unsent(now(made));
    if (comment === undefined) throw new Error('nothing was saved');
    const again = storesFor({ ...question, seen: deskOf({ comments: [comment] }) });
    expect(unsent(again.state.get())).toHaveLength(1);
    const sent = deskOf({ version: 2, comments: [{ ...comment, sent: 2 }] });
    const next = storesFor({ ...question, seen: sent });
    expect(next.state.get().anchor).toBe('changes');
    expect(unsent(next.state.get())).toEqual([]);
  });
});

describe('an edit', () => {
  const full = taskOf('b', {
    files: [{ path: 'a.ts', action: 'modify' }, { path: 'b.ts' }],
    implementation: ['First', 'Then'],
    checks: [{ kind: 'command', argv: ['npm', 'run', 'my test'] }],
  });
  const seen = deskOf({ tasks: [taskOf('a'), full, taskOf('c')] });

  test.each([
    ['b', 'What b does', 'Else', 'title', 'Else'],
    [
      'b.files.b.ts',
      'b.ts',
      'c.ts\n- action: create',
      'files.1',
      { path: 'c.ts', action: 'create' },
    ],
    ['b.files.a.ts', 'a.ts\n- action: modify', '', 'files.0', null],
    ['b.steps.then', 'Then', 'Last', 'implementation.1', 'Last'],
    ['b.criteria.b', 'b is done', 'It is 3 ms', 'convergence.criteria.0', 'It is 3 ms'],
    [
      'b.checks.command',
      'command\n- argv: npm run "my test"',
      "command\n- argv: node 'two words' --last",
      'checks.0',
      { kind: 'command', argv: ['node', 'two words', '--last'] },
    ],
  ])('of the line %s opens %j, and %j is %s %j', async (line, before, typed, field, value) => {
    const made = review({ seen });
    goTo(made, line);
    await press(made, 'i');
    expect(made.reviewing.field.get().text).toBe(before);
    type(made, typed);
    await press(made, 'enter');
    expect(made.edits).toEqual([{ kind: 'set', task: 'b', field, value }]);
    expect(now(made).popup).toBeNull();
  });

  test('adds an entry to the list of the line, and takes one out', async () => {
    const made = review({ seen });
    goTo(made, 'b.steps.first');
    await press(made, 'a');
    type(made, 'At last');
    await press(made, 'enter', 'd');
    const set = { kind: 'set', task: 'b' };
    expect(made.edits).toEqual([
      { ...set, field: 'implementation.2', value: 'At last' },
      { ...set, field: 'implementation.0', value: null },
    ]);
    expect(made.said).toContain('b implementation.3 added. u undoes it.');
  });

  test.each(['', 'a.description', 'approach'])(
    'of the line %j is said to be one of the Markdown',
    async (line) => {
      const made = review({ seen });
      if (line !== '') goTo(made, line);
      await press(made, 'i', 'a', 'd');
      expect(made.edits).toEqual([]);
      expect(made.said).toHaveLength(3);
      expect(made.said[0]).toContain('e opens all of the plan');
    },
  );

  test('that cannot be read is refused with the reason', async () => {
    const made = review({ seen });
    goTo(made, 'b.files.b.ts');
    await press(made, 'i');
    type(made, 'b.ts\nmodify');
    await press(made, 'enter');
    expect(made.edits).toEqual([]);
    expect(now(made)).toMatchObject({
      popup: {},
      refused: '"- name: value" is expected, not "modify"',
    });
  });

  test('that is refused keeps what was typed, with the reason', async () => {
    const made = review({ seen, answers: refusing('b needs title.') });
    goTo(made, 'b');
    await press(made, 'i');
    type(made, '');
    await press(made, 'enter');
    expect(made.edits).toEqual([{ kind: 'set', task: 'b', field: 'title', value: null }]);
    expect(now(made)).toMatchObject({ popup: {}, refused: 'b needs title.', busy: false });
    await press(made, 'esc');
    expect(now(made)).toMatchObject({ popup: null, refused: null });
  });

  test('that is refused where nothing is typed says why until the next key', async () => {
    const made = review({ seen, answers: refusing('b needs a criterion.') });
    goTo(made, 'b.criteria.b');
    await press(made, 'd');
    expect(now(made)).toMatchObject({ popup: null, refused: 'b needs a criterion.' });
    await press(made, 'up');
    expect(now(made)).toMatchObject({ refused: null });
  });

  test('that changes nothing does not reach the desk', async () => {
    const made = review({ seen });
    goTo(made, 'b');
    await press(made, 'i', 'enter');
    expect(made.edits).toEqual([]);
    expect(now(made).popup).toBeNull();
  });

  test('is made once, however often Enter is pressed meanwhile', async () => {
    const made = review({ seen });
    goTo(made, 'b');
    await press(made, 'i');
    type(made, 'Else');
    const enter = bindings(made).find(({ keys }) => keys.includes('enter'));
    for (let times = 0; times < 3; times += 1) enter?.run();
    expect(made.edits).toHaveLength(1);
  });

  test('says that an approval does not hold any more', async () => {
    const approved = { ...seen, approvedHash: 'hash' };
    const made = review({
      seen: approved,
      answers: { ok: true, value: { ...approved, hash: 'other' } },
    });
    goTo(made, 'b');
    await press(made, 'J');
    expect(made.edits).toEqual([{ kind: 'move', task: 'b', to: 2 }]);
    expect(made.said).toEqual([
      'b moved to place 3. u undoes it. The plan needs a new approval now.',
    ]);
  });

  test('that the disk refuses is said, and nothing is lost', async () => {
    const made = review({ seen, answers: new Error('disk full') });
    goTo(made, 'b');
    await press(made, 'J');
    expect(made.said).toEqual(['Not done: disk full']);
    expect(now(made).busy).toBe(false);
  });

  test('of the order stays within the plan', async () => {
    const made = review({ seen });
    await press(made, 'J');
    goTo(made, 'a');
    await press(made, 'K');
    expect(made.edits).toEqual([]);
    expect(made.said).toEqual([
      'Choose a task first; J and K move it.',
      'a is already the first task.',
    ]);
  });
});

test('two versions are compared in place of the plan, and Esc leads back to it', async () => {
  const made = review({ seen: deskOf({ version: 2, versions: [1] }) });
  await press(made, 'V', 'enter', 'enter');
  expect(now(made).compared?.title).toBe('Version 2: 1 change since version 1');
  await press(made, 'esc');
  expect(now(made).compared).toBeNull();
  expect(made.verdicts).toEqual([]);
});

test('u takes back the last edit, or says that there is none', async () => {
  const made = review();
  await press(made, 'u');
  expect(made.said).toEqual(['The last edit is undone.']);
  const none = review({ answers: refusing('There is no edit to undo.') });
  await press(none, 'u');
  expect(now(none).refused).toBe('There is no edit to undo.');
});

test('x rejects the plan with a reason', async () => {
  const made = review();
  await press(made, 'x');
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

  test('gets the code of the proof on whose line it is opened', async () => {
    const edited = { ok: true, text: 'test();' } as const;
    const made = review({ seen: withProof(), edited });
    goTo(made, 'proofs.P1');
    await press(made, 'e');
    expect([made.opened, made.edits]).toEqual([['{}'], []]);
    expect(made.said).toEqual(['P1 is changed. It runs at the base before an approval.']);
  });

  test('that cannot be opened leaves everything as it is, and says why', async () => {
    const made = review();
    await press(made, 'e');
    expect(made.said).toEqual(['No editor is set up.']);
    expect(now(made)).toMatchObject({ popup: null, busy: false });
  });
});
