import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { screenNames, screenPlace, steady } from '../helpers/readme-screens.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test.each(screenNames)('the README shows the screen "%s" of the program', (name) => {
  const [, , screen = ''] = screenPlace(name).exec(readme) ?? [];
  const [header, phases] = screen.split('\n');
  expect(header).toMatch(/^conclave/);
  expect(phases).toMatch(/context .* discussion .* options .* decision .* plan .* review/);
  expect(screen.split('\n').at(-1)).toMatch(/^(enter|g) /);
  expect(steady(screen)).toBe(screen);
});
