import { expect, test } from 'vitest';
import type { Level } from '../../../src/model/ids.ts';
import { jointEstimate, soundness } from '../../../src/phases/discussion/candidate.ts';

const estimate = (
  feasibility: number,
  parts: { effort?: Level; risk?: Level; sound?: number; failed?: number } = {},
) => ({
  agent: `a${feasibility}`,
  kind: 'model' as const,
  feasibility,
  effort: 'medium' as const,
  risk: 'medium' as const,
  sound: 10,
  failed: 0,
  ...parts,
});

test.each<[readonly Level[], Level]>([
  [['low'], 'low'],
  [['low', 'high'], 'medium'],
  [['low', 'medium'], 'medium'],
  [['medium', 'high'], 'high'],
  [['low', 'low', 'high'], 'low'],
  [['high', 'low', 'medium', 'medium'], 'medium'],
])('the levels %j have the median %s, in doubt the cautious one', (levels, expected) => {
  const joint = jointEstimate(levels.map((level) => estimate(0.5, { effort: level, risk: level })));
  expect(joint).toMatchObject({ effort: expected, risk: expected });
});

test('one wild estimate of three does not move the feasibility', () => {
  expect(jointEstimate([estimate(0.8), estimate(0.82), estimate(0)]).feasibility).toBe(0.8);
});

test.each([
  [0, 0, 1],
  [3, 0, 1],
  [2, 1, 0.9],
  [9, 1, 0.9],
  [18, 2, 0.9],
  [0, 10, 0],
  [36, 4, 0.9],
  [396, 4, 0.9],
  [0, 90, 0],
])('%i references that hold and %i that fail have the soundness %d', (sound, failed, expected) => {
  expect(soundness([{ sound, failed }])).toBeCloseTo(expected);
});

test('failed references lower the feasibility by the soundness of all authors', () => {
  const authors = [estimate(0.8, { sound: 8, failed: 2 }), estimate(0.8, { sound: 10 })];
  expect(jointEstimate(authors).feasibility).toBe(0.72);
});
