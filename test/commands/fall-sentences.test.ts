import { expect, test } from 'vitest';
import { fallSentences } from '../../src/commands/fall-sentences.ts';

test('a search that found nothing is told as such, and one that failed with its reason', () => {
  expect(
    fallSentences([
      { provider: 'local', reason: 'found nothing', ms: 3 },
      { provider: 'ripgrep', reason: 'took longer than 15 s', ms: 15_000 },
    ]),
  ).toEqual([
    'The search by local found nothing.',
    'The search by ripgrep failed: took longer than 15 s.',
  ]);
});
