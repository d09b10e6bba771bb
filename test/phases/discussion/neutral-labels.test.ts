import { expect, test } from 'vitest';
import { neutralLabels } from '../../../src/phases/discussion/synthesize.ts';

const ids = ['S1', 'S2', 'S3'];

test('every solution gets a letter of its own, the same on every replay', () => {
  const labels = neutralLabels({ sessionId: 'MCP-a', round: 1, ids });
  expect([...labels.values()].toSorted()).toEqual(['A', 'B', 'C']);
  expect([...labels.keys()].toSorted()).toEqual(ids);
  expect(neutralLabels({ sessionId: 'MCP-a', round: 1, ids: ids.toReversed() })).toEqual(labels);
});

test('the leading solution has each letter about as often', () => {
  const counts = new Map<string, number>();
  for (let session = 0; session < 600; session += 1) {
    const label = neutralLabels({ sessionId: `MCP-${session}`, round: 1, ids }).get('S1') ?? '';
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  for (const letter of ['A', 'B', 'C']) expect(counts.get(letter)).toBeGreaterThan(140);
});

test('the letters change from round to round', () => {
  const letters = Array.from({ length: 12 }, (_, round) =>
    neutralLabels({ sessionId: 'MCP-a', round: round + 1, ids }).get('S1'),
  );
  expect(new Set(letters).size).toBeGreaterThan(1);
});
