import { expect, test } from 'vitest';
import {
  askersOf,
  openQuestions,
  questionBackground,
} from '../../../src/phases/discussion/clarify.ts';
import { cpuFloors } from '../../helpers/cpu-floors.ts';
import { listSolution } from '../../helpers/vendors.ts';
import { Solution } from '../../../src/model/synthesis.ts';

const solution = Solution.parse({
  ...listSolution({ name: 'Branch', summary: 'Prints JSON.' }),
  source_cli: ['codex'],
  claims: [],
  stances: [
    {
      agent: 'claude',
      stance: 'oppose',
      reasons: ['It breaks the pager.'],
      evidence: [],
      reason: null,
    },
    { agent: 'gemini', stance: 'support', reasons: [], evidence: [], reason: 'no reason' },
  ],
});

test('a question comes with the solution that it names, who is for it and who against, and why', () => {
  const question = 'The agents disagree about “Branch”. Does it fit what you want?';
  expect(questionBackground(question, { solutions: [solution] })).toEqual({
    lines: [
      'Branch: Prints JSON.',
      'codex proposed it',
      'claude opposes it: It breaks the pager.',
      'gemini supports it',
    ],
    choices: ['Yes', 'No'],
  });
});

test('a question that names none comes with all solutions, and with the answers that its agent offers', () => {
  const other = { ...solution, name: 'Formatter', stances: [] };
  const { lines, choices } = questionBackground('Which form? [pretty | compact ]', {
    solutions: [solution, other],
  });
  expect(lines).toContain('Branch: Prints JSON.');
  expect(lines).toContain('Formatter: Prints JSON.');
  expect(choices).toEqual(['pretty', 'compact']);
  const none = ['Which form?', 'Is it `todos[0]`? [yes]', 'Which of a[1 | 2] is it?'];
  expect(
    none.flatMap((question) => questionBackground(question, { solutions: [] }).choices),
  ).toEqual([]);
});

const asking = (agent: string, ...questions: string[]) => ({ agent, questions });

test('questions of several agents that list the same choices become one, with the words of each', () => {
  const asked = [
    asking('claude', 'Under Options, or a heading of its own for arguments? [options | heading]'),
    asking('codex', 'Does the list come below or apart? [options | heading]', 'Is Redis up?'),
    asking('gemini', 'Which place do you want? [heading | options]'),
  ];
  const open = openQuestions(asked, []);
  expect(open).toEqual([
    'Under Options, or a heading of its own for arguments? (Also asked: Does the list come below or apart? [options | heading] Which place do you want? [heading | options]) [options | heading]',
    'Is Redis up?',
  ]);
  const [question = ''] = open;
  expect(questionBackground(question, { solutions: [] }).choices).toEqual(['options', 'heading']);
  const asked_by = [{ question, agents: askersOf(question, asked) }];
  expect(questionBackground(question, { solutions: [], asked_by })).toMatchObject({
    askedBy: ['claude', 'codex', 'gemini'],
  });
  expect(askersOf('Is Redis up?', asked)).toEqual(['codex']);
  expect(
    openQuestions([asking('codex', 'Which place do you want? [heading | options]')], open),
  ).toEqual([]);
});

test('questions that only share a yes and a no stay apart', () => {
  const [one, other] = ['Keep Python 3.8? [yes | no]', 'Delete the old table? [yes | no]'] as const;
  expect(openQuestions([asking('codex', one), asking('gemini', other)], [])).toEqual([one, other]);
});

test('questions of one agent stay apart, however alike they are', () => {
  const questions = [
    'Where do warnings go? [file | stderr]',
    'Where do errors go? [file | stderr]',
  ];
  expect(openQuestions([asking('codex', ...questions)], [])).toEqual(questions);
});

test('of a flood of questions of one agent only the first are looked at', () => {
  const questions = Array.from(
    { length: 4_000 },
    (_, n) => `Should the cache${n} wait for the login${n >> 2} of step ${n}?`,
  );
  const startedAt = cpuFloors();
  const open = openQuestions([asking('alpha', ...questions), asking('beta', 'Is Redis up?')], []);
  expect(open).toEqual([...questions.slice(0, 20), 'Is Redis up?']);
  expect(cpuFloors() - startedAt).toBeLessThan(10);
});
