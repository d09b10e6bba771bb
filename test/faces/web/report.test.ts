import { expect, test } from 'vitest';
import type { ReportData } from '../../../src/app/read-report.ts';
import { sessionDocument } from '../../../src/faces/session-document.ts';
import { reportHtml } from '../../../src/faces/web/page-html.tsx';
import { documentOf, prose } from '../../../src/model/document.ts';
import { CodeReview, ExecutionResult } from '../../../src/model/execution.ts';
import { Plan } from '../../../src/model/plan.ts';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { Task } from '../../../src/model/task.ts';
import { executed } from '../executed-report.ts';

const page = (data: ReportData) => reportHtml(sessionDocument(data));

/** What a reader sees, without the style and the marks of HTML. */
const seen = (data: ReportData) =>
  page(data)
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ');

test('the report shows every section of a session, folded or not, with its headings in order', () => {
  const levels = [...page(executed).matchAll(/<h(\d)>/g)].map(([, level]) => Number(level));
  expect(levels.slice(0, 2)).toEqual([1, 2]);
  expect(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)).toEqual([]);
  const text = seen(executed);
  for (const words of ['Result', 'Code review by gemini', 'Tasks', 'Options', 'Cost and time']) {
    expect(text).toContain(words);
  }
});

test('every link leads to a part of the page, and every part has a name of its own', () => {
  const html = page(executed);
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets).toContain('TASK-002');
  expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
});

test('text from outside stays text, and nothing is asked for or run', () => {
  const hostile = `"'><script>x()</script><b onclick=x>\u001b[2J`;
  const spoilt = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, one: unknown) =>
      typeof one === 'string' && one.includes(' ') ? `${one}${hostile}` : one,
    );
  const html = page({
    ...executed,
    rounds: Synthesis.array().parse(spoilt(executed.rounds)),
    plan: Plan.parse(spoilt(executed.plan)),
    tasks: Task.array().parse(spoilt(executed.tasks)),
    result: ExecutionResult.parse(spoilt(executed.result)),
    codeReview: CodeReview.parse(spoilt(executed.codeReview)),
  });
  expect(html).toContain('&lt;script>');
  expect(html).not.toMatch(/<script|<b /);
  expect(html).not.toContain('\u001b');
  expect(html.replaceAll(/="[^"]*"/g, '')).not.toMatch(/<[^>]*\son\w+=/);
  expect(html).not.toMatch(/\s(?:src|href)="[^#]/);
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
});

test('a text of a model is read as in a terminal, and only the text itself has an anchor', () => {
  const text = `## Use it

- **one** \`a\`
  1. two

| Form | Size |
| --- | --- |
| csv | 2 |

\`\`\`js
b();
\`\`\``;
  const html = reportHtml(documentOf('Title', [prose(text, 'told')]));
  const [, main] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  expect(main?.match(/ id="[^"]+"/g)).toEqual([' id="told"']);
  for (const part of [
    '<span class="strong">Use it</span>',
    '<ul><li><span class="strong">one</span> <code>a</code><ol><li>two</li></ol></li></ul>',
    '<tr><th scope="row" data-name="Form">csv</th><td data-name="Size">2</td></tr>',
    '<code>b();</code>',
  ])
    expect(main).toContain(part);
});

test('the whole diff is folded by file', () => {
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
  const html = page({ ...executed, diff });
  expect(html.match(/<details class="diff">/g)).toHaveLength(2);
  const text = seen({ ...executed, diff });
  expect(text).toContain("-const a = '<b>';");
  expect(text).toContain('old.txt +0 −2500');
});
