import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportPage } from '../../../src/faces/report/page.ts';
import { discussed, executed, planned, withSentences } from '../../faces/report/samples.ts';
import { hostile } from '../../helpers/hostile.ts';
import { type BrowserPage, chromium, openBrowser } from './chromium.ts';

const markupInTexts = (text: string) =>
  `${text} <img src=http://127.0.0.1:9/x onerror="document.title='owned'"></style><script>document.title='owned'</script> ${hostile(3)} ${'x'.repeat(300)}`;
const reports = { discussed, planned, executed, hostile: withSentences(markupInTexts) };

const schemes = ['light', 'dark'] as const;
const sizes = [
  [1280, 900],
  [400, 800],
] as const;

describe.skipIf(chromium === null)(
  'a report in a real browser (skipped where no Chromium is installed)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'conclave-report-'));
    let page: BrowserPage;
    beforeAll(async () => {
      page = await openBrowser(chromium ?? '');
    });
    afterAll(async () => {
      await page.close();
      rmSync(folder, { recursive: true });
    });

    const cases = Object.entries(reports).flatMap(([name, data]) =>
      schemes.flatMap((scheme) =>
        sizes.map(([width, height]) => ({ name, data, scheme, width, height })),
      ),
    );
    test.each(cases)(
      '$name, $scheme, $width px: fits, asks for nothing, logs nothing',
      async ({ name, data, scheme, width, height }) => {
        const address = await show(`${name}.html`, reportPage(data));
        await page.send('Emulation.setEmulatedMedia', {
          features: [{ name: 'prefers-color-scheme', value: scheme }],
        });
        const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
        await page.send('Emulation.setDeviceMetricsOverride', metrics);
        expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        const background = 'getComputedStyle(document.body).backgroundColor';
        expect(await page.value(background)).toBe(
          scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 24, 29)',
        );
        expect(await page.value('document.title')).not.toBe('owned');
        expect(await page.value("document.querySelectorAll('script, img').length")).toBe(0);
        expect(page.heard).toEqual({ logged: [], requests: [address] });
      },
    );

    test('in print nothing is folded, and colours are those of paper', async () => {
      await show('print.html', reportPage(executed));
      await page.send('Emulation.setEmulatedMedia', {
        media: 'print',
        features: [{ name: 'prefers-color-scheme', value: 'dark' }],
      });
      const folded = `[...document.querySelectorAll('details:not([open]) > :not(summary)')]
        .filter((one) => !one.checkVisibility({ contentVisibilityAuto: true })).length`;
      expect(await page.value("document.querySelectorAll('details:not([open])').length")).not.toBe(
        0,
      );
      expect(await page.value(folded)).toBe(0);
      expect(await page.value('getComputedStyle(document.body).color')).toBe('rgb(31, 35, 40)');
    });

    test('every link of it leads somewhere', async () => {
      await show('links.html', reportPage(executed));
      const lost = `[...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))
        .filter((to) => document.getElementById(to.slice(1)) === null).join()`;
      expect(await page.value(lost)).toBe('');
    });

    async function show(name: string, html: string): Promise<string> {
      const file = join(folder, name);
      writeFileSync(file, html);
      page.heard.logged.length = 0;
      page.heard.requests.length = 0;
      const address = pathToFileURL(file).href;
      await page.open(address);
      return address;
    }
  },
);
