import { expect, test } from 'vitest';
import { checkedEdits, checkedPlan, checkedReview, workBy } from '../helpers/executed-rig.ts';
import { connect, eras } from '../helpers/mcp-host.ts';
import { short } from '../helpers/short-form.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { todoRig } from '../helpers/test-rig.ts';

for (const era of eras) {
  test(
    `a host has a change planned, decided, approved and carried out, reviewed by another vendor, up to its branch, in the protocol era ${era}`,
    era === 'legacy' ? short : {},
    async () => {
      const rig = await todoRig();
      const more = '[mcp]\nmay = ["decide", "execute"]\n';
      const work = { ...checkedEdits, 'code-review': { answer: checkedReview } };
      workBy(rig, work, { plan: checkedPlan, more });
      const { call } = await connect(rig, { era });
      const started = await call('plan_start', { task: todoTask, wait_s: 170 });
      const { session } = started.facts;
      const decided = await call('plan_decide', { session, solution: 1, wait_s: 170 });
      expect(decided.facts).toMatchObject({ waits_for: 'approval of the plan' });
      await call('plan_review', { session, approve: true, wait_s: 170 });
      const review = era === 'legacy' ? 'skip' : null;
      const begun = await call('plan_execute', { session, review, wait_s: 0 });
      expect(begun.facts['next']).toMatch(/^call job_status with job/);
      const { facts } = await call('job_status', { job: begun.facts['job'], wait_s: 170 });
      const told = String(facts['message']);
      expect(facts, told).toMatchObject({ kind: 'execute', state: 'done', session });
      const reviewer = review === null ? 'beta' : 'nobody';
      expect(told).toContain(`3 of 3 tasks completed, reviewed by ${reviewer};`);
      expect(await rig.git('branch', '--list', 'conclave/*')).toContain(session);
      const diff = await rig.git('diff', '--name-only', `HEAD...conclave/${String(session)}`);
      expect(diff).toContain('src/commands/list.js');
      expect(await rig.git('status', '--short')).toBe('');
    },
  );
}
