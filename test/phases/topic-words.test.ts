import { expect, test } from 'vitest';
import { topicWords, uniteTexts } from '../../src/phases/topic-words.ts';

test.each([
  'rateLimiter rate_limiters RateLimiting rate-limited',
  'validate validation validator validated validates',
  'caching cached caches cache',
  'retries retry retried retrying',
])('all of "%s" have the same stems', (text) => {
  const forms = text.split(' ').map((word) => topicWords(word).join());
  expect(new Set(forms).size).toBe(1);
});

test('words that every plan has are left out', () => {
  expect(topicWords('Implement the new feature and update existing files')).toEqual(
    topicWords('feature'),
  );
});

test('scripts without spaces are cut into pairs of characters', () => {
  expect(topicWords('令牌桶')).toEqual(['令牌', '牌桶']);
});

test('texts of the same words are united, others stay in their order', () => {
  expect(
    uniteTexts([
      ['No new dependency', ' '],
      ['no new dependencies.', 'Survives a restart'],
    ]),
  ).toEqual(['No new dependency', 'Survives a restart']);
});
