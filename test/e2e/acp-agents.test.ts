// Tests whole sessions in which agents of the Agent Client Protocol take part.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ModelServer, startModelServer } from '../contract/model-server/server.ts';
import { goodAnswer } from '../contract/three-clis.ts';
import { calmVendor, synthesisOf } from '../helpers/planned-rig.ts';
import { fixture, type Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors } from '../helpers/vendors.ts';

let rig: Rig;
let server: ModelServer;
beforeEach(async () => {
  [rig, server] = await Promise.all([todoRig(), startModelServer()]);
  server.fallback(goodAnswer);
});
afterEach(() => server.close());

/** An agent that speaks ACP, with a vendor of the other tests as its model. */
function talking(name: string, ...own: readonly string[]): string {
  const script = join(rig.home, `${name}.json`);
  writeFileSync(script, JSON.stringify(calmVendor));
  const command = [process.execPath, fixture('acp'), ...own, '--', fixture('vendor'), script];
  return `[agents.${name}]
acp = ${JSON.stringify(command)}
mode = "plan"
vendor = "vendor-${name}"
`;
}

/** The same behind the name of a program that is known, whose login is guessed from its files. */
function named(name: string, program: string): string {
  const words = talking(name);
  const [, list = '[]'] = /^acp = (.*)$/m.exec(words) ?? [];
  const own = z.array(z.string()).parse(JSON.parse(list));
  const path = join(rig.home, program);
  writeFileSync(path, `#!/bin/sh\nexec ${own.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
  return words.replace(list, JSON.stringify([path]));
}

test('a program whose read-only mode nobody tried is said to plan inside a confinement', async () => {
  const held = 'it plans only inside a confinement';
  rig.config(talking('talker'));
  const { stdout } = await rig.conclave('agents', 'talker');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(held);
  rig.config(named('talker', 'codex-acp'));
  expect((await rig.conclave('agents', 'talker')).stdout.replaceAll(/\s+/g, ' ')).not.toContain(
    held,
  );
});

test('a program that is not there is told with what to do', async () => {
  rig.config('[agents.talker]\nacp = ["no-such-program", "--acp"]\n');
  const { stdout } = await rig.conclave('agents', 'talker', '--json');
  expect(JSON.parse(stdout)).toMatchObject([
    {
      state: 'not-installed',
      why: '"no-such-program" is not on PATH',
      remedy:
        'Install it: put its program on the PATH, or write its path first into acp under [agents.talker].',
    },
  ]);
});

test('a model that a program cannot be told is no model of the receipt, and consult says so', async () => {
  rig.config(`${talking('plain')}model = "gemini-3-pro"\n`);
  const note = 'it cannot be told the model gemini-3-pro, and answers with its own';
  const told = await rig.conclave('consult', '--agent', 'plain', 'Is it good?', '--json');
  expect(JSON.parse(told.stdout)).toMatchObject({ model: null, notes: [note] });
  const shown = await rig.conclave('consult', '--agent', 'plain', 'Is it good?');
  expect(shown.stdout + shown.stderr).toContain(note);
  expect(shown.stdout + shown.stderr).not.toContain('plain (gemini-3-pro)');
});

describe('a session', () => {
  test('of a CLI, a model behind an API and an ACP agent converges', short, async () => {
    configureVendors(rig, { alpha: calmVendor });
    rig.config(`${rig.configured()}
[agents.mine]
provider = "compatible"
base_url = "${server.url}/api/v1"
model = "llama3:8b"

${talking('talker')}`);
    const args = ['--auto-yes', '--require-convergence', '--tools', 'alpha,mine,talker', todoTask];
    const { code, stderr } = await rig.conclave('plan', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { receipts, convergence } = synthesisOf(rig, 1);
    expect(receipts).toMatchObject([
      { agent: 'alpha', transport: 'cli' },
      { agent: 'mine', transport: 'api', vendor: 'llama' },
      {
        agent: 'talker',
        transport: 'acp',
        vendor: 'vendor-talker',
        version: '3.2.1',
        agent_session: 'S-1',
        tokens: { input: 21, output: 8, cached: 5 },
        notes: [],
      },
    ]);
    expect(convergence.score).toBeGreaterThan(0.5);
  });

  test('of two of them has its plan read by the other one, although no file tells of its login', async () => {
    rig.config(`${named('one', 'claude-agent-acp')}${named('two', 'codex-acp')}`);
    const { stdout } = await rig.conclave('agents', 'two', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ login_state: 'logged-out' }]);
    const { code, stderr } = await rig.conclave(
      'plan',
      '--auto-yes',
      '--tools',
      'one,two',
      todoTask,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(rig.json('plan-reading.json')).toMatchObject({
      unread: '',
      readers: [{ vendor: 'vendor-two' }],
    });
  });
});
