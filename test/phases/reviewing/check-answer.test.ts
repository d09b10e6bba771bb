import { describe, expect, test } from 'vitest';
import { CodeReview } from '../../../src/model/execution.ts';
import { checkAnswer, isReview, withVerdicts } from '../../../src/phases/reviewing/check-answer.ts';
import { answerOf, diff, findingOf, list, outcomeOf, reviewedTasks, verdict } from './samples.ts';

/** A look into a file, without its moment and its end. */
const run = {
  check: 'it is there',
  kind: 'text' as const,
  criterion: null,
  note: '',
  output: '',
  ms: 1,
  commit: 'c',
  tasks: ['TASK-001'],
};

const judging = { tasks: reviewedTasks, rechecks: true };

const change = {
  tasks: reviewedTasks,
  diff,
  readAt: (path: string) => Promise.resolve(path === 'src/commands/list.js' ? list : null),
};

const check = (over: Parameters<typeof answerOf>[0]) => checkAnswer(answerOf(over), change);
const shown = ({ file, line, reference }: CodeReview['findings'][number]) =>
  `${file}:${line} ${reference}`;

describe('what a finding cites', () => {
  test.each([
    ['as it is', {}, 'src/commands/list.js:5 verified'],
    ['far off', { line: 25 }, 'src/commands/list.js:5 moved'],
    ['without a line', { line: null }, 'src/commands/list.js:5 verified'],
    ['as the diff names it', { file: 'b/src/commands/list.js' }, 'src/commands/list.js:5 verified'],
    [
      'with a quote that is nowhere',
      { quote: 'args.includes(flag)' },
      'src/commands/list.js:5 failed',
    ],
    ['in no such file', { file: 'src/none.js' }, 'src/none.js:5 failed'],
    ['outside', { file: '../../etc/passwd', quote: '' }, '../../etc/passwd:5 failed'],
    ['without a quote', { quote: ' ' }, 'src/commands/list.js:5 none'],
    [
      'in a file that the change deleted',
      { file: 'src/old.js', line: null, quote: '' },
      'src/old.js:null none',
    ],
  ])('%s', async (_how, over, expected) => {
    const { findings, blocking } = await check({ findings: [findingOf(over)] });
    expect(findings.map(shown)).toEqual([expected]);
    expect(blocking).toBe(expected.endsWith('failed') ? 0 : 1);
  });
});

test('the worst findings come first, and those of one severity stay in order', async () => {
  const findings = [
    findingOf({ severity: 'minor', problem: 'a' }),
    findingOf({ severity: 'major', problem: 'b' }),
    findingOf({ severity: 'blocking', problem: 'c' }),
    findingOf({ severity: 'major', problem: 'd' }),
  ];
  const checked = await check({ findings });
  expect(checked.findings.map(({ problem }) => problem).join('')).toBe('cbda');
  expect(checked.blocking).toBe(1);
});

test('each criterion has one verdict: the worst, or unclear; unknown ones are dropped', async () => {
  const criteria = [
    verdict('TASK-001', 0, 'met'),
    verdict('TASK-001', 0, 'not-met'),
    verdict('TASK-001', 0, 'unclear'),
    verdict('TASK-001', 7, 'not-met'),
    verdict('TASK-009', 0, 'not-met'),
    verdict('TASK-002', 0, 'met'),
  ];
  const checked = await check({ criteria });
  expect(
    checked.criteria.map(({ task, criterion, verdict: is }) => `${task}/${criterion} ${is}`),
  ).toEqual(['TASK-001/0 not-met', 'TASK-001/1 unclear', 'TASK-002/0 met']);
});

const judged = async (over: object, own: readonly string[] = []) => {
  const criteria = [{ ...verdict('TASK-001', 0, 'met'), ...over }];
  const checked = await checkAnswer(answerOf({ findings: [], criteria }), { ...change, own });
  const [first] = checked.criteria;
  return { ...first, isReview: isReview(checked) };
};

