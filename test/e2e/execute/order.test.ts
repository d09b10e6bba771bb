import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { witnessed } from '../../helpers/vendors.ts';

/** Each task writes a module of its own, and a test that needs the modules that it depends on. */
const needs: Readonly<Record<string, readonly number[]>> = {
  1: [],
  2: [1],
  3: [1],
  4: [1],
  5: [2, 3],
  6: [],
  7: [6],
  8: [5, 7],
};
const id = (number: number | string) => `TASK-00${number}`;

const plan = {
  phase: 'planning',
  plan: { summary: 'Eight modules.', approach: 'One after the other where one needs another.' },
  tasks: Object.entries(needs).map(([number, on]) => ({
    id: id(number),
    ...(Number(number) <= 2 ? { source: { original_id: `T${number}` } } : {}),
    title: `Write module ${number}`,
    description: 'Read the flag is read from args. Parse the output again.',
    depends_on: on.map(id),
    files: [
      { path: `src/m${number}.js`, action: 'create', change: 'The module.' },
      { path: `test/m${number}.test.js`, action: 'create', change: 'Its test.' },
    ],
    implementation: ['Write it.', 'Test it.'],
    convergence: { criteria: [`src/m${number}.js exports its number`] },
    checks: [
      { kind: 'command', argv: ['node', '--test', `test/m${number}.test.js`], criterion: 0 },
    ],
  })),
};

const edits = (number: string, on: readonly number[]) => ({
  [`src/m${number}.js`]: `${on.map((one) => `import './m${one}.js';\n`).join('')}export const m = ${number};\n`,
  [`test/m${number}.test.js`]: `import test from 'node:test';\nimport { m } from '../src/m${number}.js';\ntest('m', () => { if (m !== ${number}) throw new Error('no'); });\n`,
});

test('eight tasks are carried out in an order that holds, side by side where they can be, and come home', async () => {
  // Two that need nothing: each goes on when the other has begun.
  const besides: Readonly<Record<string, number>> = { 1: 6, 6: 1 };
  const work = Object.fromEntries(
    Object.entries(needs).map(([number, on]) => {
      const beside = besides[number];
      const begun = beside === undefined ? null : ['.alpha/witness', `start ${id(beside)}-work`];
      return [id(number), { edits: edits(number, on), waits_for: begun }];
    }),
  );
  const rig = await approvedRig(work, { plan });
  const { code, stderr } = await rig.conclave('execute', '-y', '--jobs', '3');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const calls = witnessed(rig, 'alpha').flatMap((line) => {
    const [word, key = '', , at] = line.split(' ');
    const number = /^TASK-00(\d)-work$/.exec(key)?.[1];
    return number === undefined ? [] : [{ word, number, at: Number(at) }];
  });
  const at = (word: string, number: number | string) =>
    calls.find((call) => call.word === word && call.number === String(number))?.at ?? Number.NaN;
  for (const [number, on] of Object.entries(needs)) {
    for (const one of on) expect(at('start', number)).toBeGreaterThan(at('end', one));
  }
  const overlaps = Object.keys(needs).flatMap((one) =>
    Object.keys(needs).filter(
      (other) =>
        one < other && at('start', one) < at('end', other) && at('start', other) < at('end', one),
    ),
  );
  expect(overlaps.length).toBeGreaterThan(0);

  expect(await rig.git('status', '--short')).toBe('');
  expect((await rig.conclave('execute', '-y', '--apply')).code).toBe(0);
  const log = await rig.git('log', '--format=%(trailers:key=Conclave-Task,valueonly)');
  for (const number of Object.keys(needs)) expect(log.split(id(number)).length).toBe(2);
  expect(await rig.git('log', '--merges', '--format=%s')).toContain(
    'Merge TASK-003: Write module 3\n',
  );
  expect(rig.read('src/m8.js')).toContain("import './m5.js'");
  expect(await rig.git('branch', '--list', 'conclave/*')).toBe('');
  const task = JSON.parse(readFileSync(join(rig.session(), '.task/TASK-008.json'), 'utf8'));
  expect(task).toMatchObject({ status: 'completed', result: { convergence_verified: [true] } });
  // What was approved is still what stands there.
  expect((await rig.conclave('validate')).stdout).toContain('No problem found');
});
