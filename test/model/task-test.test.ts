import { expect, test } from 'vitest';
import type { Check } from '../../src/model/check.ts';
import { withTest, withTestChecks } from '../../src/model/task-test.ts';

const task = {
  id: 'TASK-001',
  title: 'Add it',
  description: 'Adds it.',
  depends_on: [],
  convergence: { criteria: ['It is there'] },
};
const checks: Check[] = [
  { kind: 'command', argv: ['npm', 'test'] },
  { kind: 'command', argv: ['node', '-e', 'f(1)'] },
  { kind: 'file', path: 'a.txt', exists: true },
];

test('the commands of a task file are those of its checks, each once', () => {
  const { test: derived } = withTest({ ...task, checks, test: { commands: ['old'], unit: ['u'] } });
  expect(derived).toEqual({ commands: ['npm test', 'node -e "f(1)"'], unit: ['u'] });
  expect(withTest(task).test).toEqual({ commands: [] });
});

test('a command that a planner names beside its checks becomes one, or is left to a person', () => {
  const commands = ['npm test', 'npm run lint', 'npm run a && npm run b'];
  const made = withTestChecks({ ...task, checks: checks.slice(0, 1), test: { commands } });
  expect(made.checks).toEqual([
    { kind: 'command', argv: ['npm', 'test'] },
    { kind: 'command', argv: ['npm', 'run', 'lint'] },
  ]);
  expect(made.test).toEqual({
    commands: ['npm test', 'npm run lint'],
    manual_checks: ['Run: npm run a && npm run b'],
  });
});