describe('a criterion is met', () => {
  test('where its quote is found, even on another line', async () => {
    expect(await judged({ line: 25 })).toMatchObject({
      verdict: 'met',
      line: 5,
      reference: 'moved',
      isReview: true,
    });
  });

  test.each([
    ['its quote is nowhere', { quote: 'args.includes(flag)' }, 'its quote was not found'],
    ['the file is not in the commit', { file: 'src/none.js' }, 'its quote was not found'],
    ['nothing is quoted', { quote: ' ' }, 'nothing is quoted'],
    ['no place is named', { file: '', line: null, quote: '' }, 'nothing is quoted'],
  ])('not where %s, and a review that judged nothing else is none', async (_what, over, why) => {
    expect(await judged(over)).toMatchObject({
      verdict: 'unclear',
      evidence: `The flag is seen here. (${why}, so this does not count)`,
      isReview: false,
    });
  });

  test('not by the word of who did the task', async () => {
    expect(await judged({}, ['TASK-001'])).toMatchObject({ verdict: 'unclear', isReview: false });
    expect(await judged({}, ['TASK-002'])).toMatchObject({ verdict: 'met', isReview: true });
  });
});

describe('an unproven task', () => {
  const [first, second] = reviewedTasks.map((task) =>
    outcomeOf(task, { status: 'unproven', why: 'nothing shows it' }),
  );
  if (first === undefined || second === undefined) throw new Error('there are two tasks');
  const met = [
    verdict('TASK-001', 0, 'met'),
    verdict('TASK-001', 1, 'met'),
    verdict('TASK-002', 0, 'met'),
  ];
  const statuses = async (over: Parameters<typeof answerOf>[0], outcomes = [first, second]) => {
    const checked = await check({ findings: [], criteria: met, ...over });
    const review = { reviewer: 'bee', model: null, commit: 'c', ...checked, fixed: false };
    return withVerdicts(review, outcomes, judging).map(({ status }) => status);
  };

  test('is completed by a review that finds all of its criteria met', async () => {
    expect(await statuses({})).toEqual(['completed', 'completed']);
    const [made] = withVerdicts(
      CodeReview.parse({
        reviewer: 'bee',
        model: null,
        commit: 'c',
        ...(await check({ findings: [], criteria: met })),
        fixed: false,
      }),
      [first],
      judging,
    );
    expect(made).toMatchObject({
      status: 'completed',
      why: '',
      shown: 'as its reviewer shows with quotes',
      criteria: [true, true],
    });
  });

  test.each([
    ['a verdict is missing', { criteria: met.slice(1) }, ['unproven', 'completed']],
    ['something blocks in its files', { findings: [findingOf()] }, ['unproven', 'completed']],
    [
      'what blocks cites nothing that is there',
      { findings: [findingOf({ quote: 'no such thing' })] },
      ['completed', 'completed'],
    ],
    [
      'what is found does not block',
      { findings: [findingOf({ severity: 'major' })] },
      ['completed', 'completed'],
    ],
  ])('where %s', async (_what, over, expected) => {
    expect(await statuses(over)).toEqual(expected);
  });

  test('alone is changed: what failed stays failed', async () => {
    const failed = { ...first, status: 'failed' as const };
    expect(await statuses({}, [failed])).toEqual(['failed']);
  });

  test('stays unproven where a check refutes it', async () => {
    const red = { ...run, round: 1, passed: false, moment: 'after', tree: 'work' } as const;
    const refuted = { ...first, checks: [red, { ...red, passed: true, tree: 'all' } as const] };
    expect(await statuses({}, [refuted])).toEqual(['unproven']);
  });

  test('and a completed one show a criterion that the review found met', async () => {
    const checked = await check({ findings: [], criteria: met.slice(0, 1) });
    const review = { reviewer: 'bee', model: null, commit: 'c', ...checked, fixed: false };
    const checks = [
      { ...run, round: 0, passed: false, moment: 'before', tree: 'start' } as const,
      { ...run, round: 1, passed: true, moment: 'after', tree: 'work' } as const,
    ];
    const [made] = withVerdicts(review, [{ ...first, status: 'completed', checks }], judging);
    expect(made?.criteria).toEqual([true, false]);
  });
});
