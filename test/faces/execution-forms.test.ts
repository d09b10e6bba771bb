import { expect, test } from 'vitest';
import { isWhole } from '../../src/faces/execution-forms.ts';
import { ExecutionResult } from '../../src/model/execution.ts';
import { samplesOf } from '../helpers/samples.ts';

const result = ExecutionResult.parse(samplesOf('execution-result').good.at(0));

test('applying is proposed only where all is completed and nothing blocks', () => {
  const tasks = result.tasks.slice(0, 1);
  const whole = { ...result, tasks };
  expect(isWhole(result)).toBe(false);
  expect(isWhole(whole)).toBe(true);
  expect(isWhole({ ...whole, objections: ['src/a.ts:1: It is wrong.'] })).toBe(false);
  expect(isWhole({ ...whole, broken: 'npm test fails' })).toBe(false);
});
