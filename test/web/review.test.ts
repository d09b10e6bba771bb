import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { servedPage } from '../helpers/page-client.ts';
import { plannedRig } from '../helpers/planned-rig.ts';
import { faultsOf, openBrowser, shoot, whyNoBrowser } from './browser.ts';

const looks = [
  { width: 400, height: 860, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 2560, height: 1300, colorScheme: 'light' },
] as const;

describe.skipIf(whyNoBrowser !== null)('the page of a review', () => {
  test.each(looks)('is read and approved by keyboard at $width px, $colorScheme', async (look) => {
    const rig = await plannedRig();
    const served = await servedPage(rig, 'review', basename(rig.session()), '--web');
    const page = await (await openBrowser(look)).newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    await page.goto(`http://127.0.0.1:${served.port}/#key=${served.token}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${served.port}/`);
    await shoot(page, `review-${look.width}`);
    expect(await faultsOf(page)).toEqual([]);
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(beyond).toBeLessThanOrEqual(0);

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    await page.keyboard.type('Say who needs it');
    await shoot(page, `comment-${look.width}`);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Say who needs it').waitFor();
    expect(rig.json('comments.json')).toMatchObject([{ text: 'Say who needs it' }]);
    await page.keyboard.press('?');
    await page.getByText('the next section').waitFor();
    await shoot(page, `keys-${look.width}`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.getByRole('radio', { name: 'Approve approve' }).waitFor();
    await shoot(page, `answer-${look.width}`);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Carry it out now?').first().waitFor();
    expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
    await page.keyboard.press('a');
    await page.getByRole('radio', { name: 'Later' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await served.ended).toBe(0);
    await page.getByText('Approved').first().waitFor();
    expect(faults).toEqual([]);
  });
});
