import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CheckRecord } from '../../../src/model/check-record.ts';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { pullRequestText } from '../../../src/faces/pull-request-text.ts';
import { proofHash } from '../../../src/phases/proof/proof-files.ts';
import { approvedRig, type Work } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { planOf, runs, task } from '../../helpers/small-plans.ts';
import { witnessed } from '../../helpers/vendors.ts';

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
  P6: { text: tests(`import dep from 'dep';`, 'dep'), state: 'fails', by: ['TASK-001'] },
  P7: {
    text: tests(
      `import { writeFileSync } from 'node:fs';\nimport { homedir } from 'node:os';\nwriteFileSync(\`\${homedir()}/token\`, '');`,
      '1 === 1',
    ),
    state: 'fails',
    by: ['TASK-001'],
  },
} as const;

const Json = z.looseObject({});

/** An approved plan of two tasks with these proofs. */
async function provenRig(
  work: Work,
  ids: readonly (keyof typeof proofs)[],
  of: object = plan,
  author = 'gamma',
): Promise<Rig> {
  const rig = await approvedRig(work, { plan: of });
  const change = (path: string, part: object) => {
    const file = join(rig.session(), path);
    const value = { ...Json.parse(JSON.parse(readFileSync(file, 'utf8'))), ...part };
    writeFileSync(file, JSON.stringify(value));
  };
  const planned = ids.map((id) => {
    const path = `test/${id.toLowerCase()}.test.mjs`;
    rig.write(
      `${rig.session().slice(rig.repo.length + 1)}/proof/tests/${path}.txt`,
      proofs[id].text,
    );
    const needs = ['a', 'b'].map((name) => ({ name, path: `${name}.mjs` }));
    const how = { path, argv: ['node', '--test', path], folder: '.', needs };
    return {
      id,
      ...how,
      sentence: `${id} works.`,
      for: 'the request',
      expect_today: proofs[id].state,
      state: proofs[id].state,
      why: '',
      hash: proofHash({ ...how, content: proofs[id].text }),
      author,
      vendor: `vendor-${author}`,
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

describe('a proof of two tasks that is red only on their joined work', () => {
  const five = { ...work, 'TASK-002': { edits: { 'b.mjs': 'export const b = 5;\n' } } };

  test('is put right there by an agent once, which cannot change it, and is committed with it', async () => {
    const edits = { 'b.mjs': 'export const b = 2;\n', 'test/p2.test.mjs': '// weakened\n' };
    const rig = await provenRig({ ...five, 'joined-fix': { edits } }, ['P2']);
    const { code } = await rig.conclave('execute', '-y');
    const { tasks, branch } = resultOf(rig);
    expect([code, tasks.map(({ status }) => status)]).toEqual([0, ['completed', 'completed']]);
    expect(await rig.git('show', `${branch}:b.mjs`)).toBe(edits['b.mjs']);
    expect(await rig.git('show', `${branch}:test/p2.test.mjs`)).toBe(proofs.P2.text);
    expect(recordsOf(rig).flatMap((one) => (one.tree === 'joined' ? one.passed : []))).toEqual([
      false,
      true,
    ]);
    expect(asked(rig, 'alpha', 'joined-fix')).toBe(1);
  });

  test('fails the tasks that take it where it stays red', async () => {
    const rig = await provenRig(five, ['P2']);
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(resultOf(rig).tasks).toMatchObject(
      [1, 2].map(() => ({ status: 'failed', why: expect.stringContaining('p2.test.mjs') })),
    );
    expect(asked(rig, 'alpha', 'joined-fix')).toBe(1);
  });
});

describe('a proof that cannot run where the work begins', () => {
  test.each([
    ['P6', /cannot run before the work: .*'dep'.*\. Set setup in the \[execution\] table/],
    [
      'P7',
      /cannot run before the work: .*EROFS.*\. Checks may write to .* or let it run with --unconfined/,
    ],
  ] as const)('stops before anybody is paid, with what helps (%s)', async (id, said) => {
    const rig = await provenRig(work, [id]);
    rig.write('node_modules/dep/index.js', 'module.exports = 1;\n');
    rig.write('.git/info/exclude', 'node_modules\n');
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([7, expect.stringMatching(said)]);
    expect(asked(rig, 'alpha', 'TASK-001-work')).toBe(0);
  });
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

/** What an author answers: a new P1 with this code, or nothing. */
const answers = (content?: string) => {
  const how = { path: 'test/p1.test.mjs', argv: ['node', '--test'], folder: '.', needs: [] };
  const words = { id: 'P1', sentence: 'It is five.', for: 'five', expect_today: 'fails' };
  const mended = content === undefined ? [] : [{ ...words, ...how, content }];
  return { answer: { phase: 'proof', proofs: mended, unproven: [] } };
};
const asked = (rig: Rig, name: string, key: string) =>
  witnessed(rig, name).filter((line) => line.startsWith(`start ${key} `)).length;

describe('a proof that is red after the work goes to its author once', () => {
  const edits = { 'a.mjs': 'export const a = 5;\n' };
  const five = tests(`import { a } from '../a.mjs';`, 'a === 5');
  const wrong = { edits, answer: 'Done.\nP1 is wrong: the request asks for five.' };
  test('what it mends counts only once a person takes it, and voids nothing else', async () => {
    const rig = await provenRig(
      { ...work, 'TASK-001': wrong, proof: answers(five) },
      ['P1'],
      plan,
      'beta',
    );
    const { code } = await rig.conclave('execute', '-y');
    expect(code).toBe(7);
    const [first, second] = resultOf(rig).tasks;
    expect(first).toMatchObject({
      status: 'unproven',
      why: expect.stringContaining('P1 shows it only as beta mended it'),
      awaits: ['P1'],
      fix_rounds: 0,
      mended: [{ was: proofs.P1.text, proof: { id: 'P1', content: five } }],
    });
    expect(second?.status).not.toBe('failed');
    expect(asked(rig, 'beta', 'proof-1')).toBe(1);
    const back = readFileSync(
      join(rig.session(), 'execution/1/TASK-001/dispute-1/beta/prompt.md'),
      'utf8',
    );
    expect(back).toContain('it was said to be wrong: the request asks for five.');
    const both = ['TASK-001', 'TASK-002'].flatMap((id) => ['--accept', id]);
    const taken = await rig.conclave('execute', ...both, '--because', 'It is five.');
    expect([taken.code, taken.stderr]).toEqual([0, '']);
    expect(resultOf(rig).tasks[0]).toMatchObject({
      status: 'completed',
      note: expect.stringContaining('P1 counts as its author mended it'),
    });
    expect(await rig.git('show', `${resultOf(rig).branch}:test/p1.test.mjs`)).toBe(five);
    expect((await rig.conclave('validate')).code).toBe(0);
    expect(asked(rig, 'alpha', 'TASK-001-work')).toBe(1);
  });

  test('what it stands by fails the task after the fix rounds', async () => {
    const rig = await provenRig(
      { ...work, 'TASK-001': wrong, proof: answers() },
      ['P1'],
      plan,
      'beta',
    );
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(resultOf(rig).tasks[0]).toMatchObject({
      status: 'failed',
      fix_rounds: 2,
      why: expect.stringContaining('the author of P1 stands by it'),
      stood_by: ['P1'],
    });
    expect(asked(rig, 'beta', 'proof-1')).toBe(1);
  });

  test('without a word of the executor it goes there after the fix rounds', async () => {
    const quiet = { ...work, 'TASK-001': { edits }, proof: answers(five) };
    const rig = await provenRig(quiet, ['P1'], plan, 'beta');
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(resultOf(rig).tasks[0]).toMatchObject({ status: 'unproven', fix_rounds: 2 });
    expect(asked(rig, 'beta', 'proof-1')).toBe(1);
  });

  test('a person who calls it wrong when the task is done again has it go there, too', async () => {
    const quiet = { ...work, 'TASK-001': { edits }, proof: answers() };
    const rig = await provenRig(quiet, ['P1'], plan, 'beta');
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    const script = { ...scriptOf(rig, 'beta'), proof: answers(five) };
    writeFileSync(join(rig.home, 'beta.json'), JSON.stringify(script));
    const note = 'P1 is wrong: I asked for five.';
    await rig.conclave('execute', '-y', '--retry', 'TASK-001', '--note', note);
    expect(resultOf(rig).tasks[0]).toMatchObject({
      status: 'unproven',
      awaits: ['P1'],
      fix_rounds: 0,
    });
    const back = readFileSync(
      join(rig.session(), 'execution/1/TASK-001/dispute-1/beta/prompt.md'),
      'utf8',
    );
    expect(back).toContain('it was said to be wrong: I asked for five.');
  });

  test('a mended one that is still red fails the task', async () => {
    const six = five.replace('5', '6');
    const rig = await provenRig(
      { ...work, 'TASK-001': wrong, proof: answers(six) },
      ['P1'],
      plan,
      'beta',
    );
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    expect(resultOf(rig).tasks[0]).toMatchObject({ status: 'failed', fix_rounds: 2 });
    expect(asked(rig, 'beta', 'proof-1')).toBe(1);
  });
});

describe('whoever is of the vendor that wrote the proofs of a task', () => {
  test('does it last', async () => {
    const rig = await provenRig(work, ['P1'], plan, 'alpha');
    expect((await rig.conclave('execute', '-y')).code).toBe(7);
    const [first, second] = resultOf(rig).tasks;
    expect([first?.executor, second?.executor]).toEqual(['beta', 'alpha']);
    expect(first?.note ?? '').not.toContain('tests and work by');
  });

  test('stands in last, and then task, result and pull request say so', async () => {
    const silent = { ...work['TASK-001'], exit: 1 };
    const rig = await provenRig(work, ['P1'], plan, 'alpha');
    writeFileSync(
      join(rig.home, 'beta.json'),
      JSON.stringify({ ...scriptOf(rig, 'beta'), 'TASK-001': silent }),
    );
    const { stdout } = await rig.conclave('execute', '-y');
    const result = resultOf(rig);
    const said = 'tests and work by vendor-alpha';
    const note = expect.stringContaining(said);
    expect(result.tasks[0]).toMatchObject({ executor: 'alpha', note });
    expect(stdout).toContain(said);
    const published = { task: 'T', plan: null, result, review: null, objections: [] };
    expect(pullRequestText(published).body).toContain(said);
  });
});

const scriptOf = (rig: Rig, name: string): object =>
  Json.parse(JSON.parse(readFileSync(join(rig.home, `${name}.json`), 'utf8')));

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
