import { expect, test } from 'vitest';
import { flowChains } from '../../../src/phases/planning/execution-flow.ts';

const known = new Set(['T1', 'T2', 'T3', 'T4', 'TASK-001', 'TASK-002']);

test.each([
  ['T1 → T2 → T3', [[['T1'], ['T2'], ['T3']]]],
  ['T1->T2-->T3 => T4', [[['T1'], ['T2'], ['T3'], ['T4']]]],
  ['T1 -> (T2, T3) -> T4', [[['T1'], ['T2', 'T3'], ['T4']]]],
  ['T1, T2 then T3', [[['T1', 'T2'], ['T3']]]],
  ['First T1 and T2 in parallel, then t3, finally T4.', [[['T1', 'T2'], ['T3'], ['T4']]]],
  ['T1 → [T2 | T3] → T4', [[['T1'], ['T2', 'T3'], ['T4']]]],
  [
    'T1 → T2; T1 → T3',
    [
      [['T1'], ['T2']],
      [['T1'], ['T3']],
    ],
  ],
  [
    'T1 → T2\nT3 → T4',
    [
      [['T1'], ['T2']],
      [['T3'], ['T4']],
    ],
  ],
  ['T1 (the schema) → T2 (the interface)', [[['T1'], ['T2']]]],
  ['TASK-001 → TASK-002', [[['TASK-001'], ['TASK-002']]]],
])('%j is read as stages', (text, stages) => {
  expect(flowChains(text, known)).toEqual(stages);
});

test.each([
  '',
  'T1, T2, T3',
  'T1',
  'whatever comes first',
  'T1 before T2 → T3',
  'T1 → T2 if needed',
  'T1 → (T2 → T3, T4)',
  'T1 → T2 → T1',
  'T1 → T9 → T2',
  'T1-T3 → T4',
])('%j gives no order', (text) => {
  expect(flowChains(text, known)).toEqual([]);
});
