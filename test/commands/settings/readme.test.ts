import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withTables } from '../../tools/readme-tables.ts';
import { makePlace } from './place.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^```toml\n(.*?)^```$/gms)].map(([, toml = '']) => toml);

test('the README has examples of settings', () => {
  expect(examples.length).toBeGreaterThanOrEqual(2);
});

test.each(examples)('an example of the README holds as it is pasted: %s', async (toml) => {
  const place = makePlace();
  place.user(toml);
  const { sources, warnings } = await place.load();
  expect(sources.map(({ source }) => source.name)).toContain(place.userFile);
  expect(warnings).toEqual([]);
  place.remove();
});

test('the tables of settings and flags are those of the program (else run "npm run schemas")', () => {
  expect(readme).toBe(withTables(readme));
});
