import { describe, expect, test } from 'vitest';
import { CodeReview, type TaskOutcome } from '../../../src/model/execution.ts';
import { judgeAgain } from '../../../src/phases/execution/judge.ts';
import { checkAnswer, verdictRecords } from '../../../src/phases/reviewing/check-answer.ts';
import { answerOf, diff, findingOf, list, outcomeOf, reviewedTasks, verdict } from './samples.ts';

const judgedBy = (review: CodeReview, outcome: TaskOutcome) => {
  const task = reviewedTasks.find(({ id }) => id === outcome.task) ?? reviewedTasks[0];
  if (task === undefined) throw new Error('there are two tasks');
  const records = verdictRecords(review, outcome);
  return judgeAgain(outcome, { task, records, rechecks: true });
};

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
    return outcomes.map((outcome) => judgedBy(review, outcome).status);
  };

  test('is completed by a review that finds all of its criteria met', async () => {
    expect(await statuses({})).toEqual(['completed', 'completed']);
    const review = CodeReview.parse({
      reviewer: 'bee',
      model: null,
      commit: 'c',
      ...(await check({ findings: [], criteria: met })),
      fixed: false,
    });
    expect(judgedBy(review, first)).toMatchObject({
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
});
