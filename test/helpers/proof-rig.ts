// Three vendors that agree at once: alpha plans and works, beta or gamma writes the proofs, the others read.
import type { Proof } from '../../src/model/proof.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import { calmVendor } from './planned-rig.ts';
import type { Rig } from './rig.ts';
import { todoRig } from './test-rig.ts';
import { configureVendors, type VendorScript } from './vendors.ts';

/** A test that fails in the todo project until `list --json` prints an array. */
export function jsonProof(part: Partial<Proof> = {}): Proof {
  const { id = 'P1' } = part;
  const path = `test/json-${id.toLowerCase()}.test.js`;
  return {
    id,
    path,
    content: `import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listTodos } from '../src/commands/list.js';

test('list --json prints an array', () => {
  process.chdir(mkdtempSync(join(tmpdir(), 'todo-')));
  writeFileSync('todos.json', '[{"text":"milk","done":true}]');
  const said = [];
  console.log = (text) => said.push(text);
  listTodos(['--json']);
  assert.equal(said.join('').trim().startsWith('['), true, 'no array was printed');
});
`,
    argv: ['node', '--test', path],
    folder: '.',
    sentence: 'list --json prints an array.',
    for: 'so that listTodos prints JSON',
    expect_today: 'fails',
    needs: [],
    ...part,
  };
}

/** A test that holds in the todo project. */
export function markGuard(part: Partial<Proof> = {}): Proof {
  const { id = 'P2' } = part;
  const path = `test/mark-${id.toLowerCase()}.test.js`;
  return {
    ...jsonProof({ id }),
    path,
    content: `import test from 'node:test';
import assert from 'node:assert/strict';
import { formatTodo } from '../src/commands/list.js';

test('what is done has a mark', () => {
  assert.equal(formatTodo({ text: 'milk', done: true }), 'x milk');
});
`,
    argv: ['node', '--test', path],
    sentence: 'Without the flag, what is done has a mark.',
    for: 'Add a --json flag',
    expect_today: 'holds',
    ...part,
  };
}

/** The answer of an author. */
export const proves = (proofs: readonly Proof[], unproven: readonly object[] = []) => ({
  answer: { phase: 'proof', proofs, unproven },
});

/** The plan in which the first task turns these proofs green. */
export function planProving(...ids: readonly string[]) {
  const [first, ...others] = planAnswer.tasks;
  return { answer: { ...planAnswer, tasks: [{ ...first, proves: ids }, ...others] } };
}

/** The todo project with these three, where code before approval is allowed; `more` are lines of `[workflow]`. */
export async function proofRig(
  scripts: Readonly<Partial<Record<'alpha' | 'beta' | 'gamma', VendorScript>>>,
  more = 'code_before_approval = "on"',
): Promise<Rig> {
  const rig = await todoRig();
  const calm = { ...calmVendor, plan: planProving('P1') };
  const { alpha, beta, gamma } = scripts;
  configureVendors(
    rig,
    { alpha: { ...calm, ...alpha }, beta: { ...calm, ...beta }, gamma: { ...calm, ...gamma } },
    more,
  );
  return rig;
}
