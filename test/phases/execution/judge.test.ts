import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  option,
  property,
  record as anyOf,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CheckRecord } from '../../../src/model/check-record.ts';
import type { WorkFacts } from '../../../src/model/execution.ts';
import type { Task } from '../../../src/model/task.ts';
import { outOfScope } from '../../../src/phases/execution/task-outcome.ts';
import { type Evidence, judge } from '../../../src/phases/execution/judge.ts';

const nothing: WorkFacts = { rest: [], untouched: [], ignored: [], links_out: [] };
const task = { convergence: { criteria: ['one', 'two'] } };

const record = (over: Partial<CheckRecord>): CheckRecord =>
  CheckRecord.parse({
    check: 'a',
    kind: 'command',
    criterion: 0,
    note: over.passed === false ? 'exit code 1' : '',
    output: '',
    ms: 1,
    tasks: ['TASK-001'],
    moment: 'after',
    round: 1,
    commit: 'c',
    tree: 'work',
    ...over,
  });

const before = (over: Partial<CheckRecord>) =>
  record({ moment: 'before', tree: 'start', round: 0, ...over });
const after = (over: Partial<CheckRecord>) => record(over);
const again = (over: Partial<CheckRecord>) => record({ moment: 'again', tree: 'tests', ...over });
const all = (over: Partial<CheckRecord>) => record({ tree: 'all', ...over });
const joined = (over: Partial<CheckRecord>) =>
  record({ moment: 'joined', tree: 'joined', round: 0, ...over });
const verdict = (criterion: number, passed: boolean | null) =>
  joined({ kind: 'review', check: `criterion ${criterion + 1}`, criterion, passed });

const red = { passed: false };
const green = { passed: true };
const none = { passed: null, ran_no_test: true, note: 'no test passed' };
const shown = [before(red), after(green), again(red)];
const tests = (passed: number, names: string[] | null = null) => ({
  ...green,
  tests: { passed, failed: 0, skipped: 0, names, cut: null },
});

const judged = (records: readonly CheckRecord[], more: Partial<Evidence> = {}) =>
  judge({ task, records, files: ['x'], facts: nothing, ...more });
const only = (type: Task['type']) => ({ task: { convergence: { criteria: ['one'] }, type } });

