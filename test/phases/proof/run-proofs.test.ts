import { afterEach, expect, test } from 'vitest';
import { type ProofRig, proofOf, proofRig } from '../../helpers/strict-rig.ts';

let rig: ProofRig;
afterEach(() => rig.remove());

test('a proof that its code does not meet yet fails as it should, twice', async () => {
  rig = proofRig({
    'package.json': '{"type":"module"}',
    'src/add.js': 'export const add = (a, b) => a - b;',
  });
  const proof = proofOf(
    'test/add.p1.test.js',
    `import test from 'node:test'; import assert from 'node:assert'; import { add } from '../src/add.js';
test('adds', () => assert.equal(add(1, 2), 3));`,
  );
  const one = await rig.run([proof]);
  expect(one.results[0]).toMatchObject({ state: 'fails' });
});
