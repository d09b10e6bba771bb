import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const picture = (name: string) =>
  readFileSync(new URL(`../../templates/help/options-${name}.svg`, import.meta.url), 'utf8');
const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);

test('the picture of the README shows the same text in light and dark', () => {
  const texts = textsOf(picture('light'));
  expect(textsOf(picture('dark'))).toEqual(texts);
  expect(texts[0]).toBe('conclave');
  expect(texts.join(' ')).toMatch(/decision .* for: .*choose/);
});
