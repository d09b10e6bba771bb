import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Plan } from '../../src/model/plan.ts';
import { planning, proposing, synthesisOf } from '../helpers/planned-rig.ts';
import { type Rig, ended, printed } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, formatterSolution, listSolution } from '../helpers/vendors.ts';

const constraint = 'Keep the text output unchanged';
const given = [
  '--constraint',
  constraint,
  '--tools',
  'beta',
  '--model',
  'beta=chosen',
  '--max-rounds',
  '2',
];

/** Interrupted or killed while beta, which only flags chose, works on round 1; goes on at once. */
async function interruptedRig(signal: 'SIGINT' | 'SIGKILL'): Promise<Rig> {
  const rig = await todoRig();
  const slow = { ...proposing(listSolution()), delay_ms: 600_000 };
  configureVendors(rig, {
    alpha: { propose: proposing(formatterSolution()), plan: planning },
    beta: { propose: slow },
  });
  const child = rig.start('plan', '--auto-yes', '--json', ...given, todoTask);
  const end = ended(child);
  await printed(child, '"type":"agent.started","agent":"beta"');
  child.kill(signal);
  expect((await end).code).toBe(signal === 'SIGINT' ? 130 : null);
  const quick = { propose: proposing(listSolution()), plan: planning };
  configureVendors(rig, {
    alpha: { propose: proposing(formatterSolution()), plan: planning },
    beta: quick,
  });
  return rig;
}

describe('a session that is resumed with the printed command', () => {
  test(
    'keeps the agents, the model, the rounds and the constraints of its start',
    short,
    async () => {
      const rig = await interruptedRig('SIGKILL');
      const id = basename(rig.session());
      const { code, stdout } = await rig.conclave('resume', id, '--auto-yes');
      expect(code).toBe(0);
      expect(stdout).toContain(
        `settings     as at its start: --model beta=chosen --constraint "${constraint}" --max-rounds 2 --tools beta\n`,
      );
      const { receipts } = synthesisOf(rig, 1);
      expect(receipts).toMatchObject([{ agent: 'beta', model: 'chosen' }]);
      expect(rig.json('session-state.json')).toMatchObject({ max_rounds: 2, agents: ['beta'] });
      expect(Plan.parse(rig.json('plan.json')).constraints).toEqual([constraint]);
      expect(rig.json('execution-context.json')).toMatchObject({ userConstraints: [constraint] });
    },
  );

  test('changes what flags name, for later resumes too', async () => {
    const rig = await interruptedRig('SIGINT');
    const id = basename(rig.session());
    const refused = await rig.conclave(
      'resume',
      id,
      '--auto-yes',
      '--tools',
      'alpha',
      '--require-convergence',
    );
    expect(refused.code).toBe(4);
    expect(refused.stdout).toContain(
      'settings     changed from the next round on: --require-convergence --tools alpha\n',
    );
    // The round that had begun keeps who was chosen for it.
    expect(synthesisOf(rig, 1).receipts).toMatchObject([{ agent: 'beta' }]);
    const again = await rig.conclave('resume', id, '--auto-yes');
    expect(again.code).toBe(4);
  });
});
