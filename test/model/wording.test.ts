import { expect, test } from 'vitest';
import { titleOf } from '../../src/model/wording.ts';

test.each([
  ['# Add a flag\n\nThe list command should print JSON.', 'Add a flag'],
  ['  ## Add a flag\nThe list command', 'Add a flag'],
  ['Add a flag\n\nThe list command should print JSON.', 'Add a flag'],
  ['Add a flag\nto the list command', 'Add a flag to the list command'],
  ['Add a flag. It prints JSON.', 'Add a flag'],
])('the title of %j is %j: a heading never runs into the text under it', (text, title) => {
  expect(titleOf(text)).toBe(title);
});
