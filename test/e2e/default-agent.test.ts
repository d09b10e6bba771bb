import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { planning, proposing, synthesisOf } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution, witnessed } from '../helpers/vendors.ts';

const vendor = { propose: proposing(listSolution()), plan: planning };

async function rigWith(more: string) {
  const rig = await todoRig();
  configureVendors(rig, { alpha: vendor, beta: vendor }, more);
  return rig;
}

test('a default agent that was named and is missing stops before anybody is asked', async () => {
  const rig = await rigWith('[agent]\ncli = "claude"\n[agents.claude]\npath = "no-such-claude"\n');
  const { code, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(code).toBe(3);
  expect(stderr).toContain('The agent claude is not ready: ');
  expect(stderr).toContain('npm install -g @anthropic-ai/claude-code');
  expect(witnessed(rig, 'alpha')).toEqual([]);
  expect((await rig.conclave('sessions', 'list', '--json')).stdout.trim()).toBe('[]');
});

test(
  'the start names the default agent with its model, and nothing else of before',
  short,
  async () => {
    const rig = await rigWith('[agent]\ncli = "alpha"\nmodel = "large"\n');
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('Agent: alpha (model: large)');
    expect(stdout).toMatch(/ {2}beta +asked \(default model\)\n/);
    expect(stdout).not.toContain('earlier sessions');
    const [receipt] = synthesisOf(rig, 1).receipts;
    expect(receipt?.path).toBe(process.execPath);
  },
);

test('an event says who plans in place of a default agent that is gone since the start', async () => {
  const rig = await rigWith('[agent]\ncli = "alpha"\n');
  expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
  const forked = await rig.conclave('sessions', 'fork', basename(rig.session()), '--json');
  configureVendors(rig, { beta: vendor }, '[agents.alpha]\npath = "/nowhere/alpha"\n');
  const { session } = z.object({ session: z.string() }).parse(JSON.parse(forked.stdout));
  const { code, stdout } = await rig.conclave('resume', session, '--auto-yes', '--json');
  expect(code).toBe(0);
  expect(stdout).toContain(
    '"agent.replaced","seat":"planning","agent":"beta","instead_of":"alpha"',
  );
});
