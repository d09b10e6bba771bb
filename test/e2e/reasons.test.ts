import { describe, expect, test } from 'vitest';
import { planning, proposing, synthesisOf } from '../helpers/planned-rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import {
  type VendorScript,
  configureVendors,
  formatterSolution,
  listSolution,
  witnessed,
} from '../helpers/vendors.ts';

const supporting = (reason: string) => ({
  answer: {
    stances: ['A', 'B'].map((solution) => {
      return { solution, stance: 'support', reasons: [reason], evidence: [] };
    }),
    preferred: null,
    revision: null,
    search_terms: [],
    questions: [],
  },
});

async function afterTwoRounds(alpha: VendorScript) {
  const rig = await todoRig();
  const beta = { examine: supporting('T1 touches src/commands/list.js, T2 src/cli.js.') };
  configureVendors(rig, {
    alpha: { propose: proposing(listSolution()), plan: planning, ...alpha },
    beta: { propose: proposing(formatterSolution()), plan: planning, ...beta },
  });
  await rig.conclave('plan', '--auto-yes', '--max-rounds', '2', todoTask);
  const { solutions, notes } = synthesisOf(rig, 2);
  const held = solutions.flatMap(({ stances }) => stances.filter(({ agent }) => agent === 'alpha'));
  const asked = (agent: string) =>
    witnessed(rig, agent).filter((line) => line.startsWith('start examine-2')).length;
  return { held, notes, asked, receipt: rig.json('rounds/2/agents/alpha/receipt.json') };
}

describe('a support without a reason about the solution', () => {
  test('is asked once for a better one, which then counts', async () => {
    const better = supporting('T1 is in src/commands/list.js, T2 in src/cli.js: both are there.');
    const { held, notes, asked } = await afterTwoRounds({
      examine: supporting('LGTM'),
      'examine-2-repair': better,
    });
    expect(held.map(({ counts }) => counts)).toEqual([true, true]);
    expect(notes.join(' ')).not.toContain('is no vote');
    expect([asked('alpha'), asked('beta')]).toEqual([2, 1]);
  });

  test('stays no vote where nothing better comes, and the round goes on with the answer', async () => {
    for (const again of [supporting('I agree.'), { exit: 3 }]) {
      const { held, notes, asked } = await afterTwoRounds({
        examine: supporting('LGTM'),
        'examine-2-repair': again,
      });
      expect(held.map(({ stance, counts }) => [stance, counts])).toEqual([
        ['support', false],
        ['support', false],
      ]);
      expect(notes.join(' ')).toContain('is no vote');
      expect(asked('alpha')).toBe(2);
    }
  });
});
