import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calmVendor, synthesisOf } from '../../helpers/planned-rig.ts';
import { type Rig, ended, fixture } from '../../helpers/rig.ts';
import { inTerminal } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';

const root = new URL('../../..', import.meta.url).pathname;

/** This program, built with one more file in `src/agents/` and its name in the list. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'conclave-built-'));
  for (const part of ['src', 'templates', 'schemas', 'package.json', 'test/tools']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const adapter = readFileSync(join(root, 'test/fixtures/agents/newcomer.ts'), 'utf8');
  writeFileSync(join(copy, 'src/agents/newcomer.ts'), adapter.replaceAll('../../../src/', '../'));
  const list = join(copy, 'src/agents/cli/list.ts');
  const names = readFileSync(list, 'utf8').replace(/(= \[[^\]]*)\];/, '$1, newcomer];');
  writeFileSync(list, `import { newcomer } from '../newcomer.ts';\n${names}`);
  execFileSync(process.execPath, [join(copy, 'test/tools/build.ts')], { stdio: 'inherit' });
});
afterAll(() => rmSync(copy, { recursive: true }));

const entry = () => join(copy, 'dist/cli.js');

/** A home in which a program of this name answers, as it would lie on the PATH of a user. */
async function rigWith(name: string): Promise<Rig> {
  const rig = await todoRig();
  const [bin, script] = [join(rig.home, 'bin'), join(rig.home, 'script.json')];
  writeFileSync(script, JSON.stringify(calmVendor));
  mkdirSync(bin);
  const command = [process.execPath, fixture('vendor'), script].map((word) => `'${word}'`);
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
  rig.environment['PATH'] = [bin, rig.environment['PATH']].join(delimiter);
  return rig;
}

const run = (rig: Rig, ...args: readonly string[]) =>
  ended(
    spawn(process.execPath, [entry(), ...args], {
      cwd: rig.repo,
      env: rig.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

describe.each([
  { name: 'newcomer', by: 'one file', table: () => '' },
  {
    name: 'mine',
    by: 'a table of the settings',
    table: (rig: Rig) => `[agents.mine]\npath = ${JSON.stringify(join(rig.home, 'bin/mine'))}\n`,
  },
])('an agent that is added by $by', ({ name, table }) => {
  /** Where it can be used, and is the default agent. */
  async function usedRig(): Promise<Rig> {
    const rig = await rigWith(name);
    rig.environment['NEWCOMER_API_KEY'] = 'key-of-nobody';
    rig.config(`[agent]\ncli = "${name}"\nmodel = "m-9"\n${table(rig)}`);
    return rig;
  }

  test('is among the agents and in doctor, with what it is held to', async () => {
    const rig = await usedRig();
    const { stdout } = await run(rig, 'agents', name, '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { name, kind: 'model', state: 'ready', version: '1.0.0', model: 'm-9', part: 'asked' },
    ]);
    const explained = await run(rig, 'agents', name);
    expect(explained).toMatchObject({ code: 0, stdout: expect.stringMatching(/^read-only/m) });
    const doctor = await run(rig, 'doctor');
    expect(doctor.stdout).toMatch(
      new RegExp(`^${name} +cli +${rig.home}/bin/${name} +1[.]0[.]0 `, 'm'),
    );
  });

  test('is a value of the settings, and the nearest one to a misspelt name', async () => {
    const rig = await usedRig();
    const { stdout } = await run(rig, 'config', 'show');
    expect(stdout).toMatch(new RegExp(`^agent[.]cli +"${name}" `, 'm'));
    expect(stdout).toMatch(new RegExp(`^workflow[.]fallback_chain .*"${name}"`, 'm'));
    rig.config(`[agent]\ncli = "${name}x"\n${table(rig)}`);
    expect(await run(rig, 'config', 'show')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Did you mean ${name}?`),
    });
  });

  test('is asked where it is named', async () => {
    const rig = await usedRig();
    const { code, stdout, stderr } = await run(
      rig,
      'plan',
      '--auto-yes',
      '--tools',
      name,
      todoTask,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`(model: m-9)`);
    expect(synthesisOf(rig, 1).receipts).toMatchObject([{ agent: name, failure: null }]);
  });

  test('is on the start screen', async () => {
    const rig = await usedRig();
    const terminal = inTerminal(rig, [entry()], { file: process.execPath, rows: 40 });
    await terminal.shows(new RegExp(`✓ ${name} +ready`));
  });
});

test('an agent that cannot be used yet is told with how to get it and how to log in', async () => {
  const { stdout } = await run(await todoRig(), 'doctor');
  expect(stdout).toContain('newcomer: Install it: npm install -g newcomer.');
  const rig = await rigWith('newcomer');
  const loggedOut = await run(rig, 'doctor');
  expect(loggedOut.stdout).toContain('newcomer: Log in: newcomer login.');
  expect(loggedOut.stdout).toContain('it has no tools');
});
