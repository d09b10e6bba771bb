import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../../src/agents/process/find-program.ts';
import { ProofSet } from '../../src/model/proof.ts';
import { calmVendor } from '../helpers/planned-rig.ts';
import { jsonProof, markGuard, planProving, proofRig, proves } from '../helpers/proof-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { leavingFlags } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { witnessed } from '../helpers/vendors.ts';

const setOf = (rig: Rig) => ProofSet.parse(rig.json('proof/proof.json'));
const read = (rig: Rig, file: string) => readFileSync(join(rig.session(), file), 'utf8');
const calls = (rig: Rig, name: string, phase: string) =>
  witnessed(rig, name).filter((line) => line.startsWith(`start ${phase}-`)).length;
const both = { proof: proves([jsonProof(), markGuard()]) };

describe('acceptance tests are written before the plan', () => {
  test('by a vendor that neither plans nor works, and the plan shows what each says today', async () => {
    const rig = await proofRig({ beta: both });
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
    expect(read(rig, 'plan.md')).toContain('P1 list --json prints an array · fails today');
    expect(rig.json('.task/TASK-001.json')).toMatchObject({ proves: ['P1'] });
    expect(calls(rig, 'beta', 'proof')).toBe(1);
    // The planner reads them, and no proposal or plan is shown to their author.
    const planner = read(rig, 'planning/1/alpha/prompt.md');
    expect(planner).toContain(jsonProof().content);
    const author = read(rig, 'proof/1/proof/beta/prompt.md');
    expect(author).not.toContain('Read the flag from args in listTodos');
    expect((await rig.conclave('validate')).code).toBe(0);
    expect(await rig.git('status', '--porcelain')).toBe('');
  });

  test('in a confinement that is tried at its first use while the agents still discuss', async () => {
    const { propose } = calmVendor;
    const alpha = { propose: { ...propose, waits_for: ['tried', 'yes'] } };
    const rig = await proofRig({ beta: both, alpha });
    const bin = join(rig.home, 'bin');
    mkdirSync(bin);
    const tried = `#!/bin/sh\ncase "$*" in *try.mjs*) echo yes > '${rig.home}/tried' ;; esac\nexec ${findProgram('bwrap', process.env['PATH'])} "$@"\n`;
    writeFileSync(join(bin, 'bwrap'), tried, { mode: 0o755 });
    rig.environment['PATH'] = `${bin}:${process.env['PATH']}`;
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
    expect(setOf(rig).proofs.map(({ state }) => state)).toEqual(['fails', 'holds']);
  });

  test('by the next that does not work if the first fails, and by the executor’s own vendor at last, told so', async () => {
    const silent = { proof: { exit: 1 } };
    const rig = await proofRig({ beta: silent, gamma: silent, alpha: both });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(setOf(rig)).toMatchObject({ author: 'alpha' });
    expect(stdout).toContain('The tests are by alpha, who is to do the work');
    for (const name of ['beta', 'gamma']) expect(calls(rig, name, 'proof')).toBeGreaterThan(0);
  });

  test('what does not come out as foretold goes back once, and what shows nothing is dropped and told', async () => {
    const held = markGuard({ id: 'P2', expect_today: 'fails' });
    const absent = jsonProof({ id: 'P3', argv: ['no-such-runner-anywhere'] });
    const there = jsonProof({ id: 'P4', path: 'src/store.js' });
    const loud = markGuard({
      id: 'P5',
      content: `console.log('The telling line.\\n' + 'x'.repeat(6000));\nthrow new Error('no');\n`,
      argv: ['node', 'test/mark-p5.test.js'],
    });
    const rig = await proofRig({
      beta: {
        proof: proves([jsonProof(), held, absent, there, loud]),
        'proof-1-repair': proves([absent, jsonProof({ id: 'P6', path: 'test/json-p1.test.js' })]),
      },
      alpha: { plan: planProving('P1', 'P5') },
    });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(calls(rig, 'beta', 'proof')).toBe(2);
    const back = read(rig, 'proof/1/mend-proof/beta/prompt.md');
    expect(back).toContain('P2: it passes today, although it was to fail');
    expect(back).toContain('P3: it cannot run at the base');
    expect(back).toContain('P4: it cannot run at the base: src/store.js exists already');
    expect(back).toContain('P5: it fails today, although it was to hold');
    expect(back).toContain('The telling line.\n');
    expect(back).toContain('"today":"fails","why":"AssertionError');
    expect(setOf(rig).proofs.map(({ id, state }) => [id, state])).toEqual([
      ['P1', 'fails'],
      ['P2', 'holds'],
      ['P5', 'fails'],
    ]);
    expect(setOf(rig).dropped.map(({ id, why }) => `${id} ${why}`)).toEqual([
      expect.stringMatching(/^P3 /),
      expect.stringMatching(/^P4 /),
      'P6 test/json-p1.test.js is the file of P1, too',
    ]);
    expect(stdout).toMatch(/P4 .* · dropped: src\/store\.js exists already/);
    expect(rig.read('src/store.js')).not.toContain('prints an array');
  });

  test('their author does not see the tasks of the solution, and is asked for the least that the words demand', async () => {
    const rig = await proofRig({ beta: { proof: proves([jsonProof()]) } });
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
    const author = read(rig, 'proof/1/proof/beta/prompt.md');
    expect(author).not.toContain('todo list --json prints an array');
    expect(author).toContain('the least that anybody who fulfils that sentence must do');
    for (const file of ['planning/1/alpha/prompt.md', 'proof/1/proof/beta/prompt.md'])
      expect(read(rig, file)).toContain('a different right implementation');
  });

  test('their author is told where runners stand, and what a set-up is there for', async () => {
    const more = 'code_before_approval = "on"\n[execution]\nsetup = ["node", "build.mjs"]\n';
    const rig = await proofRig({ beta: both }, more);
    rig.write('.git/info/exclude', 'node_modules\nlib\ndist\n.env\n');
    rig.write('build.mjs', `import { mkdirSync } from 'node:fs';\nmkdirSync('dist');\n`);
    for (const path of ['node_modules/.bin/run', 'lib/a.js', 'dist/a.js', '.env'])
      rig.write(path, 'x');
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
    const author = read(rig, 'proof/1/proof/beta/prompt.md');
    expect(author).toContain(
      '"copy":{"installed":["node_modules/.bin"],"set_up":"node build.mjs"}',
    );
    for (const words of ['what one `lacks` is not installed here', 'You do not run it'])
      expect(author).toContain(words);
  });

  test('nobody is paid for them where the set-up fails, which one line says', async () => {
    const more = 'code_before_approval = "on"\n[execution]\nsetup = ["node", "nowhere.mjs"]\n';
    const rig = await proofRig({ beta: both, alpha: { plan: planProving() } }, more);
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(stdout).toMatch(
      /^proof +no proof: the set-up "node nowhere.mjs" failed: exit code 1: .*Cannot find module .*nowhere\.mjs/m,
    );
    expect([code, calls(rig, 'beta', 'proof'), stdout.match(/no proof/g)?.length]).toEqual([
      0, 0, 1,
    ]);
  });

  test('a proof that no task takes blocks the plan until a person drops it, and its file is nobody’s to name', async () => {
    const [first, ...others] = planProving().answer.tasks;
    const files = [{ path: 'test/mark-p2.test.js', action: 'create', change: 'Write it.' }];
    const touching = { ...planProving().answer, tasks: [{ ...first, files }, ...others] };
    const rig = await proofRig({ beta: both, alpha: { plan: { answer: touching } } });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(6);
    expect(stdout).toContain('P1 fails today, and no task turns it green');
    expect(stdout).toContain('names test/mark-p2.test.js, the file of P2, which nobody may change');
    const own = 'TASK-001.files=[{"path":"src/commands/list.js","action":"modify"}]';
    const drop = 'P1.dropped=It asks for too much.';
    expect((await rig.conclave('review', '--set', drop, '--set', own)).code).toBe(0);
    expect(rig.json('plan.json')).toMatchObject({
      proofs: [{ id: 'P2' }],
      dropped_proofs: [{ id: 'P1', why: 'It asks for too much.' }],
    });
    expect(read(rig, 'plan.md')).toContain('dropped: It asks for too much');
    expect((await rig.conclave('validate')).stdout).not.toContain('no task turns it green');
  });

  test('nobody is asked with --no-proof, and without a yes it says why in one line', async () => {
    const off = await proofRig({ beta: both });
    const without = await off.conclave('plan', '--auto-yes', '--no-proof', todoTask);
    expect(without.stdout).not.toMatch(/proof/i);
    const rig = await proofRig({ beta: both }, 'code_before_approval = "ask"');
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^proof +no proof: nobody has allowed code before the approval/m);
    expect(stdout.match(/no proof/g)).toHaveLength(1);
    for (const one of [off, rig]) expect(calls(one, 'beta', 'proof')).toBe(0);
    for (const one of [off, rig]) expect(one.json('plan.json')).not.toHaveProperty('proofs');
  });
});

