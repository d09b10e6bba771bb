import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { approvedRig, workBy } from '../helpers/executed-rig.ts';
import { has, planOf, runs, task } from '../helpers/small-plans.ts';
import { servedPage } from '../helpers/page-client.ts';
import { planWith, plannedRig, revisedPlan } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { type Look, faultsOf, openBrowser, shoot, whyNoBrowser } from './browser.ts';

const looks = [
  { width: 400, height: 860, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 2560, height: 1300, colorScheme: 'light' },
] as const;

/** Opens the page that a command serves, and what it may not have: errors, and anything beyond its width. */
async function opened(look: Look, rig: Rig, ...words: readonly string[]) {
  const served = await servedPage(rig, ...words);
  const page = await (await openBrowser(look)).newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  // The browser itself notes what the server refuses.
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().includes('status of 422')) faults.push(line.text());
  });
  await page.goto(`http://127.0.0.1:${served.port}/#key=${served.token}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const check = async (name: string) => {
    await shoot(page, `${name}-${look.width}`);
    expect(await faultsOf(page)).toEqual([]);
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(beyond).toBeLessThanOrEqual(0);
  };
  return { page, served, faults, check };
}

/** Presses keys, one after the other; those of the page itself once no dialog is open. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    if (/^.$/.test(key)) await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press(key);
  }
}

/** Moves down to the line with this text. */
async function lineWith(page: Page, text: string): Promise<void> {
  for (let at = 0; at < 200; at += 1) {
    await page.keyboard.press('j');
    const line = await page.evaluate(
      'document.activeElement.closest("[data-line]")?.textContent ?? ""',
    );
    if (String(line).includes(text)) return;
  }
  throw new Error(`no line says ${text}`);
}

/** Chooses what a form offers by its name, as arrow keys do. */
async function choose(page: Page, name: string | RegExp): Promise<void> {
  const radio = page.getByRole('radio', { name });
  await radio.waitFor();
  for (let at = 0; at < 20 && !(await radio.isChecked()); at += 1)
    await page.keyboard.press('ArrowDown');
  expect(await radio.isChecked()).toBe(true);
}

describe.skipIf(whyNoBrowser !== null)('the page, by keyboard alone', () => {
  test.each(looks)(
    'a comment leads to version 2, which is compared, restored, edited and approved at $width px, $colorScheme',
    async (look) => {
      const rig = await plannedRig();
      planWith(rig, { answer: revisedPlan });
      const id = basename(rig.session());
      const { page, served, faults, check } = await opened(look, rig, 'review', id, '--web');
      expect(page.url()).toBe(`http://127.0.0.1:${served.port}/`);
      await check('review');
      await press(page, '?');
      await page.getByText('the next section').waitFor();
      await check('keys');
      await press(page, 'Escape');

      const place = page.locator('main button.path').first();
      await page.evaluate(
        `for (const one of document.querySelectorAll('details')) one.open = true`,
      );
      await place.press('Enter');
      await page.locator('#page-code pre').waitFor();
      await check('code');
      await press(page, 'Escape');
      await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)');

      await lineWith(page, 'TASK-001');
      await press(page, 'c');
      await page.getByRole('textbox').waitFor();
      await page.keyboard.type('Say that it is one array');
      await check('comment');
      await press(page, 'Control+Enter');
      await page.getByText('not sent').waitFor();
      expect(rig.json('comments.json')).toMatchObject([{ text: 'Say that it is one array' }]);
      await press(page, 'a');
      await choose(page, /^Comment send 1 comment/);
      await check('answer');
      await press(page, 'Enter');
      await page.getByText('sent for version 2').first().waitFor();
      expect(rig.json('comments.json')).toHaveLength(1);
      await page.getByText('What now?').waitFor();

      await press(page, 'v');
      await choose(page, /^Compare/);
      await press(page, 'Enter');
      await page.getByRole('dialog').getByText('Print the todos as one JSON array').waitFor();
      await check('versions');
      await press(page, 'Escape', 'v');
      await choose(page, /^Restore/);
      await press(page, 'Enter');
      await page.getByRole('heading', { name: 'TASK-001: Print JSON from listTodos' }).waitFor();

      await press(page, 'e');
      await page.getByRole('textbox').waitFor();
      await check('edit');
      await press(page, 'Control+Home');
      await page.keyboard.type('Nonsense');
      await press(page, 'Control+Home', 'Delete', 'Control+a');
      const text = await page.getByRole('textbox').inputValue();
      await page.keyboard.insertText('Nonsense');
      await press(page, 'Control+Enter');
      await page.getByText('line 1: the first heading must be "# Plan"').waitFor();
      await press(page, 'Control+a');
      await page.keyboard.insertText(
        text.replace('onsense', '').replace(/(?<=# TASK-001: ).*/, 'Print one array'),
      );
      await press(page, 'Control+Enter');
      await page.getByRole('heading', { name: 'TASK-001: Print one array' }).waitFor();

      await press(page, 'a');
      await choose(page, /^Approve/);
      await press(page, 'Enter');
      await page.getByText('Carry it out now?').first().waitFor();
      expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
      await press(page, 'a');
      await choose(page, /^Later/);
      await press(page, 'Enter');
      expect(await served.ended).toBe(0);
      await page.getByText('Approved').first().waitFor();
      expect(faults).toEqual([]);
    },
  );

  test.each(looks)(
    'a comment on a line of the result leads to a retry; a task is accepted, and the result applied at $width px, $colorScheme',
    async (look) => {
      const rig = await approvedRig(doing('a first\n'), { plan, more: unconfined });
      const id = basename(rig.session());
      const { page, served, faults, check } = await opened(look, rig, 'review', id, '--web');
      await press(page, 'a');
      await choose(page, /^Approve/);
      await press(page, 'Enter');
      await page.getByText('Carry it out now?').first().waitFor();
      await press(page, 'a');
      await choose(page, /^Now/);
      await press(page, 'Enter');
      await page.getByText('+a first').waitFor();
      await page.getByText('Apply the result now?').waitFor();
      await check('result');

      await lineWith(page, '+a first');
      await press(page, 'c');
      await page.getByRole('textbox').waitFor();
      await page.keyboard.type('Say second');
      await press(page, 'Control+Enter');
      await page.getByText('not sent').waitFor();
      await check('result-comment');
      const comment = { task: 'TASK-001', on: 'result', quote: '+a first', text: 'Say second' };
      expect(rig.json('comments.json')).toMatchObject([{ ...comment, sent: null }]);
      await press(page, 't');
      await choose(page, /^TASK-002/);
      await press(page, 'Enter');
      await page.getByRole('dialog').getByText('+b').waitFor();
      await check('changes');
      await press(page, 'Escape');

      workBy(rig, doing('a second\n'), { plan, more: unconfined });
      await press(page, 'a');
      await choose(page, /^Send 1 comment back/);
      await check('result-answer');
      await press(page, 'Enter');
      await page.getByText('+a second').waitFor();
      await page.getByText('Apply the result now?').waitFor();
      expect(rig.json('comments.json')).toMatchObject([{ ...comment, sent: 1 }]);
      expect(JSON.stringify(rig.contents('.workflow'))).toContain(
        'a.txt, on the line “+a first”: Say second',
      );

      await press(page, 'a');
      await choose(page, /^Apply/);
      await press(page, 'Tab');
      await page.keyboard.type('TASK-002: I saw it run');
      await press(page, 'Control+Enter');
      expect(await served.ended).toBe(0);
      expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['a second\n', 'b\n']);
      expect(rig.json('execution-result.json')).toMatchObject({
        accepted: { 'TASK-002': 'I saw it run' },
      });
      expect(faults).toEqual([]);
    },
  );
});

const greets = runs('node', '-e', 'console.log("hello from a check")');
const plan = planOf([
  task(1, [], ['a.txt'], [has('a.txt', 'a'), greets]),
  // It passes before the work, too, so nothing shows that the task is done.
  task(2, [], ['b.txt'], [greets]),
]);
const doing = (a: string) => ({
  'TASK-001': { edits: { 'a.txt': a } },
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
});
const unconfined = '[execution]\nconfine = false';
