import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { approvedRig, workBy } from '../../helpers/executed-rig.ts';
import { planOf, task } from '../../helpers/small-plans.ts';

test('a second execute keeps the records of the first', async () => {
  const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]);
  const done = { 'TASK-001': { edits: { 'a.txt': 'x\n' } } };
  const rig = await approvedRig(done, { plan });
  expect((await rig.conclave('execute', '-y')).code).toBe(7);
  const first = rig.json('execution-result.json');
  workBy(rig, { ...done, 'TASK-002': { edits: { 'b.txt': 'y\n' } } }, { plan });
  expect((await rig.conclave('execute', '-y', '--retry', 'TASK-002')).code).toBe(0);
  const kept = join(rig.session(), 'execution/1/earlier-1');
  expect(JSON.parse(readFileSync(join(kept, 'execution-result.json'), 'utf8'))).toEqual(first);
  expect(existsSync(join(kept, 'TASK-002/work-alpha/receipt.json'))).toBe(true);
  // The work that counts stays where it was.
  expect(existsSync(join(kept, 'TASK-001'))).toBe(false);
  expect(ExecutionResult.parse(rig.json('execution-result.json')).status).toBe('completed');
  expect(readFileSync(join(rig.session(), 'execution-result.diff'), 'utf8')).toContain(
    '+++ b/b.txt',
  );
});
