import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { planAnswer } from '../faults/three-rounds.ts';
import { servedPage } from '../helpers/page-client.ts';
import { planWith, plannedRig } from '../helpers/planned-rig.ts';
import { leavingFlags } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { openBrowser, whyNoBrowser } from './browser.ts';

/** A site of somebody else on this machine; its name is one that it chose itself. */
async function foreignSite(): Promise<number> {
  const site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<title>elsewhere</title><body></body>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const at = site.address();
  return typeof at === 'object' && at !== null ? at.port : 0;
}

describe.skipIf(whyNoBrowser !== null)('a page of another origin', () => {
  test('can neither read nor act: fetch, form, frame, opened window, and a name that leads here', async () => {
    const rig = await plannedRig();
    const served = await servedPage(rig, 'review', basename(rig.session()), '--web');
    const at = `http://127.0.0.1:${served.port}`;
    const context = await openBrowser({ names: { 'evil.example': '127.0.0.1' } });
    const own = await context.newPage();
    await own.goto(`${at}/#key=${served.token}`);
    await own.getByText('What now?').waitFor();

    const page = await context.newPage();
    await page.goto(`http://evil.example:${await foreignSite()}/`);
    const tried = await page.evaluate(`(async () => {
      const tryTo = (run) => run().then(() => 'done', (error) => error.name);
      const body = JSON.stringify({ name: 'comment', about: '', values: { text: 'from elsewhere' } });
      const json = { 'content-type': 'application/json', authorization: 'Bearer x' };
      return {
        read: await tryTo(() => fetch('${at}/')),
        state: await tryTo(() => fetch('${at}/api/page', { headers: json })),
        act: await tryTo(() => fetch('${at}/api/act', { method: 'POST', headers: json, body })),
        plain: await tryTo(() => fetch('${at}/api/act', { method: 'POST', mode: 'no-cors', body })),
      };
    })()`);
    expect(tried).toEqual({
      read: 'TypeError',
      state: 'TypeError',
      act: 'TypeError',
      plain: 'TypeError',
    });

    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(`void (globalThis.other = open('${at}/'))`),
    ]);
    await opened.getByText('This page is not admitted').waitFor();
    expect(await page.evaluate('other.closed')).toBe(true);

    const framed = page.waitForEvent('requestfailed');
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${at}/' }))`,
    );
    expect((await framed).failure()?.errorText).toMatch(/BLOCKED_BY_RESPONSE/);

    await page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), {
        action: '${at}/api/act', method: 'post', enctype: 'text/plain',
      });
      form.append(Object.assign(document.createElement('input'), { name: '{"text":"', value: '"}' }));
      document.body.append(form);
      form.submit();
    })()`);
    await page.getByText('Only the page itself may ask this.').waitFor();

    const renamed = await page.goto(`http://evil.example:${served.port}/`);
    expect(renamed?.status()).toBe(421);
    expect(existsSync(join(rig.session(), 'comments.json'))).toBe(false);
    expect(await own.getByText('What now?').isVisible()).toBe(true);
  });
});

describe.skipIf(whyNoBrowser !== null)('what models write', () => {
  test('stays text in the page, in every field, and asks for nothing and runs nothing', async () => {
    const markup = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
    const spoilt = JSON.parse(JSON.stringify(planAnswer), (key, value: unknown) =>
      typeof value === 'string' &&
      /^(?:title|description|summary|approach|change|decision|rationale)$/.test(key)
        ? `${value} ${markup}`
        : value,
    );
    const rig = await plannedRig();
    planWith(rig, { answer: spoilt });
    expect((await rig.conclave('plan', ...leavingFlags, todoTask)).code).toBe(0);
    const served = await servedPage(rig, 'review', basename(rig.session()), '--web');
    const page = await (await openBrowser()).newPage();
    const asked: string[] = [];
    page.on('request', (one) => asked.push(new URL(one.url()).pathname));
    await page.goto(`http://127.0.0.1:${served.port}/#key=${served.token}`);
    await page.getByText('<script>').first().waitFor();
    await page.keyboard.press('c');
    await page.getByRole('textbox').waitFor();
    await page.keyboard.type(markup);
    await page.keyboard.press('Control+Enter');
    await page.getByText('not sent').waitFor();
    expect(await page.title()).not.toBe('run');
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(asked.filter((path) => path !== '/' && !path.startsWith('/api/'))).toEqual([]);
  });
});
