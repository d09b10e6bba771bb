import { describe, expect, test } from 'vitest';
import { planning, proposing, synthesisOf } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import {
  type VendorScript,
  configureVendors,
  listSolution,
  witnessed,
} from '../helpers/vendors.ts';

const warns = listSolution({ name: 'Warn about --json' });
const refuses = listSolution({ name: 'Refuse --json' });

/** Says so of every pair that it is asked about. */
const judging = (relation: string, difference = '') => ({
  answer: `{"session":"{{session}}","round":1,"pairs":[{"first":"A","second":"B","relation":"${relation}","difference":"${difference}"}]}`,
});

async function sessionOf(
  scripts: Readonly<Record<string, VendorScript>>,
  tools = Object.keys(scripts).join(),
  more = '',
): Promise<Rig> {
  const rig = await todoRig();
  configureVendors(rig, scripts, more);
  const flags = ['--auto-yes', '--max-rounds', '1', '--tools', tools];
  await rig.conclave('plan', ...flags, todoTask);
  return rig;
}

const author = (solution = warns, compare: VendorScript = {}): VendorScript => ({
  propose: proposing(solution),
  plan: planning,
  ...compare,
});

const comparisons = (rig: Rig, name: string) =>
  witnessed(rig, name).filter((line) => line.startsWith('start compare'));

describe('a comparison', () => {
  test(
    'is made by a vendor that wrote neither solution, and keeps variants apart',
    short,
    async () => {
      const compare = judging('variant', '[A] warns about it, [B] refuses it.');
      const rig = await sessionOf(
        { alpha: author(warns), beta: author(refuses), gamma: { compare } },
        'alpha,beta',
      );
      const { compared, solutions, convergence, cross_verification } = synthesisOf(rig, 1);
      expect(compared).toMatchObject([{ relation: 'variant', judges: ['gamma'] }]);
      const names = [...(compared[0]?.names ?? [])].map((name) => `“${name}”`);
      expect(compared[0]?.difference).toBe(`${names[0]} warns about it, ${names[1]} refuses it.`);
      expect(solutions).toHaveLength(2);
      expect(convergence).toMatchObject({ score: 0.5, recommendation: 'continue' });
      expect(cross_verification.disagreements.join(' ')).toContain('are variants of one idea');
      expect([comparisons(rig, 'alpha'), comparisons(rig, 'gamma')]).toMatchObject([[], [/1/]]);
    },
  );

  test('is made by the agent that the user has chosen for it', async () => {
    const compare = judging('different', '[A] warns about it, [B] refuses it.');
    const scripts = {
      alpha: author(warns),
      beta: author(refuses),
      gamma: { compare },
      delta: { compare },
    };
    const rig = await sessionOf(scripts, 'alpha,beta', '[phases.compare]\nagent = "delta"\n');
    expect(synthesisOf(rig, 1).compared).toMatchObject([{ judges: ['delta'] }]);
    expect(comparisons(rig, 'gamma')).toEqual([]);
  });

  test('is asked of both authors where nobody else is there, and only twice the same is the same', async () => {
    const same = { compare: judging('same') };
    const agreed = await sessionOf({ alpha: author(warns, same), beta: author(refuses, same) });
    expect(synthesisOf(agreed, 1)).toMatchObject({
      compared: [{ relation: 'same', judges: ['alpha', 'beta'] }],
      solutions: [{ source_cli: ['alpha', 'beta'], versions: [{}] }],
      convergence: { score: 1, recommendation: 'converged' },
    });
    const doubted = { compare: judging('variant', 'They end differently.') };
    const open = await sessionOf({ alpha: author(warns, same), beta: author(refuses, doubted) });
    expect(synthesisOf(open, 1)).toMatchObject({
      compared: [{ relation: 'variant', difference: 'They end differently.' }],
      convergence: { score: 0.5, recommendation: 'continue' },
    });
  });

  test('that fails leaves the solutions apart, says so, and ends nothing', async () => {
    const rig = await todoRig();
    const broken = { compare: { exit: 3 } };
    configureVendors(rig, { alpha: author(warns), beta: author(warns), gamma: broken });
    const flags = ['--auto-yes', '--max-rounds', '1', '--tools', 'alpha,beta'];
    const { stdout } = await rig.conclave('plan', ...flags, todoTask);
    expect(stdout).toMatch(/^warning +Nobody compared the solutions/m);
    const { compared, solutions, cross_verification } = synthesisOf(rig, 1);
    expect(compared).toMatchObject([{ relation: 'unclear', judges: ['gamma'] }]);
    expect(solutions).toHaveLength(2);
    expect(cross_verification.disagreements.join(' ')).toContain('could not be compared');
    expect(rig.json('plan.json')).toBeDefined();
  });

  test('is not paid for where one vendor alone recommends something', async () => {
    const none = { propose: { answer: { recommended: null, solutions: [warns], questions: [] } } };
    const rig = await sessionOf({ alpha: author(warns), beta: { ...none, plan: planning } });
    expect(synthesisOf(rig, 1).compared).toEqual([]);
    expect(comparisons(rig, 'alpha')).toEqual([]);
  });

  test('is limited to ten solutions, which is said', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `agent-${String.fromCodePoint(97 + at)}`);
    const rig = await todoRig();
    configureVendors(rig, Object.fromEntries(names.map((name) => [name, author(warns)])));
    const flags = ['--auto-yes', '--depth', 'quick'];
    const { stdout } = await rig.conclave('plan', ...flags, '--tools', names.join(), todoTask);
    expect(stdout).toContain('Only 10 of 12 recommended solutions are compared');
    const { compared, solutions, notes } = synthesisOf(rig, 1);
    expect(notes.join(' ')).toContain('Only 10 of 12 recommended solutions are compared');
    expect(compared).toHaveLength(45);
    expect(solutions).toHaveLength(3);
  });

  test('is not asked for again when the session is resumed', async () => {
    const rig = await sessionOf({ alpha: author(warns), beta: author(warns) });
    const before = comparisons(rig, 'alpha').length;
    await rig.conclave('resume', '--auto-yes');
    expect([before, comparisons(rig, 'alpha').length]).toEqual([1, 1]);
  });
});
