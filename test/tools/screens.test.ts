import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { screenNames, screenPlace, steady } from '../helpers/help-screens.ts';
import { pagePath } from './help-tables.ts';

const page = readFileSync(pagePath('screens'), 'utf8');

test.each(screenNames)('the help shows the screen "%s" of the program', (name) => {
  const [, , screen = ''] = screenPlace(name).exec(page) ?? [];
  const [header, phases] = screen.split('\n');
  expect(header).toMatch(/^conclave/);
  expect(phases).toMatch(/context .* discussion .* options .* decision .* plan .* review/);
  expect(screen.split('\n').at(-1)).toMatch(/^(enter|g) /);
  expect(steady(screen)).toBe(screen);
});
