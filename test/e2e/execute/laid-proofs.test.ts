import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CheckRecord } from '../../../src/model/check-record.ts';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { proofHash } from '../../../src/phases/proof/proof-files.ts';
import { approvedRig, type Work } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { planOf, runs, task } from '../../helpers/small-plans.ts';

const plan = planOf([task(1, [], ['a.mjs'], []), task(2, [], ['b.mjs'], [])]);

const tests = (imports: string, condition: string) =>
  `import test from 'node:test';\nimport assert from 'node:assert';\n${imports}\ntest('works', () => assert(${condition}));\n`;

/** A proof that prints the proofs beside it. */
function listing(condition: string): string {
  const shown = `import { readdirSync } from 'node:fs';
console.log(readdirSync('test').filter((name) => /^p\\d/.test(name)).join(' '));
const { a } = await import('../a.mjs').catch(() => ({ a: 0 }));`;
  return tests(shown, condition);
}

const proofs = {
  P1: { text: tests(`import { a } from '../a.mjs';`, 'a === 1'), state: 'fails', by: ['TASK-001'] },
  P2: {
    text: tests(`import { a } from '../a.mjs';\nimport { b } from '../b.mjs';`, 'a + b === 3'),
    state: 'fails',
    by: ['TASK-001', 'TASK-002'],
  },
  P3: { text: tests('', '1 === 1'), state: 'holds', by: [] },
  P4: { text: listing('a === 1'), state: 'fails', by: ['TASK-001'] },
  P5: { text: listing('a > 0'), state: 'fails', by: ['TASK-001'] },
} as const;

const Json = z.looseObject({});

/** An approved plan of two tasks with these proofs. */
async function provenRig(
  work: Work,
  ids: readonly (keyof typeof proofs)[],
  of: object = plan,
): Promise<Rig> {
  const rig = await approvedRig(work, { plan: of });
  const change = (path: string, part: object) => {
    const file = join(rig.session(), path);
    const value = { ...Json.parse(JSON.parse(readFileSync(file, 'utf8'))), ...part };
    writeFileSync(file, JSON.stringify(value));
  };
  const planned = ids.map((id) => {
    const path = `test/${id.toLowerCase()}.test.mjs`;
    rig.write(`${rig.session().slice(rig.repo.length + 1)}/proof/tests/${path}`, proofs[id].text);
    const how = { path, argv: ['node', '--test', path], folder: '.', needs: [] };
    return {
      id,
      ...how,
      sentence: `${id} works.`,
      for: 'the request',
      expect_today: proofs[id].state,
      state: proofs[id].state,
      why: '',
      hash: proofHash({ ...how, content: proofs[id].text }),
      author: 'gamma',
      vendor: null,
    };
  });
  change('plan.json', { proofs: planned });
  for (const id of ['TASK-001', 'TASK-002']) {
    const proves = ids.filter((one) => proofs[one].by.some((by) => by === id));
    change(`.task/${id}.json`, { proves });
  }
  const { code, stderr } = await rig.conclave('review', '--approve');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return rig;
}

const work = {
  'TASK-001': { edits: { 'a.mjs': 'export const a = 1;\n' } },
  'TASK-002': { edits: { 'b.mjs': 'export const b = 2;\n' } },
};

const resultOf = (rig: Rig) => ExecutionResult.parse(rig.json('execution-result.json'));
const recordsOf = (rig: Rig) =>
  readFileSync(join(rig.session(), 'execution/1/checks.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => CheckRecord.parse(JSON.parse(line)));

test('a proof is red where its task begins and green after it, is committed with it, and nobody who works on the task changes it', async () => {
  const edits = { 'a.mjs': 'export const a = 1;\n', 'test/p1.test.mjs': '// weakened\n' };
  const rig = await provenRig({ ...work, 'TASK-001': { edits } }, ['P1', 'P3']);
  const { code } = await rig.conclave('execute', '-y');
  const { tasks, branch } = resultOf(rig);
  expect(tasks[0]).toMatchObject({
    status: 'completed',
    files_modified: ['a.mjs'],
    note: expect.stringContaining('test/p1.test.mjs were dropped'),
  });
  const records = recordsOf(rig).filter(({ check }) => check.includes('p1.test.mjs'));
  expect(records.map(({ moment, passed }) => `${moment} ${passed}`)).toEqual([
    'before false',
    'after true',
    'again false',
    'joined true',
  ]);
  expect(code).toBe(7);
  expect(await rig.git('show', `${branch}:test/p1.test.mjs`)).toBe(proofs.P1.text);
  expect(await rig.git('show', `${branch}:test/p3.test.mjs`)).toBe(proofs.P3.text);
  expect(await rig.git('log', '--format=%B', branch ?? '')).toContain(
    'Conclave-Proof: P1 by gamma',
  );
});

test('a proof that two tasks take runs on their joined work, and shows both', async () => {
  const rig = await provenRig(work, ['P2']);
  const { code, stdout } = await rig.conclave('execute', '-y');
  expect(stdout).toContain('awaits P2');
  const prompt = 'execution/1/TASK-001/work-alpha/prompt.md';
  expect(readFileSync(join(rig.session(), prompt), 'utf8')).toContain(proofs.P2.text.trim());
  expect(resultOf(rig).tasks.map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect(code).toBe(0);
  expect(await rig.git('log', '-1', '--format=%B', resultOf(rig).branch ?? '')).toBe(
    'Add the proofs of the joined work\n\nConclave-Proof: P2 by gamma\n',
  );
  expect(await rig.git('show', `${resultOf(rig).branch}:test/p2.test.mjs`)).toBe(proofs.P2.text);
});

test('a proof that stays red fails its task', async () => {
  const rig = await provenRig(
    { ...work, 'TASK-001': { edits: { 'a.mjs': 'export const a = 5;\n' } } },
    ['P1'],
  );
  const { code } = await rig.conclave('execute', '-y');
  expect(code).toBe(7);
  expect(resultOf(rig).tasks[0]).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('p1.test.mjs'),
  });
});

test('on the start each proof runs alone and any other check without proofs; on the work all are there', async () => {
  const seesProofs = `const { readdirSync } = require('node:fs');
const all = readdirSync('test').filter((name) => /^p\\d/.test(name));
console.log(all.join(' ') || 'no proof');
process.exit(readdirSync('.').includes('a.mjs') ? 0 : 1);`;
  const own = task(1, [], ['a.mjs'], [runs('node', '-e', seesProofs)]);
  const rig = await provenRig(work, ['P4', 'P5'], planOf([own, task(2, [], ['b.mjs'], [])]));
  await rig.conclave('execute', '-y');
  const seen = (moment: string) =>
    recordsOf(rig)
      .filter((one) => one.moment === moment)
      .map(({ output }) => /no proof|p\d[^\n]*/.exec(output)?.[0]);
  const alone = ['no proof', 'p4.test.mjs', 'p5.test.mjs'];
  expect(seen('before')).toEqual(alone);
  expect(seen('again')).toEqual(alone);
  expect(new Set(seen('after'))).toEqual(new Set(['p4.test.mjs p5.test.mjs']));
});
