import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const texts = globSync(['src/**/*.{ts,tsx}', 'templates/**/*.md', 'README.md'], { cwd: root }).map(
  (path) => ({ path, text: readFileSync(join(root, path), 'utf8') }),
);
const placesOf = (words: string) =>
  texts.flatMap(({ path, text }) => (text.includes(words) ? path : []));

test.each([
  ['did not help: found nothing', 'found no file for this task'],
  ['empty for the one of the settings', 'Leave empty to use the model from your settings'],
  ['What must the plan keep to?', 'Constraints for the plan (empty for none)'],
  ['which nobody rated', 'rule-based draft, not rated'],
  ["'nothing found'", "'no problems'"],
  ['as it changed nothing', 'the agent changed no file'],
  ['see to it that', 'make sure you can write there'],
  ['is no agent; known', 'There is no agent '],
  ['sat in for', 'replaces '],
  ['Linux is complete', 'Linux is fully supported'],
  ['Done means shown', 'A task is done when a check proves it'],
  ['(there is no such place)', 'the quote is not in the file'],
  ['model chose these commands', 'and its checks run there, without a shell'],
])('what was “%s” reads “%s”', (before, now) => {
  expect(placesOf(before)).toEqual([]);
  expect(placesOf(now)).not.toEqual([]);
});
