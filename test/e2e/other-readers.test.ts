import { expect, test } from 'vitest';
import { z } from 'zod';
import { proposing, planning } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, formatterSolution, listSolution, stances } from '../helpers/vendors.ts';

/** What a program takes from a session that was written for the sessions of the original command. */
const State = z.object({
  session_id: z.string(),
  task_description: z.string(),
  status: z.string(),
  current_phase: z.number(),
  ace_context: z.object({
    relevant_files: z.array(z.string()).min(1),
    detected_patterns: z.array(z.string()),
  }),
  user_decisions: z.array(
    z.object({ round: z.number(), decision: z.string(), selected: z.string() }),
  ),
  updated_at: z.string().min(1),
});
const Round = z.object({
  round: z.number(),
  solutions: z.array(z.object({ name: z.string(), source_cli: z.array(z.string()) })).min(1),
  convergence: z.object({ score: z.number(), recommendation: z.string() }),
});

test('other readers find the phase, the decisions and the solutions', short, async () => {
  const rig = await todoRig();
  const one = listSolution();
  const other = formatterSolution();
  const examine = { answer: stances({ A: 'support', B: 'oppose' }, { preferred: 'A' }) };
  configureVendors(rig, {
    alpha: { propose: proposing(one), examine, plan: planning },
    beta: { propose: proposing(other), examine, plan: planning },
    gone: { propose: { stderr: 'out of order\n', exit: 3 } },
  });
  const { code } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(code).toBe(0);

  Round.parse(rig.json('rounds/1/synthesis.json'));
  const second = Round.parse(rig.json('rounds/2/synthesis.json'));
  const state = State.parse(rig.json('session-state.json'));
  expect(state).toMatchObject({
    status: 'done',
    current_phase: 5,
    user_decisions: [{ round: 2, decision: 'approve', selected: second.solutions[0]?.name }],
  });
});
