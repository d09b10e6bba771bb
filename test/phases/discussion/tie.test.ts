import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { planning } from '../../helpers/planned-rig.ts';
import { scriptedSession } from '../../helpers/scripted-session.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { configureVendors, formatterSolution, listSolution } from '../../helpers/vendors.ts';

/** Both support both solutions, and each would build the other’s. */
test('two vendors that each prefer the other’s solution end in round 2, and every document says how', async () => {
  const rig = await todoRig();
  configureVendors(rig, { alpha: {}, beta: {} }, 'require_convergence = true');
  const { calls, events } = await scriptedSession(rig, ({ phase, agent, prompt }) => {
    const own = agent === 'alpha' ? listSolution() : formatterSolution();
    if (phase === 'propose') return { recommended: own.name, solutions: [own], questions: [] };
    if (phase === 'compare') return { pairs: [] };
    if (phase === 'plan') return planning.answer;
    if (phase === 'plan-review') return { phase, findings: [], summary: 'Nothing is missing.' };
    const mine = /Solution ([A-Z]) is yours/.exec(prompt)?.[1];
    const reasons = ['T1 and T2 touch src/commands/list.js, src/cli.js and src/format.js.'];
    return {
      stances: ['A', 'B'].map((solution) => ({
        solution,
        stance: 'support',
        reasons,
        evidence: [],
      })),
      preferred: mine === 'A' ? 'B' : 'A',
      revision: null,
      search_terms: [],
      questions: [],
    };
  });
  expect(calls.filter((call) => call.endsWith('examine-3'))).toEqual([]);
  const file = (path: string) => readFileSync(join(rig.session(), path), 'utf8');
  const synthesis = Synthesis.parse(JSON.parse(file('rounds/2/synthesis.json')));
  const why = synthesis.convergence.chosen_by_rule?.why ?? '?';
  expect(synthesis.convergence.recommendation).toBe('converged');
  expect(why).toMatch(/^Chosen by rule: the agents support “.*” and “.*”, and nobody opposes them/);
  const presented = events.find((event) => event.type === 'options.presented');
  expect(presented).toMatchObject({ uncertainty: expect.stringContaining(why) });
  expect(presented?.type === 'options.presented' && presented.options).toHaveLength(2);
  expect(JSON.parse(file('context-package.json'))).toMatchObject({
    uncertainty: expect.stringContaining(why),
  });
  expect(file('plan.md')).toContain('Chosen by rule');
});