test('all prompts up to the approval have at most 1.35 times the characters of a session without a proof', async () => {
  const four = ['P1', 'P2', 'P3', 'P4'].map((id) => jsonProof({ id }));
  const scripts = {
    alpha: { plan: planProving('P1', 'P2', 'P3', 'P4') },
    beta: { proof: proves(four) },
  };
  const totals = await Promise.all(
    [[], ['--no-proof']].map(async (flags) => {
      const rig = await proofRig(scripts);
      expect((await rig.conclave('plan', '--auto-yes', ...flags, todoTask)).code).toBe(0);
      const files = Object.entries(rig.contents(rig.session().slice(rig.repo.length + 1)));
      const prompts = files.filter(([path]) => path.endsWith('prompt.md'));
      return prompts.reduce((sum, [, text]) => sum + text.length, 0);
    }),
  );
  const [withProof = 0, without = 0] = totals;
  console.log(`${withProof} characters with a proof, ${without} without`);
  expect(withProof / without).toBeLessThanOrEqual(1.35);
});

const withMissingSetup = (path: string) => [
  'node',
  '--import',
  './missing-setup.js',
  '--test',
  path,
];

test('where nothing runs at the base, no proof counts, each is told with its reason, and the plan is made without', async () => {
  const broken = [
    jsonProof({ argv: withMissingSetup('test/json-p1.test.js') }),
    markGuard({ argv: withMissingSetup('test/mark-p2.test.js') }),
  ];
  const rig = await proofRig({
    beta: { proof: proves(broken), 'proof-1-repair': proves(broken) },
    alpha: { plan: planProving() },
  });
  const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(code).toBe(0);
  expect(stdout).toMatch(/P1 .* · dropped: .*missing-setup/);
  expect(stdout).toMatch(/P2 .* · dropped: /);
  expect(rig.json('plan.json')).toMatchObject({ proofs: [] });
  expect(rig.json('approval.json')).toMatchObject({ approved_by: 'auto' });
});

