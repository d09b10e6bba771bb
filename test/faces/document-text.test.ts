import { expect, test } from 'vitest';
import { textLines } from '../../src/faces/document-text.ts';
import { list } from '../../src/model/document.ts';
import { badge } from '../../src/phases/documents/badges.ts';

test('a line with a mark of its own gets no dash before it', () => {
  const pro = [badge('good', '+', ''), 'Smallest change'];
  expect(textLines([list([pro, 'Plain', [badge('bad', '✗', 'failed'), ', it']])])).toEqual([
    '+ Smallest change',
    '- Plain',
    '- failed, it',
  ]);
});
