import { expect, test } from 'vitest';
import type { ReportData } from '../../src/app/read-report.ts';
import { textLines } from '../../src/faces/document-text.ts';
import { sessionDocument } from '../../src/faces/session-document.ts';
import { listAnchors, type Block, textOf } from '../../src/model/document.ts';
import { PlanReading } from '../../src/model/plan-reading.ts';
import { packageOf } from '../phases/planning/samples.ts';
import { samplesOf } from '../helpers/samples.ts';
import { executed, tasks } from './executed-report.ts';

const planned = { ...executed, result: null, codeReview: null };
const discussed = { ...planned, plan: null, tasks: [] };
const nothing = { ...discussed, rounds: [], calls: [] };

const seen = (data: ReportData) =>
  textLines(sessionDocument(data).blocks, { isWhole: true })
    .map((line) => line.trim())
    .join(' ');
const isSection = ({ kind }: Block) => kind === 'section';
const headings = (data: ReportData) =>
  sessionDocument(data)
    .blocks.filter(isSection)
    .map(({ line }) => textOf(line));

const discussion = ['Options', 'Rounds', 'Claims about the code', 'Cost and time'];

test.each<[string, ReportData, readonly string[], string]>([
  [
    'began',
    nothing,
    [],
    'No round of the discussion was finished. There is no plan. No agent was asked.',
  ],
  ['discussed', discussed, discussion, 'There is no plan.'],
  ['planned', planned, ['Plan', 'Tasks', ...discussion], 'The plan has not been carried out.'],
  ['executed', executed, ['Result', 'Code review by gemini', 'Plan', 'Tasks', ...discussion], ''],
  [
    'executed without review, a task file gone',
    { ...executed, codeReview: null, tasks: tasks.slice(1) },
    ['Result', 'Plan', 'Tasks', ...discussion],
    '1 task of the plan cannot be read. Nobody has reviewed the changes.',
  ],
])('a session that only %s says what is missing', (_, data, sections, missing) => {
  expect(headings(data)).toEqual(sections);
  expect(seen(data)).toContain(missing);
});

test('what readers found in the plan is told with its evidence and its fate', () => {
  const reading = PlanReading.parse(samplesOf('plan-reading').good[0]);
  const text = seen({ ...planned, reading });
  expect(text).toContain('Read by codex: 1 finding (1 refused).');
  expect(text).toContain('blocking, refused (TASK-001): The status is never 503. (found by codex)');
  expect(text).toContain('Reply: It is asked before.');
});

test('each task tells how it ended and what proves it', () => {
  const text = seen(executed);
  for (const words of [
    '1 of 2 tasks completed, 1 blocked, reviewed by nobody:',
    'TASK-002 conflicted in src/a.ts',
    'blocking, src/health.ts:3',
    'Status: completed Done by: codex Rounds of fixes: 1 Commit: dddddddddddd',
    'before the work failed, after it passed',
    'blocked',
    'it needs TASK-001',
    'not shown:',
    'against: codex',
    'codex opposes it: x (src/server.ts:14 moved)',
    'src/server.ts:12, “Routes are registered in one place” (claude): two lines down',
    'the user skipped gemini',
    'codex opposes “Route”: x',
    'src/server.ts:14, cited as line 12 · claude · two lines down',
    'claude, m, 1, 0, 1, 2, $0.10',
  ]) {
    expect(text).toContain(words);
  }
});

test('a task that the user accepted says so, with the reason', () => {
  const { result } = executed;
  const accepted = { 'TASK-001': 'I ran it by hand' };
  const text = seen({ ...executed, result: result && { ...result, accepted } });
  expect(text).toContain('accepted: I ran it by hand');
});

test('no two lines of a whole session have the same anchor', () => {
  const anchors = listAnchors(sessionDocument(executed).blocks).map(({ anchor }) => anchor);
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(anchors).toContain('TASK-002');
});

test('what the agents asked, what the user answered, and what was assumed is told', () => {
  const contextPackage = packageOf({
    clarifications: [{ question: 'Which port?', answer: '8080' }],
    feedback: ['Compare the work.'],
    open_questions: ['With TLS?'],
    assumptions: [{ question: 'With TLS?', assumption: 'no', agents: ['codex'] }],
  });
  const text = seen({ ...planned, contextPackage });
  for (const words of [
    'Which port? 8080',
    'Compare the work.',
    'With TLS?',
    'Assumed by codex: no',
  ]) {
    expect(text).toContain(words);
  }
});

test('each remark tells who answered it and what became of it', () => {
  const remark = { evidence: [], agents: ['beta'], state: 'open' as const };
  const contextPackage = packageOf({
    remarks: [
      {
        ...remark,
        id: 'O1',
        kind: 'objection',
        text: 'Two requests share it.',
        replies: [{ agent: 'gamma', verdict: 'holds', why: 'see the pool.' }],
      },
      { ...remark, id: 'O2', kind: 'change', text: 'Name it.', state: 'met' },
      { ...remark, id: 'O3', kind: 'note', text: 'It is read once.' },
      { ...remark, id: 'O4', kind: 'change', text: 'Log it.' },
    ],
  });
  const settled = tasks.map((task, at) => (at === 0 ? { ...task, answers: ['O1'] } : task));
  const data = { ...planned, tasks: settled, contextPackage };
  expect(headings(data)).toContain('What became of each remark');
  const text = seen(data);
  for (const words of [
    'O1, an objection by beta: Two requests share it. gamma finds that it holds: see the pool. Done in TASK-001.',
    'O2, a change asked for by beta: Name it. The solution meets it.',
    'O4, a change asked for by beta: Log it. The plan does not answer it.',
  ]) {
    expect(text).toContain(words);
  }
  expect(text).not.toContain('It is read once.');
});