test('a budget that ends in the phase leaves the decision saved, and the rest is done once there is more', async () => {
  const late = proves([jsonProof(), markGuard({ expect_today: 'fails' })]);
  const rig = await proofRig({
    beta: {
      proof: { ...late, usd: 9 },
      'proof-1-repair': proves([markGuard()]),
    },
  });
  const { code, stderr } = await rig.conclave('plan', '--auto-yes', '--budget-usd', '5', todoTask);
  expect([code, stderr]).toEqual([8, expect.stringContaining('every answer so far is saved')]);
  expect(rig.json('session-state.json')).toMatchObject({ phase: 'proof' });
  const again = await rig.conclave('resume', '--auto-yes', '--budget-usd', '50');
  expect([again.code, calls(rig, 'beta', 'proof')]).toEqual([0, 2]);
  expect(setOf(rig).proofs).toHaveLength(2);
});

test('planning again for changed files runs no proof again that did not change', async () => {
  const rig = await proofRig({ beta: both });
  expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
  const before = read(rig, 'proof/checks.jsonl');
  rig.write('src/commands/list.js', `// changed\n${rig.read('src/commands/list.js')}`);
  const { code, stdout } = await rig.conclave('execute', '-y', '--replan');
  expect([code, stdout]).toEqual([0, expect.stringContaining('version 2')]);
  expect([read(rig, 'proof/checks.jsonl'), calls(rig, 'beta', 'proof')]).toEqual([before, 1]);
  expect(rig.json('plan.json')).toMatchObject({ proofs: [{ id: 'P1' }, { id: 'P2' }] });
});

