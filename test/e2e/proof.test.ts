import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ProofSet } from '../../src/model/proof.ts';
import { jsonProof, markGuard, proofRig, proves } from '../helpers/proof-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { witnessed } from '../helpers/vendors.ts';

const setOf = (rig: Rig) => ProofSet.parse(rig.json('proof/proof.json'));
const calls = (rig: Rig, name: string, phase: string) =>
  witnessed(rig, name).filter((line) => line.startsWith(`start ${phase}-`)).length;

describe('acceptance tests are written before the plan', () => {
  test('by a vendor that neither plans nor works, and the plan shows what each says today', async () => {
    const rig = await proofRig({ beta: { proof: proves([jsonProof(), markGuard()]) } });
    const { code, stdout, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('P1 list --json prints an array · fails today');
    expect(stdout).toContain('P2 Without the flag, what is done has a mark · holds today');
    expect(setOf(rig)).toMatchObject({
      author: 'beta',
      vendor: 'vendor-beta',
      note: '',
      proofs: [
        { id: 'P1', state: 'fails' },
        { id: 'P2', state: 'holds' },
      ],
      dropped: [],
    });
    const plan = readFileSync(join(rig.session(), 'plan.md'), 'utf8');
    expect(plan).toContain('P1 list --json prints an array · fails today');
    expect(rig.json('.task/TASK-001.json')).toMatchObject({ proves: ['P1'] });
    expect(calls(rig, 'beta', 'proof')).toBe(1);
    expect((await rig.conclave('validate')).code).toBe(0);
  });
});
