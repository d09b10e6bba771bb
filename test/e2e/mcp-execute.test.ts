import { expect, test } from 'vitest';
import { checkedEdits, checkedPlan, workBy } from '../helpers/executed-rig.ts';
import { connect, eras } from '../helpers/mcp-host.ts';
import { short } from '../helpers/short-form.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { todoRig } from '../helpers/test-rig.ts';

for (const era of eras) {
  test(
    `a host has a change planned, decided, approved and carried out, up to its branch, in the protocol era ${era}`,
    era === 'legacy' ? short : {},
    async () => {
      const rig = await todoRig();
      const more = '[mcp]\nmay = ["decide", "execute"]\n';
      workBy(rig, checkedEdits, { plan: checkedPlan, more });
      const { call } = await connect(rig, { era });
      const started = await call('plan_start', { task: todoTask, wait_s: 170 });
      const { session } = started.facts;
      const decided = await call('plan_decide', { session, solution: 1, wait_s: 170 });
      expect(decided.facts).toMatchObject({ waits_for: 'approval of the plan' });
      await call('plan_review', { session, approve: true, wait_s: 170 });
      const begun = await call('plan_execute', { session, wait_s: 0 });
      expect(begun.facts['next']).toMatch(/^call job_status with job/);
      const { facts } = await call('job_status', { job: begun.facts['job'], wait_s: 170 });
      expect(facts).toMatchObject({ kind: 'execute', state: 'done', session });
      expect(facts['message']).toContain('3 of 3 tasks completed');
      expect(await rig.git('branch', '--list', 'conclave/*')).toContain(session);
      const work = await rig.git('diff', '--name-only', `HEAD...conclave/${String(session)}`);
      expect(work).toContain('src/commands/list.js');
      expect(await rig.git('status', '--short')).toBe('');
    },
  );
}