describe('the planner sends a proof back once', () => {
  const sends = {
    ...planProving().answer,
    proofs_back: [{ id: 'P1', why: 'It asks for an array.' }],
  };

  test('its author answers, the new one runs, and the plan is made with it', async () => {
    const mended = jsonProof({ sentence: 'list --json prints the todos.' });
    const rig = await proofRig({
      beta: { ...both, 'proof-1-repair': proves([mended]) },
      alpha: { plan: { answer: { ...sends, tasks: planProving('P1').answer.tasks } } },
    });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect([code, calls(rig, 'beta', 'proof'), calls(rig, 'alpha', 'plan')]).toEqual([0, 2, 2]);
    const back = read(rig, 'proof/1/revision-2/beta/prompt.md');
    expect(back).toContain('P1: the planner says: It asks for an array.');
    expect(stdout).toContain('P1 list --json prints the todos · fails today');
    expect(rig.json('plan.json')).toMatchObject({ proofs: [{ sentence: mended.sentence }, {}] });
    expect(read(rig, 'planning/1/revision-2/alpha/prompt.md')).toContain('It asks for an array');
    // Readers see the plan that was made with it.
    const readers = ['beta', 'gamma'].map((name) => calls(rig, name, 'plan-review'));
    expect(readers.reduce((sum, many) => sum + many, 0)).toBe(1);
    expect(rig.json('approval.json')).toMatchObject({ approved_by: 'auto' });
  });

  test('and takes over what its author stands by', async () => {
    const rig = await proofRig({
      beta: { ...both, 'proof-1-repair': proves([]) },
      alpha: { plan: { answer: { ...sends, tasks: planProving('P1').answer.tasks } } },
    });
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
    expect([calls(rig, 'beta', 'proof'), calls(rig, 'alpha', 'plan')]).toEqual([2, 2]);
    expect(rig.json('plan.json')).toMatchObject({ proofs: [{ id: 'P1' }, { id: 'P2' }] });
  });
});

describe('a person reviews the proofs with the plan', () => {
  test('a file edited by hand runs at the base and gets a new hash before the approval, which was void', async () => {
    const rig = await proofRig({ beta: both });
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
    const before = rig.json('plan.json');
    const file = join(rig.session(), 'proof/tests/test/mark-p2.test.js.txt');
    writeFileSync(file, markGuard().content.replace("'x milk'", "'✓ milk'"));
    expect((await rig.conclave('validate')).stdout).toContain(
      'P2 was changed and has not run since',
    );
    const { code, stdout, stderr } = await rig.conclave('review', '--approve');
    expect([code, stderr]).toEqual([6, expect.stringContaining('is not the one that was shown')]);
    expect(stdout).toContain('P2 Without the flag, what is done has a mark · fails today');
    expect(rig.json('plan.json')).not.toEqual(before);
    expect(rig.json('plan.json')).toMatchObject({
      proofs: [{ id: 'P1' }, { id: 'P2', state: 'fails', author: 'user' }],
    });
    const taken = await rig.conclave('review', '--set', 'TASK-001.proves=["P1","P2"]', '--approve');
    expect(taken.code).toBe(0);
    expect((await rig.conclave('validate')).stdout).not.toContain('not the one that was approved');
  });

  test('a file edited by hand that cannot run stays as it is while its author mends another one', async () => {
    const mended = jsonProof({ sentence: 'list --json prints an array of objects.' });
    const rig = await proofRig({ beta: { ...both, 'proof-1-repair': proves([mended]) } });
    expect((await rig.conclave('plan', ...leavingFlags, todoTask)).code).toBe(0);
    const edited = `${markGuard().content}\ntest('not finished', () => {`;
    writeFileSync(join(rig.session(), 'proof/tests/test/mark-p2.test.js.txt'), edited);
    await rig.conclave('review', '--comment', 'P1: ask for objects');
    expect(rig.json('plan.json')).toMatchObject({ proofs: [{ sentence: mended.sentence }, {}] });
    expect(read(rig, 'proof/tests/test/mark-p2.test.js.txt')).toBe(edited);
    expect((await rig.conclave('validate')).stdout).toContain(
      'P2 was changed and has not run since',
    );
  });

  test('comments on a proof go to its author, and the planner gets them with all others', async () => {
    const mended = jsonProof({ sentence: 'list --json prints an array of objects.' });
    const rig = await proofRig({
      beta: { ...both, 'proof-1-repair': proves([mended]) },
    });
    expect((await rig.conclave('plan', ...leavingFlags, todoTask)).code).toBe(0);
    const comments = ['P1: ask for objects', 'TASK-001: keep it short'];
    const flags = comments.flatMap((text) => ['--comment', text]);
    const { code } = await rig.conclave('review', ...flags);
    expect(code).toBe(0);
    expect(calls(rig, 'beta', 'proof')).toBe(2);
    expect(rig.json('plan.json')).toMatchObject({ proofs: [{ sentence: mended.sentence }, {}] });
    const planner = read(rig, 'planning/1/revision-2/alpha/prompt.md');
    expect(planner).toContain('P1: ask for objects');
    expect(planner).toContain('list --json prints an array of objects · fails today');
  });
});
