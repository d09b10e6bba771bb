import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { screenNames, screenPlace, steady, withScreens } from '../helpers/readme-screens.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test.each(screenNames)('the README shows the screen "%s" of the program', (name) => {
  const [, , screen = ''] = screenPlace(name).exec(readme) ?? [];
  const [header, phases] = screen.split('\n');
  expect(header).toMatch(/^conclave/);
  expect(phases).toMatch(/context .* discussion .* options .* decision .* plan .* review/);
  expect(screen.split('\n').at(-1)).toMatch(/^(enter|g) /);
  expect(steady(screen)).toBe(screen);
});

const place = (name: string) => `<!-- screen: ${name} -->\nWords.\n\n\`\`\`text\nold\n\`\`\`\n`;

test('screens go into their places and nowhere else', () => {
  const screens = {
    start: 'S$&',
    run: 'R',
    options: 'O',
    graph: 'G',
    changes: 'C',
    execution: 'E',
  };
  const empty = screenNames.map(place).join('between\n');
  const filled = withScreens(empty, screens);
  expect(filled).toBe(
    screenNames.map((name) => place(name).replace('old', () => screens[name])).join('between\n'),
  );
  expect(() => withScreens(empty.replace('screen: run', ''), screens)).toThrow('"run"');
});
