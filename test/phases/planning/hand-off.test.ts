import { expect, test } from 'vitest';
import { ExecutionContext } from '../../../src/model/execution-context.ts';
import { buildExecutionContext } from '../../../src/phases/planning/hand-off.ts';
import { planOf } from './samples.ts';

const folder = '.workflow/.multi-cli-plan/MCP-x';
const given = {
  sessionId: 'MCP-x',
  folder,
  task: 'Cache it',
  plan: planOf(['TASK-001', 'TASK-002']),
  executionMethod: 'Auto' as const,
  codeReviewTool: 'Skip' as const,
  rounds: 2,
  constraints: ['No new dependency'],
  feedback: ['Think of Windows', ' '],
  answers: [
    { question: 'Which one?', answer: 'The first' },
    { question: 'And?', answer: '' },
  ],
};

test('holds every field that execution reads, with paths relative to the repository', () => {
  const context = buildExecutionContext(given);
  expect(ExecutionContext.parse(context)).toEqual(context);
  expect(context).toMatchObject({
    planObject: given.plan,
    taskFiles: [`${folder}/.task/TASK-001.json`, `${folder}/.task/TASK-002.json`],
    clarificationContext: {
      feedback: ['Think of Windows'],
      answers: [{ question: 'Which one?', answer: 'The first' }],
    },
    userConstraints: ['No new dependency'],
    session: {
      folder,
      artifacts: {
        plan: `${folder}/plan.json`,
        synthesis_rounds: [1, 2].map((round) => `${folder}/rounds/${round}/synthesis.json`),
      },
    },
  });
});

test('has no clarifications where the user said nothing', () => {
  const silent = buildExecutionContext({ ...given, feedback: [''], answers: [] });
  expect(silent.clarificationContext).toBeNull();
});
