import { expect, test } from 'vitest';
import { CodebaseContext } from '../../../src/model/context.ts';
import { ContextPackage } from '../../../src/model/context-package.ts';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { buildContextPackage } from '../../../src/phases/planning/planning-input.ts';
import { samplesOf } from '../../helpers/samples.ts';

const synthesis = Synthesis.parse(samplesOf('synthesis').good[0]);
const codebase = CodebaseContext.parse(samplesOf('codebase-context').good[0]);
const decision = {
  kind: 'approve',
  solution: 1,
  execution_method: 'Auto',
  code_review_tool: 'Skip',
  by: 'user',
} as const;
const [solution] = synthesis.solutions;
if (solution === undefined) throw new Error('the sample has no solution');
const claim = { agent: 'codex', statement: 's', path: 'src/a.ts', line: 3, quote: 'q', note: '' };
const chosen = {
  ...solution,
  id: 'S7',
  claims: [
    { ...claim, status: 'moved' as const, found_line: 9 },
    { ...claim, status: 'failed' as const, found_line: null },
  ],
};

const session = {
  number: 1,
  task: 'Cache it',
  feedback: ['Hm', 'Hm'],
  uncertainty: null,
  proofs: null,
};
const contextPackage = buildContextPackage(
  {
    ...session,
    codebase: { ...codebase, project_facts: [{ source: 'AGENTS.md', text: 'x' }] },
    synthesis: { ...synthesis, solutions: [chosen, { ...solution, id: 'S8', name: 'The other' }] },
    decision: { ...decision, constraints: [' One ', ''] },
    constraints: ['One'],
    answers: [
      { question: 'Which?', answer: 'This' },
      { question: 'And?', answer: ' ' },
    ],
    planners: [],
    planner: null,
  },
  'MCP-x',
);

test('holds the chosen solution in its published shape, and what was said about it', () => {
  expect(ContextPackage.parse(contextPackage)).toEqual(contextPackage);
  const { name, source_cli, pros, cons, implementation_plan, affected_files } = chosen;
  const { agreements, disagreements, resolution } = synthesis.cross_verification;
  expect(contextPackage).toMatchObject({
    session_id: 'MCP-x',
    task_description: 'Cache it',
    solution: { name, source_cli, pros, cons },
    implementation_plan,
    affected_files,
    consensus: { agreements, disagreements, resolved_conflicts: resolution },
    alternatives: [{ name: 'The other' }],
    project_facts: [{ source: 'AGENTS.md', text: 'x' }],
  });
});

test('takes only claims that passed the check, at their corrected lines', () => {
  expect(contextPackage.evidence).toEqual([
    { statement: 's', path: 'src/a.ts', line: 9, quote: 'q' },
  ]);
});

test('keeps what the user said once, and no empty answers', () => {
  expect(contextPackage.constraints).toEqual(['One']);
  expect(contextPackage.feedback).toEqual(['Hm']);
  expect(contextPackage.clarifications).toEqual([{ question: 'Which?', answer: 'This' }]);
});