describe('a task is', () => {
  test.each<[string, readonly CheckRecord[], string, string, Partial<Evidence>]>([
    ['completed where a check turned', shown, 'completed', '', {}],
    [
      'unproven where the check is green on the start now, too',
      [before(red), after(green), again(green)],
      'unproven',
      'the check "a" is green on the start, too, so it shows nothing of the work',
      {},
    ],
    ['unproven where nobody looked', [before(red), after(green)], 'unproven', 'green on the', {}],
    [
      'completed then, where the user wants no second look',
      [before(red), after(green)],
      'completed',
      '',
      { rechecks: false },
    ],
    [
      'completed by a look into a file, which says the same each time',
      [before({ ...red, kind: 'text' }), after({ ...green, kind: 'text' })],
      'completed',
      '',
      {},
    ],
    [
      'failed where a check fails, though another turned',
      [...shown, before({ ...green, check: 'b' }), after({ ...red, check: 'b' })],
      'failed',
      'the check "b" fails: exit code 1',
      {},
    ],
    [
      'failed where a check fails that looks for a quoted text',
      [before(red), after({ ...red, check: 'a.js contains "count()"' })],
      'failed',
      'the check “a.js contains "count()"” fails: exit code 1',
      {},
    ],
    [
      'unproven where its checks need what does not belong to it',
      [before(red), after(red), all(green)],
      'unproven',
      'its checks pass only with .npmrc and ok.sh, which the task does not name',
      { facts: { ...nothing, rest: ['.npmrc', 'ok.sh'] } },
    ],
    [
      'unproven where all passed before',
      [before(green), after(green)],
      'unproven',
      'no check failed before the work, so passing them proves nothing',
      {},
    ],
    [
      'unproven where only a person can tell',
      [before({ passed: null, kind: 'manual' }), after({ passed: null, kind: 'manual' })],
      'unproven',
      'none of its checks can run automatically',
      {},
    ],
    ['completed where a test came', [before(none), after(green), again(none)], 'completed', '', {}],
    [
      'unproven where no test ran, though another check turned',
      [...shown, before({ ...none, check: 'b' }), after({ ...none, check: 'b' })],
      'unproven',
      'no test passed: the check "b"',
      {},
    ],
    ['failed where nothing was changed', [], 'failed', 'the agent changed no file', { files: [] }],
    [
      'failed where a check turned and nothing was changed',
      shown,
      'failed',
      'the agent changed no file that git sees, and in a clean checkout the check "a" fails: exit code 1',
      { files: [] },
    ],
    [
      'unproven where a named file was not touched',
      shown,
      'unproven',
      'docs/cli.rst was to be changed and was not',
      {
        task: { ...task, files: [{ path: 'a.js' }, { path: 'docs/cli.rst' }] },
        facts: { ...nothing, untouched: ['docs/cli.rst'] },
      },
    ],
    [
      'unproven where a link leads out of the repository',
      shown,
      'unproven',
      'src/a.js leads out of the repository',
      { facts: { ...nothing, links_out: ['src/a.js'] } },
    ],
    [
      'unproven where a test passes by failing',
      shown,
      'unproven',
      'with WILL_FAIL a test passes by failing',
      { facts: { ...nothing, inverts: 'WILL_FAIL' } },
    ],
    [
      'unproven where a test from before is run in another way',
      shown,
      'unproven',
      'the test “t” is run in another way now',
      { facts: { ...nothing, reruns: 't' } },
    ],
    [
      'unproven where a test that passed is gone',
      [
        before({ ...red, ...tests(1, ['old']), passed: false }),
        after(tests(1, ['new'])),
        again(red),
      ],
      'unproven',
      'old',
      {},
    ],
    [
      'unproven where a test is gone that passed in any run before the work',
      [before(green), before({ ...red, ...tests(1, ['old']), passed: false }), after(tests(0, []))],
      'unproven',
      'old',
      {},
    ],
    [
      'failed where a check fails on the joined result',
      [...shown, joined(red)],
      'failed',
      'on the joined result the check "a" fails: exit code 1',
      {},
    ],
    [
      'failed where it ran tests alone, and none on the joined result',
      [...shown, joined(none)],
      'failed',
      'on the joined result the check "a" fails: no test passed',
      {},
    ],
  ])('%s', (_, records, status, why, more) => {
    const found = judged(records, more);
    expect({ status: found.status, isWhy: found.why.includes(why) }).toEqual({
      status,
      isWhy: true,
    });
    expect(found.why === '').toBe(status === 'completed');
  });
});

describe('the kind of evidence follows from the type of the task', () => {
  test.each<[string, Task['type'], readonly CheckRecord[], string, string]>([
    [
      'tests by more that pass',
      'test-gen',
      [before(tests(2)), after(tests(5))],
      'completed',
      'as tests: 3 more pass',
    ],
    [
      'no tests by as many as before',
      'testing',
      [before(tests(2)), after(tests(2))],
      'unproven',
      '',
    ],
    [
      'no tests by a file that is there now',
      'testing',
      [
        before(tests(2)),
        before({ ...red, kind: 'file', check: 'f' }),
        after(tests(2)),
        after({ ...green, kind: 'file', check: 'f' }),
      ],
      'unproven',
      '',
    ],
    [
      'a refactoring by as many',
      'refactor',
      [before(tests(34)), after(tests(34))],
      'completed',
      'as a refactoring: 34 tests pass as before',
    ],
    ['no refactoring by fewer', 'refactor', [before(tests(34)), after(tests(33))], 'unproven', ''],
    ['no fix by as many', 'fix', [before(tests(34)), after(tests(34))], 'unproven', ''],
    [
      'a document by its reviewer',
      'docs',
      [after({ passed: null, kind: 'manual' }), verdict(0, true)],
      'completed',
      'as its reviewer shows with quotes',
    ],
  ])('%s', (_, type, records, status, how) => {
    expect(judged(records, only(type))).toMatchObject({ status, shown: how });
  });

  test('and its reviewer lifts no red check, and none that needs other files', () => {
    const met = [verdict(0, true), verdict(1, true)];
    expect(judged([before(red), after(red), ...met]).status).toBe('failed');
    expect(judged([before(red), after(red), all(green), ...met]).status).toBe('unproven');
    expect(judged([before(green), after(green), ...met]).status).toBe('completed');
  });
});

test('says where the user wanted no second run on the start', () => {
  const records = [before(red), after(green)];
  expect(judged(records, { ...only('fix'), rechecks: false })).toMatchObject({
    status: 'completed',
    shown: 'not run on the start again, as recheck = false',
  });
});

