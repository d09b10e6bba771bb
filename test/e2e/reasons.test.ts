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

const supporting = (
  reason: string,
  { evidence = [], preferred = null }: { evidence?: object[]; preferred?: string | null } = {},
) => ({
  answer: {
    stances: ['A', 'B'].map((solution) => {
      return { solution, stance: 'support', reasons: [reason], evidence };
    }),
    preferred,
    revision: null,
    search_terms: [],
    questions: [],
  },
});

const cite = (quote: string) => [{ statement: 'x', path: 'src/commands/list.js', line: 1, quote }];

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

describe('a support without a reason about the solution', () => {
  test('is asked once for a better one, which then counts', short, async () => {
    const better = supporting('T1 is in src/commands/list.js, T2 in src/cli.js: both are there.');
    const { held, notes, asked } = await afterTwoRounds({
      examine: supporting('LGTM'),
      'examine-2-repair': better,
    });
    expect(held.map(({ counts }) => counts)).toEqual([true, true]);
    expect(notes.join(' ')).not.toContain('is no vote');
    expect([asked('alpha'), asked('beta')]).toEqual([2, 1]);
  });

  test('is asked too where it cites what a program does not find, and its prompt names the place', async () => {
    const { held, asked, repair } = await afterTwoRounds({
      examine: supporting('LGTM', { evidence: cite('no such words') }),
      'examine-2-repair': supporting('It is read here.', { evidence: cite('readTodos') }),
    });
    expect(asked('alpha')).toBe(2);
    expect(held.map(({ counts }) => counts)).toEqual([true, true]);
    expect(repair()).toContain('cites src/commands/list.js:1, where a program did not find');
  });

  test('is asked in the same call as a vote for a label that does not exist, which is told', async () => {
    const { notes, asked, repair } = await afterTwoRounds({
      examine: supporting('LGTM', { preferred: 'Z' }),
      'examine-2-repair': supporting('LGTM', { preferred: 'Z' }),
    });
    expect(asked('alpha')).toBe(2);
    expect(repair()).toContain('so it is no vote');
    expect(repair()).toContain('/preferred is "Z"');
    expect(notes.join(' ')).toContain('A vote of alpha does not count: /preferred is "Z"');
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
