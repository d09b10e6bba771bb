import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSettings } from '../../../src/commands/settings/load-settings.ts';
import { searchSettings } from '../../../src/commands/settings/search-settings.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'conclave-settings-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const place = () => ({ cwd: home, environment: { HOME: home } });

test('where nothing is set, a search goes by the same settings as a session', async () => {
  const { context, limits, warnings } = await loadSettings({ ...place(), flags: {} });
  expect(await searchSettings(place())).toEqual({
    context,
    limits: { graceMs: limits.graceMs },
    warnings,
  });
});

test.each([
  ['a variable', { CONCLAVE_CONTEXT_MAX_FILES: '7' }, (): void => undefined],
  [
    'the user’s file',
    {},
    (): void => {
      mkdirSync(join(home, '.config/conclave'), { recursive: true });
      writeFileSync(join(home, '.config/conclave/config.toml'), '[context]\nmax_files = 7\n');
    },
  ],
  [
    'the project’s file',
    {},
    (): void => writeFileSync(join(home, 'conclave.toml'), '[context]\nmax_files = 7\n'),
  ],
])('%s counts for a search', async (_, variables, prepare) => {
  prepare();
  const environment = { ...place().environment, ...variables };
  const { context } = await searchSettings({ cwd: home, environment });
  expect(context.maxFiles).toBe(7);
});
