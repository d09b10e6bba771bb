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

const saying =
  (stance: 'support' | 'oppose') =>
  (
    reason: string,
    { evidence = [], preferred = null }: { evidence?: object[]; preferred?: string | null } = {},
  ) => ({
    answer: {
      stances: ['A', 'B'].map((solution) => {
        return { solution, stance, reasons: [reason], evidence };
      }),
      preferred,
      revision: null,
      search_terms: [],
      questions: [],
    },
  });
const [supporting, opposing] = [saying('support'), saying('oppose')];

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

describe('a vote without a reason about the solution', () => {
  const better = opposing('T1 is in src/commands/list.js, T2 in src/cli.js: both break.');

  test(
    'is asked once for a better one where it would oppose, in its own session, and then counts',
    short,
    async () => {
      const { held, notes, asked, repair } = await afterTwoRounds({
        examine: opposing('Bad idea.'),
        'examine-2-repair': better,
      });
      expect(held.map(({ reason }) => reason)).toEqual([null, null]);
      expect(notes.join(' ')).not.toContain('is no vote');
      expect([asked('alpha'), asked('beta')]).toEqual([2, 1]);
      expect(repair().length).toBeLessThan(2_500);
    },
  );

  test('is not asked for again where it could change nothing: a support of what it would not build', async () => {
    const { held, notes, asked } = await afterTwoRounds({
      examine: supporting('LGTM'),
      'examine-2-repair': better,
    });
    expect(asked('alpha')).toBe(1);
    expect(held.map(({ stance, reason }) => [stance, reason !== null])).toEqual([
      ['support', true],
      ['support', true],
    ]);
    expect(notes.join(' ')).toContain('which is no vote, as no reason names anything of it');
  });

  test('is asked too where it cites what a program does not find, and its prompt names the place', async () => {
    const { held, asked, repair } = await afterTwoRounds({
      examine: opposing('Bad idea.', { evidence: cite('no such words') }),
      'examine-2-repair': opposing('It is read here.', { evidence: cite('readTodos') }),
    });
    expect(asked('alpha')).toBe(2);
    expect(held.map(({ reason }) => reason)).toEqual([null, null]);
    expect(repair()).toContain('did not find the quote at src/commands/list.js:1');
  });

  test('for a label that does not exist is asked for again, and left out where it stays so', async () => {
    const { notes, asked, repair } = await afterTwoRounds({
      examine: supporting('LGTM', { preferred: 'Z' }),
      'examine-2-repair': supporting('LGTM', { preferred: 'Z' }),
    });
    expect(asked('alpha')).toBe(2);
    expect(repair()).toContain('/preferred is "Z"');
    expect(notes.join(' ')).toContain('Left out of what alpha said: /preferred is "Z"');
  });

  test('stays no vote where nothing better comes, and the round goes on with the answer', async () => {
    for (const again of [opposing('I disagree.'), { exit: 3 }]) {
      const { held, notes, asked } = await afterTwoRounds({
        examine: opposing('Bad idea.'),
        'examine-2-repair': again,
      });
      expect(held.map(({ stance, reason }) => [stance, reason !== null])).toEqual([
        ['oppose', true],
        ['oppose', true],
      ]);
      expect(notes.join(' ')).toContain('is no vote');
      expect(asked('alpha')).toBe(2);
    }
  });
});
