import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planning, proposing, synthesisOf } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import {
  type VendorScript,
  configureVendors,
  formatterSolution,
  listSolution,
  witnessed,
} from '../helpers/vendors.ts';

const supporting = (reason: string, preferred: string | null = null) => ({
  answer: {
    stances: ['A', 'B'].map((solution) => {
      return { solution, stance: 'support', reasons: [reason], evidence: [] };
    }),
    preferred,
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
  const folder = `${rig.session()}/rounds/2/agents/alpha`;
  const repair = () => readFileSync(`${folder}/prompt-repair.md`, 'utf8');
  return { held, notes, asked, repair };
}

describe('a vote without a reason about the solution', () => {
  test(
    'is not asked for again where it could change nothing: a support of what it would not build',
    short,
    async () => {
      const { held, notes, asked } = await afterTwoRounds({
        examine: supporting('LGTM'),
      });
      expect(asked('alpha')).toBe(1);
      expect(held.map(({ stance, reason }) => [stance, reason !== null])).toEqual([
        ['support', true],
        ['support', true],
      ]);
      expect(notes.join(' ')).toContain('which is no vote, as no reason names anything of it');
    },
  );

  test('for a label that does not exist is asked for again, and left out where it stays so', async () => {
    const { notes, asked, repair } = await afterTwoRounds({
      examine: supporting('LGTM', 'Z'),
      'examine-2-repair': supporting('LGTM', 'Z'),
    });
    expect(asked('alpha')).toBe(2);
    expect(repair()).toContain('/preferred is "Z"');
    expect(notes.join(' ')).toContain('Left out of what alpha said: /preferred is "Z"');
  });
});
