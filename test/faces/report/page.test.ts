import { describe, expect, test } from 'vitest';
import { type ReportData, reportPage } from '../../../src/faces/report/page.ts';
import { discussed, executed, planned, withSentences } from './samples.ts';

/** What a reader sees, without the style and the marks of HTML. */
const seen = (data: ReportData) =>
  reportPage(data)
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ');
const headings = (data: ReportData) =>
  [...reportPage(data).matchAll(/<h2>([^<]+)/g)].map(([, title]) => title);

const discussion = ['Options', 'Rounds', 'Claims about the code', 'Cost and time'];

describe('a report has what the session came to, and says what it has not', () => {
  const nothing = { ...discussed, rounds: [], receipts: [] };
  test.each<[string, ReportData, readonly string[], string]>([
    [
      'began',
      nothing,
      [],
      'No round of the discussion was finished. There is no plan. No agent left a receipt.',
    ],
    ['discussed', discussed, discussion, 'There is no plan.'],
    ['planned', planned, ['Plan', 'Tasks', ...discussion], 'The plan was not carried out.'],
    ['executed', executed, ['Result', 'Code review', 'Plan', 'Tasks', ...discussion], ''],
    [
      'executed without review, a task file gone',
      { ...executed, codeReview: null, tasks: executed.tasks.slice(1) },
      ['Result', 'Plan', 'Tasks', ...discussion],
      '1 task of the plan cannot be read. Nobody reviewed the changes.',
    ],
  ])('%s', (_, data, sections, missing) => {
    expect(headings(data)).toEqual(sections);
    expect(seen(data)).toContain(missing);
  });
});

test('the report of an execution tells how each task ended and what shows it', () => {
  const text = seen(executed);
  for (const words of [
    '4 of 8 tasks completed, 1 unproven, 1 failed, 2 blocked.',
    'TASK-004 conflicted in src/routes/login.ts',
    '✗ blocking src/limits/middleware.ts:22 · reference ✓ verified',
    '✓ completed · after TASK-001 and TASK-002 · by codex · commit 3f2a9c0d4e5b',
    '✗ failed 0.9 s ✓ passed 3.1 s',
    '✗ failed : npm test still fails after 2 rounds of fixes · after TASK-003 · by codex · 2 rounds of fixes',
    'src/settings.ts ! not named by the task',
    '? not shown : The eleventh request',
    '2. Limits at the reverse proxy',
    '✓ chosen · from codex',
    'Supported by claude and codex. Preferred by claude.',
    'codex opposes “Limits at the reverse proxy”: Nothing in this repository configures a proxy.',
    'gemini: no answer in 600 s',
    'src/routes/login.ts:14 , cited as line 9 · claude',
    'claude claude-model 2 0 96,420 4,620 $0.42 2 min 6 s',
    'gemini gemini-model 1 1 – – – 10 min 0 s',
  ]) {
    expect(text).toContain(words);
  }
});

test('tasks that wait for each other have no graph', () => {
  const tasks = planned.tasks.map((task) => ({ ...task, depends_on: ['TASK-008'] }));
  expect(reportPage({ ...planned, tasks })).not.toContain('<svg width');
  expect(seen({ ...planned, tasks })).toContain('there is no order to draw');
});

test('text from outside stays text, and nothing is asked for or run', () => {
  const page = reportPage(
    withSentences((text) => `${text}"'><script>x()</script><b onclick=x>\u001b[2J`),
  );
  expect(page).not.toMatch(/<script|<b /);
  expect(page).not.toContain('\u001b');
  expect(page.replaceAll(/<title>.*?<\/title>/gs, '')).not.toMatch(/<[^>]*\son\w+=/);
  expect(page).not.toMatch(/(?:src|href)="[^#]/);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
});
