import { describe, expect, test } from 'vitest';
import { spawn } from 'node:child_process';
import { agreeing, planning, proposing, synthesisOf } from '../helpers/planned-rig.ts';
import { ended, fixture, program, programsWithout, type Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, formatterSolution, listSolution } from '../helpers/vendors.ts';

/** Two seats that nobody chose, and three programs for them, of which the first is not there. */
async function missingRig(): Promise<Rig> {
  const rig = await todoRig();
  const vendor = { propose: proposing(listSolution()), plan: planning };
  configureVendors(rig, { beta: vendor, gamma: vendor });
  const agents = rig.configured().replace(/^[^]*?(?=\[agents\.)/, '');
  rig.config(`[agents.alpha]\npath = "/nowhere/alpha"\n${agents}`);
  return rig;
}

describe('the seats of the first round', () => {
  test('go to the first that are ready, where nobody chose, and are shown so', async () => {
    const rig = await missingRig();
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).not.toContain('alpha');
    const { receipts, unanswered } = synthesisOf(rig, 1);
    expect(receipts.map(({ agent, fallback_for }) => [agent, fallback_for])).toEqual([
      ['beta', null],
      ['gamma', null],
    ]);
    expect(unanswered).toEqual([]);
    const agents = await rig.conclave('agents', '--json');
    const shown = [
      { name: 'alpha', part: 'not used', turn: null },
      { name: 'beta', part: 'asked', turn: 0 },
      { name: 'gamma', part: 'asked', turn: 1 },
    ].map((one) => expect.objectContaining(one));
    expect(JSON.parse(agents.stdout)).toEqual(expect.arrayContaining(shown));
  });

  test('stay with those who were named, and say who takes the place of one that is missing', async () => {
    const rig = await missingRig();
    const flags = ['--auto-yes', '--tools', 'alpha,beta'];
    const { code, stdout } = await rig.conclave('plan', ...flags, todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('replaces alpha');
    expect(stdout).toContain('"/nowhere/alpha" is not the absolute path of a program');
    const { receipts } = synthesisOf(rig, 1);
    expect(receipts).toMatchObject([{ agent: 'gamma', fallback_for: 'alpha' }, { agent: 'beta' }]);
  });

  test('are handed over at once at a rate limit, where somebody is free', short, async () => {
    const rig = await missingRig();
    const limited = `[agents.alpha]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('rate-limited'), '30'])}
`;
    rig.config(rig.configured().replace(/^\[agents\.alpha\]\npath = .*\n/, limited));
    const flags = ['--auto-yes', '--tools', 'alpha,beta'];
    const { code, stdout } = await rig.conclave('plan', ...flags, todoTask);
    expect({ code, waits: stdout.includes('tries again') }).toEqual({ code: 0, waits: false });
    expect(synthesisOf(rig, 1).receipts).toMatchObject([
      { agent: 'gamma', fallback_for: 'alpha' },
      { agent: 'beta' },
    ]);
  });

  test('whose login expires in mid-session go to whoever is ready, and it is said how to log in', async () => {
    const rig = await todoRig();
    const text = 'Your access token has expired, sign in again';
    const expired = { events: [{ kind: 'error', category: 'not-logged-in', text }], exit: 1 };
    const vendor = { examine: agreeing, plan: planning };
    const list = { ...vendor, propose: proposing(listSolution()) };
    const other = { ...vendor, propose: proposing(formatterSolution()) };
    configureVendors(rig, { alpha: { ...list, examine: expired }, beta: other, gamma: list });
    const flags = ['--auto-yes', '--tools', 'alpha,beta'];
    const { code, stdout } = await rig.conclave('plan', ...flags, todoTask);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(text) });
    expect(synthesisOf(rig, 1).receipts.map(({ agent }) => agent)).toEqual(['alpha', 'beta']);
    expect(synthesisOf(rig, 2).receipts).toMatchObject([
      { agent: 'gamma', fallback_for: 'alpha' },
      { agent: 'beta' },
    ]);
  });

  test('of programs that were never tried stay empty where no confinement is, and it is said how to get one', async () => {
    const rig = await todoRig();
    configureVendors(rig, { alpha: { propose: proposing(listSolution()) } });
    const off = ['structure', 'history'].map((name) => `[agents.${name}]\nenabled = false\n`);
    rig.config(`${rig.configured()}${off.join('')}`);
    const { code, stderr } = await ended(
      spawn(process.execPath, [program, 'plan', '--auto-yes', '--tools', 'alpha', todoTask], {
        cwd: rig.repo,
        env: { ...rig.environment, PATH: programsWithout(rig, ['bwrap', 'sandbox-exec']) },
      }),
    );
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /alpha: no real write was tried against its read-only mode.*none; on Linux, install bubblewrap, e\.g\. with: sudo apt install bubblewrap/,
      ),
    });
  });
});
