import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionDocument } from '../../../src/faces/session-document.ts';
import { reportHtml } from '../../../src/faces/web/page-html.tsx';
import { executed } from '../executed-report.ts';

const browser = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((path) => join(path, name)))
  .find((path) => existsSync(path));

const long = 'a_name_without_any_space_'.repeat(12);
const diff = `diff --git a/src/${long}.ts b/src/${long}.ts
--- a/src/${long}.ts
+++ b/src/${long}.ts
@@ -1 +1 @@
-${long}
+${long}${long}
`;

/** Opens all that is folded, then tells the page’s height and what lies beyond its edge. */
const look = `addEventListener('load', () => {
  const page = document.querySelector('iframe').contentDocument;
  for (const folded of page.querySelectorAll('details')) folded.open = true;
  const beyond = [...page.querySelectorAll('body *:not(svg, svg *)')].filter((one) => one.getBoundingClientRect().right > 400);
  document.title = JSON.stringify([page.body.scrollHeight > 1000, beyond.map((one) => one.outerHTML.slice(0, 80))]);
});`;

test.skipIf(browser === undefined)(
  'at 400 px every part of a report is read without moving sideways, save the graph, which scrolls by itself',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'conclave-narrow-'));
    try {
      const inside = reportHtml(
        sessionDocument({
          ...executed,
          diff,
          result: executed.result && {
            ...executed.result,
            accepted: { 'TASK-001': `I ran ${long}` },
          },
        }),
      )
        .replaceAll('&', '&amp;')
        .replaceAll('"', '&quot;');
      const outer = join(folder, 'outer.html');
      writeFileSync(
        outer,
        `<title></title><script>${look}</script><iframe style="width: 400px; border: 0" srcdoc="${inside}"></iframe>`,
      );
      const flags = [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        `--user-data-dir=${folder}/data`,
      ];
      const page = execFileSync(browser ?? '', [...flags, '--dump-dom', `file://${outer}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(/<title>(.*?)<\/title>/.exec(page)?.[1]).toBe('[true,[]]');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