test('a criterion is shown only by checks of its own that all pass, and the end counts them', () => {
  const two = [
    ...shown,
    after({ ...green, check: 'b', criterion: 1 }),
    after({ check: 'c', criterion: 1, passed: null, kind: 'manual' }),
  ];
  expect(judged(two)).toMatchObject({ criteria: [true, false], shown: '1 of 2 criteria shown' });
});

/** Any record of a few checks. */
const anyRecord = anyOf({
  check: constantFrom('a', 'b'),
  kind: constantFrom('command', 'test', 'text'),
  passed: constantFrom(true, false, null),
  ran_no_test: boolean(),
  round: integer({ min: 0, max: 2 }),
  criterion: constantFrom(0, 1, null),
  tests: option(integer({ min: 0, max: 3 }).map((many) => tests(many).tests)),
  place: constantFrom(
    { moment: 'before', tree: 'start' },
    { moment: 'after', tree: 'work' },
    { moment: 'after', tree: 'all' },
    { moment: 'again', tree: 'tests' },
    { moment: 'joined', tree: 'joined' },
  ),
}).map(({ place, tests: counts, passed, ran_no_test: ranNone, ...one }) =>
  record({
    ...one,
    ...place,
    passed,
    ran_no_test: ranNone && passed === null,
    ...(counts === null ? {} : { tests: counts }),
  }),
);
const anyRecords = array(anyRecord, { maxLength: 12 });
const anyType = constantFrom<Task['type']>(undefined, 'fix', 'refactor', 'testing');
const rank = { failed: 0, unproven: 1, completed: 2 };
const rankOf = (records: readonly CheckRecord[], type: Task['type']) =>
  rank[judged(records, { task: { ...task, type } }).status];

/** The round that counts at the moment of a record: a later one would take the place of all its records. */
const lastRound = (records: readonly CheckRecord[], { moment, tree }: CheckRecord) =>
  Math.max(
    0,
    ...records.flatMap((one) => (one.moment === moment && one.tree === tree ? one.round : [])),
  );

describe('whatever was recorded', () => {
  const worse = anyRecord.filter(
    ({ moment, tree, passed }) =>
      (passed === false && (moment === 'joined' || tree === 'work')) ||
      (passed === true && moment === 'again'),
  );
  test('one more failure after the work or joined, or pass on the start again, improves nothing', () => {
    assert(
      property(anyRecords, worse, anyType, (records, more, type) => {
        const one = { ...more, round: lastRound(records, more) };
        expect(rankOf([...records, one], type)).toBeLessThanOrEqual(rankOf(records, type));
      }),
    );
  });

  test('nothing of before helps a check that is red after the work', () => {
    const early = anyRecord.filter(({ moment }) => moment === 'before');
    assert(
      property(anyRecords, early, anyType, (records, more, type) => {
        const failing = [...records, after({ ...red, round: 2 })];
        expect(rankOf([...failing, more], type)).toBeLessThanOrEqual(rankOf(failing, type));
      }),
    );
  });

  test('a command that turned green shows nothing without a run on the start again', () => {
    assert(
      property(anyRecords, (records) => {
        const run = records.filter(({ moment, kind }) => moment !== 'again' && kind !== 'text');
        expect(rankOf(run, 'fix')).toBeLessThan(rank.completed);
      }),
    );
  });

  test('what was changed besides shows nothing', () => {
    assert(
      property(anyRecords, anyType, (records, type) => {
        const own = records.filter(({ tree }) => tree !== 'all');
        const isDone = (some: readonly CheckRecord[]) => rankOf(some, type) === rank.completed;
        expect(isDone(own) || !isDone(records)).toBe(true);
      }),
    );
  });

  test('order does not matter', () => {
    assert(
      property(anyRecords, anyType, (records, type) => {
        expect(rankOf(records.toReversed(), type)).toBe(rankOf(records, type));
      }),
    );
  });
});

test('what a task does not name is out of its scope: not its folders, nor the tests that it names', () => {
  const files = [{ path: 'src/a.js' }, { path: 'docs/' }];
  const changed = ['src/a.js', 'docs/b.md', 'test/a.test.js', 'src/ab.js'];
  expect(outOfScope({ files, test: { unit: ['test/a.test.js: an empty list'] } }, changed)).toEqual(
    ['src/ab.js'],
  );
  expect(outOfScope({}, changed)).toEqual([]);
});
