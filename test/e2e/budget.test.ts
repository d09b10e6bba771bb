import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planning, proposing } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
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

const using = (cost_usd: number | null, output = 1_000) => ({
  events: [{ kind: 'usage', tokens: { input: 0, output, cached: 0 }, cost_usd }],
});

/** Two vendors that agree in round 1; each call of either costs a dollar. */
/** Both are asked how their solutions relate. */
const same = {
  answer: { pairs: [{ first: 'A', second: 'B', relation: 'same', difference: '' }] },
};

async function dollarRig(more = '', alpha: VendorScript = {}): Promise<Rig> {
  const rig = await todoRig();
  const vendor = {
    propose: { ...proposing(listSolution()), ...using(1) },
    compare: { ...same, ...using(0.25) },
    plan: { ...planning, ...using(1) },
  };
  configureVendors(rig, { alpha: { ...vendor, ...alpha }, beta: vendor }, more);
  return rig;
}

const plan = (rig: Rig, ...flags: string[]) =>
  rig.conclave('plan', '--auto-yes', ...flags, todoTask);
const starts = (rig: Rig) =>
  ['alpha', 'beta'].map(
    (name) => witnessed(rig, name).filter((line) => line.startsWith('start')).length,
  );

describe('a budget', () => {
  test(
    'that is used up ends with 8 before more is spent, and a higher one goes on',
    short,
    async () => {
      const rig = await dollarRig();
      const { code, stderr } = await plan(rig, '--budget-usd', '2');
      const id = basename(rig.session());
      expect(stderr).toBe(
        `conclave: The budget of this session is used up ($2.00 of $2.00); every answer so far is saved. To continue with more: conclave resume ${id} --budget-usd N\n`,
      );
      expect({ code, starts: starts(rig) }).toEqual({ code: 8, starts: [1, 1] });

      const again = await rig.conclave('resume', id, '--auto-yes', '--budget-usd', '4');
      expect(again.code).toBe(0);
      expect(again.stdout.match(/nearly used up.*/g)).toEqual(['nearly used up: $3.50 of $4.00.']);
      expect(again.stdout).toContain(
        '\nsettings     changed from the next round on: --budget-usd 4\n',
      );
      expect(again.stdout).not.toContain('as at its start');
      expect(again.stdout).toMatch(/spent {8}5 agent runs, .*, \$3\.50/);
      expect(starts(rig)).toEqual([3, 2]);
    },
  );

  test('of tokens ends the calls that run when one reports more than it', async () => {
    const slow = { ...proposing(listSolution()), delay_ms: 600_000 };
    const late = { ...proposing(formatterSolution()), ...using(null, 900_000), delay_ms: 500 };
    const rig = await dollarRig('', { propose: late });
    configureVendors(rig, { alpha: { propose: late }, beta: { propose: slow } });
    const { code, stderr } = await plan(rig, '--budget-tokens', '100000');
    expect(code).toBe(8);
    expect(stderr).toMatch(/\(900,000 of 100,000 tokens\)/);
  });

  test('of calls is a limit too', async () => {
    const rig = await dollarRig('[budget]\ncalls = 1');
    const { code, stderr } = await plan(rig, '--mode', 'serial');
    expect({ code, starts: starts(rig) }).toEqual({ code: 8, starts: [1, 0] });
    expect(stderr).toContain('(1 of 1 calls)');
    expect(stderr).toContain('raise budget.calls in your settings, then: conclave resume ');
  });

  test('of a plan’s window lets no further call begin, and the bill and the next forecast tell of it', async () => {
    const resets_at = Date.now() + 3_600_000;
    const shows = (...shares: readonly number[]) => ({
      events: shares.map((used) => {
        const window = { name: '5-hour window', used, resets_at };
        return { kind: 'usage', window };
      }),
    });
    const propose = { ...proposing(listSolution()), ...shows(0.25, 0.5) };
    const used = { events: [...shows(0.25, 0.31).events, ...using(null).events] };
    const rig = await dollarRig('', { propose: { ...proposing(listSolution()), ...used } });
    expect((await plan(rig)).stdout).toMatch(/spent .*about 6 % of your 5-hour window \(alpha\)/);
    expect((await rig.conclave('agents')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'a session here uses about 6 % of your 5-hour window (alpha)',
    );
    const rest = await dollarRig('[budget]\nwindow = 0.25', { propose });
    const { code, stderr } = await plan(rest, '--mode', 'serial');
    expect({ code, starts: starts(rest) }).toEqual({ code: 8, starts: [1, 0] });
    expect(stderr).toContain('(about 25 % of your 5-hour window (alpha), of at most 25 %)');
    const { stdout } = await plan(rig);
    expect(stdout).toMatch(/earlier sessions here used about .*6 % of your 5-hour window/);
  });

  test('keeps what a parallel call answered where the other did not fit', async () => {
    const rig = await dollarRig('[budget]\ncalls = 1');
    expect((await plan(rig)).code).toBe(8);
    expect(starts(rig).reduce((a, b) => a + b)).toBe(1);
  });
});
