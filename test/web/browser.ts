// Opens pages in Debian's Chromium, with a folder of its own for each start.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type BrowserContext, type Page, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const program = '/usr/bin/chromium';

/** Null where there is a browser; else why these tests are skipped. */
export const whyNoBrowser = existsSync(program) ? null : `there is no ${program}`;
if (whyNoBrowser !== null) console.log(`The battery in a browser is skipped: ${whyNoBrowser}.`);

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Names of hosts with the addresses that they lead to. */
  readonly names?: Readonly<Record<string, string>>;
}

/** Opens a browser that is closed with the test. */
export async function openBrowser({
  width = 1280,
  height = 900,
  colorScheme = 'light',
  names = {},
}: Look = {}): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-browser-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: program,
    headless: true,
    args: [
      ...flags,
      `--host-resolver-rules=${Object.entries(names)
        .map(([name, to]) => `MAP ${name} ${to}`)
        .join()}`,
    ],
    viewport: { width, height },
    colorScheme,
  });
  // Nothing here is measured by the clock.
  context.setDefaultTimeout(120_000);
  onTestFinished(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return context;
}

/** Takes a picture where somebody wants to look at it: `CONCLAVE_SHOTS=FOLDER npm run test:web`. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['CONCLAVE_SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The serious faults of a page for people who cannot see or use it as others do. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  // The policy of the page lets no other script in; a tool of the browser may.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run().then(({ violations }) => JSON.stringify(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(String(result.value));
}
