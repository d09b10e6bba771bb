import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ExecutionResult } from '../../src/model/execution.ts';
import { send, servedPage } from '../helpers/page-client.ts';
import { plannedRig } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { samplesOf } from '../helpers/samples.ts';
import { openBrowser, whyNoBrowser } from './browser.ts';

/** Numbers hang on the machine, so they are measured where somebody asks for them. */
const isAsked = process.env['CONCLAVE_NUMBERS'] === '1';

/** Tells a number with its goal; only what does not hang on the machine is expected. */
const tell = (name: string, value: number, most: number, unit = 'ms') =>
  console.log(`${name.padEnd(52)} ${value.toFixed(0).padStart(6)} ${unit}, goal ${most}`);

async function opened(rig: Rig) {
  const served = await servedPage(rig, 'review', basename(rig.session()), '--web');
  const page = await (await openBrowser()).newPage();
  await page.addInitScript(watchTasks);
  const started = performance.now();
  await page.goto(`http://127.0.0.1:${served.port}/#key=${served.token}`);
  await page.locator('#tasks').waitFor();
  const shownAfter = performance.now() - started;
  await page.getByText('What now?').waitFor({ timeout: 60_000 });
  return { served, page, shownAfter };
}

/** Notes the tasks of the page that keep it from answering. */
const watchTasks = `globalThis.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: 'longtask', buffered: true });`;

/** The time from the key that sends something until the page shows its effect, in ms. */
async function untilShown(page: Page, text: string): Promise<number> {
  // Nothing is handed back here: a promise would be waited for before the key is pressed.
  await page.evaluate(`void (globalThis.told = new Promise((resolve) =>
    addEventListener('keydown', () => {
      const start = performance.now();
      const look = () => document.body.textContent.includes(${JSON.stringify(text)})
        ? resolve(performance.now() - start) : requestAnimationFrame(look);
      look();
    }, { once: true, capture: true })))`);
  await page.keyboard.press('Control+Enter');
  return Number(await page.evaluate('told'));
}

/** The title of the first task in a plan as Markdown, and where it stands. */
function firstTitle(text: string): readonly [title: string, at: number] {
  const found = /(?<=# TASK-001: ).*/.exec(text);
  return [found?.[0] ?? '', found?.index ?? 0];
}

/** Makes a comment and an edit: how long each takes in ms, and the bytes that the page got for the comment. */
async function commentAndEdit(page: Page) {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  let got = 0;
  network.on('Network.dataReceived', ({ dataLength }) => (got += dataLength));
  for (const key of ['j', 'j', 'c']) await page.keyboard.press(key);
  await page.getByRole('textbox').waitFor();
  await page.keyboard.insertText('Say who needs it');
  const comment = await untilShown(page, 'not sent');
  const sent = got;
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('e');
  const field = page.getByRole('textbox');
  await field.waitFor();
  const text = await field.inputValue();
  // Only the title is typed: this browser takes minutes to put some thousand lines into a field at once.
  const [title, at] = firstTitle(text);
  await page.evaluate(`document.activeElement.setSelectionRange(${at}, ${at + title.length})`);
  await page.keyboard.insertText('Another title');
  return { comment, sent, edit: await untilShown(page, 'TASK-001: Another title') };
}

const linesOf = (file: number) =>
  Array.from({ length: 250 }, (_, at) => `+  const value${at} = read(${file}, ${at}); // a line\n`);

/** The plan with 200 tasks, carried out with a diff of 2 MB. */
function enlarge(rig: Rig): void {
  const folder = rig.session();
  const ids = Array.from({ length: 200 }, (_, at) => `TASK-${String(at + 1).padStart(3, '0')}`);
  const plan = Object(rig.json('plan.json'));
  const first = Object(rig.json('.task/TASK-001.json'));
  const flow = { task_ids: ids, task_count: ids.length };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...plan, ...flow }));
  for (const [at, id] of ids.entries()) {
    const depends_on = at % 10 === 0 ? [] : [ids[at - 1]];
    const task = { ...first, id, title: `Do part ${at}`, depends_on };
    writeFileSync(join(folder, `.task/${id}.json`), JSON.stringify(task));
  }
  const [sample] = ExecutionResult.array().parse(samplesOf('execution-result').good);
  const [outcome] = sample?.tasks ?? [];
  const tasks = ids.map((task) => ({ ...outcome, task }));
  writeFileSync(join(folder, 'execution-result.json'), JSON.stringify({ ...sample, tasks }));
  const diff = ids.map(
    (id, file) =>
      `diff --git a/src/${id}.ts b/src/${id}.ts\n--- a/src/${id}.ts\n+++ b/src/${id}.ts\n@@ -1,0 +1,250 @@\n${linesOf(file).join('')}`,
  );
  writeFileSync(join(folder, 'execution-result.diff'), diff.join(''));
}

/** The time that a process has been at work, in ms. */
function workOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function pageWork(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

describe.skipIf(whyNoBrowser !== null || !isAsked)('the numbers of the page', () => {
  test('of a usual plan', async () => {
    const { page, served, shownAfter } = await opened(await plannedRig());
    const { comment, edit } = await commentAndEdit(page);
    await setTimeout(2000);
    const [server, tab] = [workOf(served.child.pid ?? 0), await pageWork(page)];
    await setTimeout(10_000);
    tell('from the link to the plan', shownAfter, 1000);
    tell('a comment', comment, 150);
    tell('an edit', edit, 150);
    tell('work of the idle server in 10 s', workOf(served.child.pid ?? 0) - server, 20);
    tell('work of the idle page in 10 s', (await pageWork(page)) - tab, 20);
    tell('memory of the page', await memoryOf(page), 20, 'MB');
    const { text } = await send(served.port, {});
    tell('the page itself', text.length / 1000, 100, 'KB');
    expect(text.length).toBeLessThan(100_000);
  });

  test('of 200 tasks with a diff of 2 MB', async () => {
    const rig = await plannedRig();
    enlarge(rig);
    const { page, shownAfter } = await opened(rig);
    await setTimeout(2000);
    await page.evaluate('tasks.length = 0');
    await page.evaluate(`(async () => {
      for (let frame = 0; frame < 600; frame += 1) {
        scrollBy(0, frame < 500 ? 700 : -2500);
        await new Promise(requestAnimationFrame);
      }
    })()`);
    const longest = Number(await page.evaluate('Math.max(0, ...tasks)'));
    await page.evaluate('scrollTo(0, 0)');
    const { comment, edit, sent } = await commentAndEdit(page);
    tell('200 tasks, 2 MB: from the link to the plan', shownAfter, 2000);
    tell('200 tasks, 2 MB: the longest task while scrolling', longest, 100);
    tell('200 tasks, 2 MB: a comment', comment, 150);
    tell('200 tasks, 2 MB: an edit', edit, 150);
    tell('200 tasks, 2 MB: memory of the page', await memoryOf(page), 200, 'MB');
    // A comment sends the document to nobody who has it.
    expect(sent).toBeLessThan(100_000);
  });
});
