import { expect, test } from 'vitest';
import type { ReportData } from '../../../src/app/read-report.ts';
import { reportPage } from '../../../src/faces/report/report-page.ts';
import { CodeReview, ExecutionResult } from '../../../src/model/execution.ts';
import { Plan } from '../../../src/model/plan.ts';
import { PlanReading } from '../../../src/model/plan-reading.ts';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { Task } from '../../../src/model/task.ts';
import { samplesOf } from '../../helpers/samples.ts';
import { executed, tasks } from './executed-report.ts';
import { packageOf } from '../../phases/planning/samples.ts';

const planned = { ...executed, result: null, codeReview: null };
const discussed = { ...planned, plan: null, tasks: [] };

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
const nothing = { ...discussed, rounds: [], calls: [] };

test.each<[string, ReportData, readonly string[], string]>([
  [
    'began',
    nothing,
    [],
    'No round of the discussion was finished. There is no plan. No agent was asked.',
  ],
  ['discussed', discussed, discussion, 'There is no plan.'],
  ['planned', planned, ['Plan', 'Tasks', ...discussion], 'The plan has not been carried out.'],
  ['executed', executed, ['Result', 'Code review', 'Plan', 'Tasks', ...discussion], ''],
  [
    'executed without review, a task file gone',
    { ...executed, codeReview: null, tasks: tasks.slice(1) },
    ['Result', 'Plan', 'Tasks', ...discussion],
    '1 task of the plan cannot be read. Nobody has reviewed the changes.',
  ],
])('the report of a session that only %s says what is missing', (_, data, sections, missing) => {
  expect(headings(data)).toEqual(sections);
  expect(seen(data)).toContain(missing);
});

test('the report shows what readers found in the plan, with its evidence and its fate', () => {
  const reading = PlanReading.parse(samplesOf('plan-reading').good[0]);
  expect(headings({ ...planned, reading })).toEqual([
    'Plan',
    'Read by others',
    'Tasks',
    ...discussion,
  ]);
  const text = seen({ ...planned, reading });
  expect(text).toContain('codex: 1 finding (1 refused).');
  expect(text).toContain('blocking TASK-001, by codex: refused The status is never 503.');
  expect(text).toContain('Reply: It is asked before.');
});

test('the report of an execution shows how each task ended and what proves it', () => {
  const text = seen(executed);
  for (const words of [
    '1 of 2 tasks completed, 1 blocked, reviewed by nobody.',
    'TASK-002 conflicted in src/a.ts',
    '✗ blocking src/health.ts:3 · reference ✓ found',
    '✓ completed · by codex · 1 round of fixes · commit dddddddddddd',
    '✗ failed 0.8 s ✓ passed 0.8 s',
    '⊘ blocked : it needs TASK-001 · after TASK-001',
    '? not shown :',
    'against: codex.',
    'codex opposes it: x (src/server.ts:14 moved)',
    '✗ failed : src/server.ts:12, “Routes are registered in one place” (claude): two lines down',
    'the user skipped gemini',
    'codex opposes “Route”: x',
    'src/server.ts:14 , cited as line 12 · claude · two lines down',
    'claude m 1 0 1 2 $0.10',
  ]) {
    expect(text).toContain(words);
  }
});

test('a task that the user accepted says so beside how it ended, with the reason', () => {
  const { result } = executed;
  const accepted = { 'TASK-001': 'I ran it by hand' };
  const text = seen({ ...executed, result: result && { ...result, accepted } });
  expect(text).toContain('commit dddddddddddd ✓ accepted by the user : I ran it by hand');
});

test('tasks that wait for each other have no graph', () => {
  const circle = planned.tasks.map((task) => ({ ...task, depends_on: ['TASK-002'] }));
  expect(reportPage({ ...planned, tasks: circle })).not.toContain('<svg');
  expect(seen({ ...planned, tasks: circle })).toContain('there is no order to draw');
});

test('every link leads to a part of the page', () => {
  const page = reportPage(executed);
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets).toContain('task-TASK-002');
  expect(targets.filter((id) => !page.includes(` id="${id}"`))).toEqual([]);
});

test('text from outside stays text, and nothing is asked for or run', () => {
  const hostile = `"'><script>x()</script><b onclick=x>\u001b[2J`;
  const spoilt = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, one: unknown) =>
      typeof one === 'string' && one.includes(' ') ? `${one}${hostile}` : one,
    );
  const page = reportPage({
    ...executed,
    rounds: Synthesis.array().parse(spoilt(executed.rounds)),
    plan: Plan.parse(spoilt(executed.plan)),
    tasks: Task.array().parse(spoilt(executed.tasks)),
    result: ExecutionResult.parse(spoilt(executed.result)),
    codeReview: CodeReview.parse(spoilt(executed.codeReview)),
  });
  expect(page).toContain('&#60;script&#62;');
  expect(page).not.toMatch(/<script|<b /);
  expect(page).not.toContain('\u001b');
  expect(page.replaceAll(/<title>.*?<\/title>/gs, '')).not.toMatch(/<[^>]*\son\w+=/);
  expect(page).not.toMatch(/(?:src|href)="[^#]/);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
});

test('the report tells what the agents asked, what the user answered, and what was assumed', () => {
  const contextPackage = packageOf({
    clarifications: [{ question: 'Which port?', answer: '8080' }],
    feedback: ['Compare the work.'],
    open_questions: ['With TLS?'],
    assumptions: [{ question: 'With TLS?', assumption: 'no', agents: ['codex'] }],
  });
  const text = seen({ ...planned, contextPackage });
  expect(headings({ ...planned, contextPackage })).toContain('Questions and answers');
  for (const words of ['Which port? 8080', 'Compare the work.', 'With TLS? codex assumed: no']) {
    expect(text).toContain(words);
  }
});

test('the report tells of each remark who answered it and what became of it', () => {
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
    'O1, objection by beta Two requests share it. gamma finds that it holds: see the pool Done in TASK-001.',
    'O2, change asked for by beta Name it. The solution meets it.',
    'O4, change asked for by beta Log it. The plan does not answer it.',
  ]) {
    expect(text).toContain(words);
  }
  expect(text).not.toContain('It is read once.');
});

test('the whole diff is folded by file, and cut where a file is long', () => {
  const diff = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1 +1,2 @@
-const a = '<b>';
+const a = 1;
+const b = 2;
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1,2500 +0,0 @@
${'-x\n'.repeat(2_500)}`;
  const page = reportPage({ ...executed, diff });
  expect(page).toMatch(/<details><summary><code>src\/a.ts<\/code> <span class="quiet">\+2 −1/);
  expect(page).toMatch(/<details><summary><code>old.txt<\/code>/);
  expect(seen({ ...executed, diff })).toContain("-const a = '<b>';");
  expect(seen({ ...executed, diff })).toContain('501 more lines in execution-result.diff');
});
