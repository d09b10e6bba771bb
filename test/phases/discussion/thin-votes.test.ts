import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentTraits } from '../../../src/agents/agent.ts';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { scriptedSession } from '../../helpers/scripted-session.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { configureVendors, formatterSolution, listSolution } from '../../helpers/vendors.ts';

const claim = (quote: string) => [{ statement: 'x', path: 'src/commands/list.js', line: 1, quote }];
const opposing = (reason: string, evidence: object[] = []) => ({
  stances: ['A', 'B'].map((solution) => {
    return { solution, stance: 'oppose', reasons: [reason], evidence };
  }),
  preferred: null,
  revision: null,
  search_terms: [],
  questions: [],
});
const sound = opposing('T1 is in src/commands/list.js, T2 in src/cli.js: both break.');

/** Alpha opposes both solutions with the first answer, then with the second one where it is asked again. */
async function opposed(thin: object, better: object, resumes: AgentTraits['resumes']) {
  const rig = await todoRig();
  configureVendors(rig, { alpha: {}, beta: {} }, 'max_rounds = 2');
  const solutions = { alpha: listSolution(), beta: formatterSolution() };
  const { prompts } = await scriptedSession(
    rig,
    ({ phase, agent, repair }) => {
      const own = agent === 'alpha' ? solutions.alpha : solutions.beta;
      if (phase === 'propose') return { recommended: own.name, solutions: [own], questions: [] };
      if (phase === 'compare') return { pairs: [] };
      if (phase !== 'examine') return {};
      if (agent === 'beta') return sound;
      return repair ? better : thin;
    },
    undefined,
    resumes,
  );
  const file = join(rig.session(), 'rounds/2/synthesis.json');
  const { solutions: after, notes } = Synthesis.parse(JSON.parse(readFileSync(file, 'utf8')));
  const held = after.flatMap(({ stances }) => stances.filter(({ agent }) => agent === 'alpha'));
  const again = prompts.filter((prompt) =>
    /^conclave question: .*"phase":"examine".*"repair":true/.test(prompt),
  );
  return { reasons: held.map(({ reason }) => reason), notes: notes.join(' '), again };
}

test('an opposition without a reason is asked for one by a short question to its agent’s own session', async () => {
  const { reasons, notes, again } = await opposed(opposing('Bad idea.'), sound, 'anywhere');
  expect(reasons).toEqual([null, null]);
  expect(notes).not.toContain('is no vote');
  expect(again).toHaveLength(1);
  expect(again[0]?.length).toBeLessThan(2_500);
  expect(again[0]).toContain('"oppose" of A is no vote, as no reason names anything of it');
});

test('it is asked where it cites what a program does not find, too, and is told the place', async () => {
  const thin = opposing('Bad idea.', claim('no such words'));
  const better = opposing('It is read here.', claim('readTodos'));
  const { reasons, again } = await opposed(thin, better, 'anywhere');
  expect(reasons).toEqual([null, null]);
  expect(again[0]).toContain('did not find the quote at src/commands/list.js:1');
});

test('it stays no vote where nothing better comes, and the round goes on', async () => {
  const { reasons, notes, again } = await opposed(
    opposing('Bad idea.'),
    opposing('I disagree.'),
    'anywhere',
  );
  expect(reasons.every((reason) => reason !== null)).toBe(true);
  expect(notes).toContain('alpha says “oppose” of “Branch in listTodos”, which is no vote');
  expect(again).toHaveLength(1);
});

test('the whole request is not sent again where the agent has no session to go on with', async () => {
  const { reasons, again } = await opposed(opposing('Bad idea.'), sound, 'never');
  expect(reasons.every((reason) => reason !== null)).toBe(true);
  expect(again).toEqual([]);
});
