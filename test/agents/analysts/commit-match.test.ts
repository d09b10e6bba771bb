import { expect, test } from 'vitest';
import { matchesIn } from '../../../src/agents/analysts/commit-match.ts';
import type { PastCommit } from '../../../src/git/past-commits.ts';
import { keywordsOf } from '../../../src/context/keywords.ts';
import { needlesOf } from '../../../src/context/needles.ts';

function commit(subject: string): PastCommit {
  const files = [{ path: 'src/table.ts', status: 'modified' as const }];
  return { id: subject, date: '2026-01-01', subject, body: '', isRoot: false, files };
}

function likeIt(task: string, subjects: readonly string[]): readonly string[] {
  const about = { needles: needlesOf(keywordsOf(task)), found: ['src/table.ts'] };
  const matches = matchesIn(subjects.map(commit), about);
  return [...new Set(matches.map((match) => match.commit.subject))];
}

test('a commit whose message has only the common words of the task is not like it', () => {
  const history = [
    ...Array.from({ length: 50 }, (_, at) => `Draw table ${at}`),
    ...Array.from({ length: 50 }, (_, at) => `Colour border ${at}`),
    'Count the gadgets',
  ];
  expect(likeIt('Show gadgets and sprockets as a table', history)).toEqual(['Count the gadgets']);
  expect(likeIt('Show sprockets and gizmos as a table', history)).toEqual([]);
});

test('a short history does not show which words are common', () => {
  const task = 'Show sprockets and gizmos as a table';
  expect(likeIt(task, ['Draw a table', 'Colour a table'])).toHaveLength(2);
});
