import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noBase, plainRepository } from '../../../src/git/open-repository.ts';
import { neverAborted } from '../../../src/model/signal.ts';
import { agentPool } from '../../../src/agents/pool.ts';
import { ExecutionContext } from '../../../src/model/execution-context.ts';
import { buildExecutionContext, handOverCommand } from '../../../src/phases/planning/hand-over.ts';
import { planOf } from './samples.ts';

const noRepository = plainRepository({
  root: '/',
  base: noBase,
  folders: null,
  signal: neverAborted,
});
const folder = '.workflow/.multi-cli-plan/MCP-x';
const session = { id: 'MCP-x', relative: folder };
const given = {
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
  const context = buildExecutionContext(given, session);
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
  const silent = buildExecutionContext({ ...given, feedback: [''], answers: [] }, session);
  expect(silent.clarificationContext).toBeNull();
});

test('a person is told the command of an agent that is installed, and of no other', () => {
  const bin = mkdtempSync(join(tmpdir(), 'conclave-bin-'));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  const agents = agentPool({
    settings: {},
    environment: { PATH: bin },
    analysts: [],
    repository: noRepository,
  });
  const command = () => handOverCommand({ agents, folder: { relative: folder } }, ['claude']);
  expect(command()).toBeNull();
  writeFileSync(join(bin, 'codex'), '');
  chmodSync(join(bin, 'codex'), 0o755);
  expect(command()).toBe(`codex "Carry out the plan in ${folder}/plan.md, task by task"`);
});
