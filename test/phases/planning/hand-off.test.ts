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
  expect(context).toEqual({
    planObject: given.plan,
    taskFiles: [`${folder}/.task/TASK-001.json`, `${folder}/.task/TASK-002.json`],
    explorationsContext: null,
    explorationAngles: [],
    explorationManifest: null,
    clarificationContext: {
      feedback: ['Think of Windows'],
      answers: [{ question: 'Which one?', answer: 'The first' }],
    },
    executionMethod: 'Auto',
    codeReviewTool: 'Skip',
    originalUserInput: 'Cache it',
    executorAssignments: null,
    userConstraints: ['No new dependency'],
    session: {
      id: 'MCP-x',
      folder,
      artifacts: {
        explorations: [],
        explorations_manifest: null,
        plan: `${folder}/plan.json`,
        task_dir: `${folder}/.task/`,
        synthesis_rounds: [
          `${folder}/rounds/1/synthesis.json`,
          `${folder}/rounds/2/synthesis.json`,
        ],
        context_package: `${folder}/context-package.json`,
      },
    },
  });
});

test('has no clarifications where the user said nothing', () => {
  const silent = buildExecutionContext({ ...given, feedback: [''], answers: [] });
  expect(silent.clarificationContext).toBeNull();
});
