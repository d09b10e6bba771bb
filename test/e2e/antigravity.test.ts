// Tests the Antigravity CLI as a seat, by a scripted stand-in: the real one needs a login.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { calmVendor, synthesisOf } from '../helpers/planned-rig.ts';
import { fixture, type Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors } from '../helpers/vendors.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await todoRig();
});

/** The section of the stand-in, which answers as a calm vendor. */
function standIn(script: object = {}): string {
  const file = join(rig.home, 'agy.json');
  writeFileSync(file, JSON.stringify({ ...calmVendor, ...script }));
  return `[agents.agy]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('agy'), fixture('vendor'), file])}
`;
}

describe('the Antigravity CLI', () => {
  test('takes part where it is named, by the vendor of its model, and writes nothing', async () => {
    configureVendors(rig, { alpha: calmVendor });
    rig.config(`${rig.configured()}${standIn({ model: 'claude-sonnet-5' })}`);
    const args = ['--auto-yes', '--tools', 'alpha,agy', todoTask];
    const { code, stderr } = await rig.conclave('plan', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(synthesisOf(rig, 1).receipts).toMatchObject([
      { agent: 'alpha' },
      {
        agent: 'agy',
        vendor: 'anthropic',
        model: 'claude-sonnet-5',
        tokens: { input: 100, output: 20, cached: 30 },
      },
    ]);
    expect(existsSync(join(rig.repo, 'by-agy.txt'))).toBe(false);
  });

  test('stands in for nobody until it is named, or a probe has seen it answer', async () => {
    const chain = async () => {
      const { stdout } = await rig.conclave('config', '--json');
      const all = z
        .array(z.object({ key: z.string(), value: z.unknown() }))
        .parse(JSON.parse(stdout));
      return all.find(({ key }) => key === 'workflow.fallback_chain')?.value;
    };
    rig.config(standIn());
    expect(await chain()).not.toContain('agy');
    const probe = { failure: null };
    mkdirSync(join(rig.home, 'data/conclave'), { recursive: true });
    const file = join(rig.home, 'data/conclave/probes.json');
    writeFileSync(file, JSON.stringify({ agy: { probe } }));
    expect(await chain()).toContain('agy');
    writeFileSync(file, JSON.stringify({ agy: { probe: { failure: 'network' } } }));
    expect(await chain()).not.toContain('agy');
  });

  test.each([
    ['1.107.0', 'it is the editor of the same name, not the CLI'],
    ['1.1.7', 'version 1.1.7 has no stream of events; 1.1.8 or a newer one is needed'],
  ])('is not taken for a program of version %s', async (version, why) => {
    rig.config(standIn({ version }));
    const { stdout } = await rig.conclave('agents', 'agy', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'not-installed', why: expect.stringContaining(why) },
    ]);
  });

  test.each([
    [{ quota: true }, 'quota-used-up: it answered with nothing'],
    [{ error: 'authentication required: sign in' }, 'not-logged-in: authentication required'],
  ])('that gives no answer says why: %j', async (script, why) => {
    rig.config(standIn(script));
    const { code, stdout, stderr } = await rig.conclave('consult', '--agent', 'agy', 'Is it good?');
    expect(code).toBe(3);
    const [category = '', words = ''] = why.split(': ');
    expect(stdout + stderr).toContain(words);
    expect(stdout + stderr).toContain(category === 'not-logged-in' ? 'log in' : 'quota');
  });

  test('is said not to have been tried with the real program', async () => {
    rig.config(standIn());
    const { stdout } = await rig.conclave('doctor');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('not tried with the real program');
  });
});

test('doctor says what pays for the calls of each agent, as far as its files tell', async () => {
  rig.config(standIn());
  const token = join(rig.home, '.gemini/antigravity-cli/antigravity-oauth-token');
  const paid = async () => {
    const { stdout } = await rig.conclave('doctor', '--json');
    const { agents } = z
      .object({ agents: z.array(z.looseObject({ name: z.string() })) })
      .parse(JSON.parse(stdout));
    return agents.find(({ name }) => name === 'agy')?.['paid_by'];
  };
  expect(await paid()).toBeNull();
  expect((await rig.conclave('doctor')).stdout).toContain(
    'Who pays for calls of agy is not known.',
  );
  mkdirSync(dirname(token), { recursive: true });
  writeFileSync(token, '{}');
  expect(await paid()).toBe('the plan or the credit of its stored login');
  rig.config(`${standIn()}env = { AGY_API_KEY = "nobody" }\n`);
  expect(await paid()).toBe('the key in AGY_API_KEY');
  expect((await rig.conclave('doctor')).stdout).toContain(
    'Calls are paid for: agy by the key in AGY_API_KEY',
  );
});
