import { expect, test } from 'vitest';
import { forecastText } from '../../../src/phases/execution/limits.ts';
import { taskOf } from '../planning/samples.ts';

const tasks = [1, 2, 3, 4].map((number) =>
  taskOf(`TASK-00${number}`, {
    checks: [{ kind: 'command', argv: ['sh', 'check.sh', String(number)] }],
  }),
);
const took = (ms: number) => tasks.map(() => ({ kind: 'command' as const, ms }));
const settings = { tasks, jobs: 4, rechecks: true };

test.each([
  [
    'by their runs and the jobs',
    took(3_000),
    settings,
    'Besides the agents, the checks will take about 9 seconds: 4 checks, 3 times each, up to 4 at a time.',
  ],
  [
    'longer where one runs at a time',
    took(30_000),
    { ...settings, jobs: 1 },
    'Besides the agents, the checks will take about 6 minutes: 4 checks, 3 times each, one at a time.',
  ],
  [
    'shorter without a second run on the start',
    took(3_000),
    { ...settings, rechecks: false },
    'Besides the agents, the checks will take about 6 seconds: 4 checks, twice each, up to 4 at a time.',
  ],
])('the time of the checks is told before the start, %s', (_, runs, given, text) => {
  expect(forecastText(runs, given)).toEqual([text]);
});

test('nothing is told of checks that take no time, or that did not run', () => {
  expect(forecastText(took(200), settings)).toEqual([]);
  expect(forecastText([], settings)).toEqual([]);
});
