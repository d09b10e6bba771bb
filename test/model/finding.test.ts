import { expect, test } from 'vitest';
import { factText, findingText } from '../../src/model/finding.ts';

test('a finding tells a reader what is wrong, and leaves out what its author could do', () => {
  const message = 'bob’s request is not in the plan: "print []; quietly" (O5); let a task do it.';
  const fact = 'bob’s request is not in the plan: "print []; quietly" (O5).';
  expect(factText({ message })).toBe(fact);
  expect(findingText({ file: 'plan.json', message })).toBe(`plan.json: ${fact}`);
  expect(factText({ message: 'It cannot be read.' })).toBe('It cannot be read.');
});
