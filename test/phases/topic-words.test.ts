import { expect, test } from 'vitest';
import { topicWords } from '../../src/phases/topic-words.ts';

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
