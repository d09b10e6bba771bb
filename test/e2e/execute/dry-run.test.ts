import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { short } from '../../helpers/short-form.ts';
import { planOf, task as small } from '../../helpers/small-plans.ts';

const Preview = z.object({
  tasks: z.array(z.object({ executor: z.string(), reason: z.string() })),
});

const task = (number: number, path: string, action: string) => ({
  id: `TASK-00${number}`,
  source: { original_id: `T${number}` },
  title: `Do ${number}`,
  description: 'The flag is read from args. Parse the output again.',
  depends_on: [],
  files: [{ path, action, change: 'Write it.' }],
  implementation: ['Write it.', 'Look at it.'],
  convergence: { criteria: ['It is there'] },
  checks: [{ kind: 'command', argv: ['node', '--version'], criterion: 0 }],
});

const plan = {
  phase: 'planning',
  plan: { summary: 'Some files.', approach: 'One after the other.' },
  tasks: [task(1, 'logo.png', 'modify'), task(2, 'b.txt', 'create')],
};

const work = {
  'TASK-001': { edits: { 'logo.png': '\0 drawn' } },
  'TASK-002': { edits: { 'b.txt': 'x\n' } },
};

test('--dry-run tells what would be done, and does nothing', async () => {
  const rig = await approvedRig(work, { plan, dirty: { 'logo.png': '\0 one', 'b.txt': 'here\n' } });
  const state = async () => ({
    files: rig.contents('.workflow'),
    git: await rig.git('for-each-ref'),
    trees: await rig.git('worktree', 'list'),
    objects: await rig.git('count-objects', '-v'),
    status: await rig.git('--no-optional-locks', 'status', '--short'),
  });
  const before = await state();
  const { code, stdout } = await rig.conclave('execute', '--dry-run');
  expect(code).toBe(0);
  for (const part of ['TASK-002', 'b.txt', 'command: node --version', 'alpha']) {
    expect(stdout).toContain(part);
  }
  // What the plan check warns of stands there, too.
  expect(stdout).toContain('Plan check: ');
  const json = await rig.conclave('execute', '--dry-run', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    session: basename(rig.session()),
    tasks: [{ id: 'TASK-001' }, { id: 'TASK-002' }],
  });
  expect(await state()).toEqual(before);
});

test(
  '--dry-run names the agent that would do it, and calls nobody the default agent who is not',
  short,
  async () => {
    const more = '[phases.execution]\nagent = "beta"\n';
    const rig = await approvedRig(
      {},
      { plan: planOf([small(1, [], ['a.txt']), small(2, [], ['b.txt'])]), more },
    );
    const executors = async () => {
      const { stdout } = await rig.conclave('execute', '--dry-run', '--json');
      const { tasks } = Preview.parse(JSON.parse(stdout));
      return tasks.map(({ executor, reason }) => `${executor}: ${reason}`);
    };
    const byBeta = 'beta: first of your agents';
    expect(await executors()).toEqual([byBeta, byBeta]);
  },
);
