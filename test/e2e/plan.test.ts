import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Plan } from '../../src/model/plan.ts';
import { Task } from '../../src/model/task.ts';
import { agreedRig, calmVendor, proposing, synthesisOf } from '../helpers/planned-rig.ts';
import { short } from '../helpers/short-form.ts';
import { testRig, todoRig } from '../helpers/test-rig.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { todoTask } from '../helpers/todo-project.ts';
import {
  configureVendors,
  formatterSolution,
  listSolution,
  witnessed,
} from '../helpers/vendors.ts';

describe('without any account', () => {
  test(
    'a task becomes a draft that names the files it needs, and --auto-yes leaves it',
    short,
    async () => {
      const rig = await todoRig();
      const { code, stdout, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('The draft is saved but not approved: no model has read the task.');
      expect(stdout).toContain('rule-based, without a planning agent');
      expect(stdout).toMatch(/“Draft: [^”]+” is a rule-based draft, not rated\./);
      expect(stdout).not.toContain('recommend');
      const plan = Plan.parse(rig.json('plan.json'));
      const tasks = plan.task_ids.map((id) => Task.parse(rig.json(`.task/${id}.json`)));
      const paths = tasks.flatMap((task) => (task.files ?? []).map((file) => file.path));
      expect(paths).toEqual(expect.arrayContaining(['src/commands/list.js', 'test/list.test.js']));
      expect((await rig.conclave('validate')).code).toBe(0);
      expect(await rig.git('status', '--porcelain')).toBe('');
    },
  );

  test('a draft that no agent is ready to carry out stays approved, with why', async () => {
    const rig = await todoRig();
    await rig.conclave('plan', '--auto-yes', todoTask);
    const id = basename(rig.session());
    await rig.conclave('review', id, '--approve');
    const { code, stderr } = await rig.conclave('execute', id, '-y');
    expect(code).toBe(3);
    expect(stderr).toContain('No agent with a model is ready to carry the plan out');
    const { stdout } = await rig.conclave('sessions', 'show', id);
    expect(stdout).toMatch(/State +approved\n/);
    expect(stdout).toMatch(/Failure +No agent with a model is ready/);
  });

  test('who seats only the analysts pays no model, neither for the plan nor for a comment on it', async () => {
    const rig = await twoVendors();
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', '--tools', 'local', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('rule-based, without a planning agent');
    expect(stdout).not.toMatch(/alpha|beta/);
    const commented = await rig.conclave('review', '--comment', 'Say more.');
    expect(commented.code).toBe(3);
    expect(commented.stdout).not.toMatch(/alpha|beta/);
    expect(commented.stderr).toContain('--tools');
  });
});

describe('with three vendors', () => {
  test(
    'two rounds converge, the first one blind, the second one under neutral labels',
    short,
    async () => {
      const rig = await todoRig();
      configureVendors(rig, {
        alpha: calmVendor,
        beta: {
          ...calmVendor,
          propose: proposing(listSolution({ name: 'JSON in the list command' })),
        },
        gamma: { ...calmVendor, propose: proposing(formatterSolution()) },
      });
      const { code, stderr } = await rig.conclave('plan', '--auto-yes', '--json', todoTask);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { convergence, receipts } = synthesisOf(rig, 2);
      expect(convergence).toMatchObject({
        recommendation: 'converged',
        vendors: ['vendor-alpha', 'vendor-beta', 'vendor-gamma'],
      });
      expect(receipts.map(({ agent, model }) => [agent, model])).toEqual([
        ['alpha', 'alpha-model'],
        ['beta', 'beta-model'],
        ['gamma', 'gamma-model'],
      ]);
      const prompt = (round: number, agent: string) =>
        rig.read(
          `${rig.session().slice(rig.repo.length + 1)}/rounds/${round}/agents/${agent}/prompt.md`,
        );
      expect(prompt(1, 'alpha')).not.toContain('formatter module');
      expect(prompt(2, 'alpha')).toContain('Solution B');
      expect(prompt(2, 'alpha')).not.toMatch(/\b(beta|gamma)\b/);
    },
  );

  test('is made whole again by resume where what it hands over was damaged', async () => {
    const rig = await agreedRig();
    const path = join(rig.session(), 'execution-context.json');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, '{');
    expect((await rig.conclave('resume', basename(rig.session()), '--auto-yes')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect((await rig.conclave('validate')).code).toBe(0);
  });
});

test('where another model answers than was asked for, lines, JSON and receipt say so', async () => {
  const rig = await todoRig();
  configureVendors(rig, { alpha: { ...calmVendor, answering: 'small-1' }, beta: calmVendor });
  const plan = (...flags: string[]) =>
    rig.conclave('plan', '--auto-yes', '--model', 'alpha=large-1', ...flags, todoTask);
  const text = 'alpha was asked for the model large-1, and small-1 answered.';
  expect((await plan()).stdout).toContain(text);
  expect((await plan('--json')).stdout).toContain(`"warning.raised","text":"${text}"`);
  const [receipt] = synthesisOf(rig, 1).receipts;
  expect(receipt).toMatchObject({ model: 'small-1', asked_model: 'large-1' });
});

describe('when agents fail', () => {
  test(
    'an invalid answer is repaired once, and one for another question refused with both values',
    short,
    async () => {
      const rig = await todoRig();
      const other = { session: 'MCP-other-2026-01-01-aaaa', solutions: [listSolution()] };
      configureVendors(rig, {
        alpha: {
          ...calmVendor,
          'propose-1': { answer: { solutions: [{ name: 'half' }], questions: [] } },
          'propose-1-repair': proposing(listSolution()),
        },
        beta: calmVendor,
        gamma: { ...calmVendor, propose: { answer: { ...other, questions: [] } } },
      });
      const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^ +alpha +asked again: a part of its answer was missing or could not be used$/m,
      );
      const { receipts, unanswered } = synthesisOf(rig, 1);
      expect(receipts[0]).toMatchObject({ agent: 'alpha', repaired: true, attempts: 2 });
      expect(unanswered).toMatchObject([{ agent: 'gamma', category: 'wrong-answer' }]);
      expect(unanswered[0]?.reason).toContain('MCP-other-2026-01-01-aaaa');
      expect(unanswered[0]?.reason).toContain(basename(rig.session()));
      const asked = witnessed(rig, 'gamma').filter((line) => line.startsWith('start propose-1 '));
      // Asked once more, it would answer the same.
      expect(asked).toHaveLength(1);
    },
  );

  test(
    'nobody answering ends with 3, tells of who is installed first, and can be resumed',
    short,
    async () => {
      const rig = await todoRig();
      const broke = { else: { stderr: 'Credit balance is too low', exit: 1 } };
      configureVendors(rig, { absent: {}, present: broke });
      const missing = rig.configured().replace(/(\[agents\.absent\]\npath = ).*/, '$1"none"');
      const analysts = ['structure', 'history'].map(
        (name) => `[agents.${name}]\nenabled = false\n`,
      );
      rig.config(`${missing}\n${analysts.join('')}`);
      const failed = await rig.conclave('plan', '--auto-yes', todoTask);
      expect(failed.code).toBe(3);
      expect(failed.stderr).toMatch(
        /No agent could answer \(present: [^;]*Credit balance is too low; absent/,
      );
      configureVendors(rig, { alpha: calmVendor });
      expect((await rig.conclave('resume', '--auto-yes')).code).toBe(0);
    },
  );
});

const root = new URL('../..', import.meta.url).pathname;
const [sample = ''] = globSync(join(root, '.workflow/.multi-cli-plan/MCP-*'));
const id = basename(sample);
const gitSays = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();

test('the sample session, recorded from a real run, replays to its end without asking anybody', async () => {
  const rig = testRig();
  const folder = `.workflow/.multi-cli-plan/${id}`;
  cpSync(sample, join(rig.repo, folder), { recursive: true });
  chmodSync(join(rig.repo, folder), 0o700);
  // It began at a commit of this repository, whose objects are lent.
  await rig.git('init', '--quiet');
  const objects = resolve(root, gitSays('rev-parse', '--git-path', 'objects'));
  rig.write('.git/objects/info/alternates', `${objects}\n`);
  // It has the seals of a key that nobody keeps.
  expect((await rig.conclave('resume', id, '--auto-yes')).code).toBe(9);
  expect((await rig.conclave('sessions', 'trust', id, '-y')).code).toBe(0);
  expect((await rig.conclave('resume', id, '--auto-yes')).code).toBe(0);
  const before = rig.contents(folder);
  const { code, stdout, stderr } = await rig.conclave('resume', id, '--auto-yes', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === 'step.finished').length).toBeGreaterThan(20);
  expect(events.every(({ replayed }) => replayed)).toBe(true);
  expect(events.flatMap(({ type, seats }) => (type === 'round.started' ? [seats] : []))).toEqual([
    ['script-one', 'script-two'],
    ['script-one', 'script-two'],
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'session.finished', end: 'done', approved: true });
  const after = rig.contents(folder);
  for (const [path, text] of Object.entries(before)) expect(after[path]).toBe(text);
  expect((await rig.conclave('validate', id)).code).toBe(0);
});
