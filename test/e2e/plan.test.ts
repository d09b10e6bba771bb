import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Plan } from '../../src/model/plan.ts';
import { Task } from '../../src/model/task.ts';
import {
  agreedRig,
  agreeing,
  calmVendor,
  proposing,
  synthesisOf,
  analysedRig,
} from '../helpers/planned-rig.ts';
import { testRig, todoRig } from '../helpers/test-rig.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { todoTask } from '../helpers/todo-project.ts';
import {
  configureVendors,
  formatterSolution,
  listSolution,
  witnessed,
} from '../helpers/vendors.ts';

const claim = (line: number, path: string, quote: string) => ({
  statement: `something about ${path}`,
  path,
  line,
  quote,
});
const claiming = (...claims: ReturnType<typeof claim>[]) => proposing(listSolution({ claims }));

describe('without any account', () => {
  test('a task becomes a draft that names the files it needs, and --auto-yes leaves it', async () => {
    const rig = await todoRig();
    const { code, stdout, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('The draft is saved but not approved: no model has read the task.');
    expect(stdout).toContain('made by rules, without a planning agent');
    const plan = Plan.parse(rig.json('plan.json'));
    const tasks = plan.task_ids.map((id) => Task.parse(rig.json(`.task/${id}.json`)));
    const paths = tasks.flatMap((task) => (task.files ?? []).map((file) => file.path));
    expect(paths).toEqual(expect.arrayContaining(['src/commands/list.js', 'test/list.test.js']));
    expect((await rig.conclave('validate')).code).toBe(0);
    expect(await rig.git('status', '--porcelain')).toBe('');
  });

  test('who seats only the analysts pays no model for the plan, but for a comment on it', async () => {
    const rig = await twoVendors();
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', '--tools', 'local', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('made by rules, without a planning agent');
    expect(stdout).not.toMatch(/alpha|beta/);
    const commented = await rig.conclave('review', '--comment', 'Say more.');
    expect(commented.stdout).toMatch(/alpha|beta/);
  });

  test('the analysts say what they are, converge on nothing and count as no vendor', async () => {
    const rig = await analysedRig('--auto-yes');
    const { convergence, receipts } = synthesisOf(rig, 1);
    expect(convergence).toMatchObject({ vendors: [] });
    expect(convergence.recommendation).not.toBe('converged');
    expect(receipts.map(({ vendor, model }) => ({ vendor, model }))).toEqual([
      { vendor: null, model: null },
      { vendor: null, model: null },
    ]);
  });

  test('a repository without git works too', async () => {
    const rig = testRig();
    rig.write('src/list.js', 'export function listTodos(args) {\n  return args;\n}\n');
    const { code } = await rig.conclave('plan', '--auto-yes', 'Let listTodos print JSON');
    expect(code).toBe(0);
    expect(rig.json('codebase-context.json')).toMatchObject({ base: { commit: null } });
  });
});

describe('with three vendors', () => {
  test('two rounds converge, the first one blind, the second one under neutral labels', async () => {
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
  });

  test('a wrong line and a wrong file fail, a moved line is found, and failed ones do not count', async () => {
    const rig = await todoRig();
    const examine = agreeing;
    configureVendors(rig, {
      alpha: {
        propose: claiming(claim(900, 'src/store.js', 'nothing like this')),
        examine,
      },
      beta: { propose: claiming(claim(3, 'src/absent.js', 'const file =')), examine },
      gamma: {
        propose: claiming(claim(1, 'src/commands/list.js', 'export function formatTodo(todo) {')),
        examine,
      },
    });
    await rig.conclave('plan', '--auto-yes', todoTask);
    const claims = synthesisOf(rig, 1).solutions.flatMap((solution) => solution.claims);
    const verdicts = claims.map(({ agent, status, found_line }) => [agent, status, found_line]);
    expect(verdicts).toHaveLength(3);
    expect(verdicts).toEqual(
      expect.arrayContaining([
        ['alpha', 'failed', null],
        ['beta', 'failed', null],
        ['gamma', 'moved', 11],
      ]),
    );
    const [solution] = synthesisOf(rig, 1).solutions;
    expect(solution?.feasibility).toBeLessThan(0.9);
  });

  test('one answering vendor never converges, and the result says so', async () => {
    const rig = await todoRig();
    configureVendors(rig, { alpha: calmVendor });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('did not converge');
    expect(synthesisOf(rig, 1).convergence.recommendation).not.toBe('converged');
    const strict = await rig.conclave('plan', '--auto-yes', '--require-convergence', todoTask);
    expect(strict.code).toBe(4);
  });

  test('the planner’s plan is split into files, keeps constraints and carries runnable checks', async () => {
    const rig = await agreedRig();
    const plan = Plan.parse(rig.json('plan.json'));
    expect(plan).toMatchObject({
      task_ids: ['TASK-001', 'TASK-003', 'TASK-002'],
      task_count: 3,
      constraints: ['Keep the text output unchanged'],
      execution_flow: expect.stringContaining('→'),
    });
    expect(rig.json('execution-context.json')).toMatchObject({
      executionMethod: 'Agent',
      codeReviewTool: 'Skip',
      userConstraints: ['Keep the text output unchanged'],
      session: { artifacts: { synthesis_rounds: expect.arrayContaining([expect.any(String)]) } },
    });
  });

  test('is made whole again by resume where what it hands over was damaged', async () => {
    const rig = await agreedRig();
    const path = join(rig.session(), 'execution-context.json');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, '{');
    expect((await rig.conclave('validate')).code).toBe(6);
    expect((await rig.conclave('resume', basename(rig.session()), '--auto-yes')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect((await rig.conclave('validate')).code).toBe(0);
  });
});

describe('when agents fail', () => {
  test('the seat goes to the next of the chain, and who did not answer is named', async () => {
    const rig = await todoRig();
    configureVendors(rig, {
      alpha: { else: { stderr: '401 unauthorized: run login', exit: 1 } },
      beta: calmVendor,
      gamma: { ...calmVendor, propose: proposing(formatterSolution()) },
    });
    const { code, stdout } = await rig.conclave(
      'plan',
      '--auto-yes',
      '--tools',
      'alpha,beta',
      todoTask,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('replaces alpha');
    const { receipts, unanswered } = synthesisOf(rig, 1);
    expect(receipts.map(({ agent, fallback_for }) => [agent, fallback_for])).toEqual([
      ['gamma', 'alpha'],
      ['beta', null],
    ]);
    expect(unanswered).toMatchObject([{ agent: 'alpha', category: 'not-logged-in' }]);
    expect(witnessed(rig, 'alpha').filter((line) => line.startsWith('start propose'))).toHaveLength(
      1,
    );
  });

  test('an invalid answer is repaired once, with the errors quoted', async () => {
    const rig = await todoRig();
    configureVendors(rig, {
      alpha: {
        ...calmVendor,
        'propose-1': { answer: { solutions: [{ name: 'half' }], questions: [] } },
        'propose-1-repair': proposing(listSolution()),
      },
      beta: calmVendor,
    });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout.match(/^ +alpha +asked again.*$/gm)?.map((row) => row.trim())).toEqual([
      'alpha      asked again: its answer was not valid',
    ]);
    expect(synthesisOf(rig, 1).receipts[0]).toMatchObject({
      agent: 'alpha',
      repaired: true,
      attempts: 2,
    });
  });

  test('an answer for another question is refused with both values, and asked for once more', async () => {
    const rig = await todoRig();
    configureVendors(rig, {
      alpha: {
        ...calmVendor,
        propose: {
          answer: {
            session: 'MCP-other-2026-01-01-aaaa',
            solutions: [listSolution()],
            questions: [],
          },
        },
      },
      beta: calmVendor,
    });
    await rig.conclave('plan', '--auto-yes', '--tools', 'alpha,beta', todoTask);
    const wrong = synthesisOf(rig, 1).unanswered.find(({ agent }) => agent === 'alpha');
    expect(wrong).toMatchObject({ category: 'wrong-answer' });
    expect(wrong?.reason).toContain('MCP-other-2026-01-01-aaaa');
    expect(wrong?.reason).toContain(rig.session().split('/').at(-1) ?? '');
    expect(witnessed(rig, 'alpha').filter((line) => line === 'start propose-1')).toHaveLength(0);
    expect(
      witnessed(rig, 'alpha').filter((line) => line.startsWith('start propose-1 ')),
    ).toHaveLength(2);
  });

  test('where all fail, the one that is installed is told of first', async () => {
    const rig = await todoRig();
    const broke = { else: { stderr: 'Credit balance is too low', exit: 1 } };
    configureVendors(rig, { absent: {}, gone: {}, present: broke });
    const missing = rig
      .configured()
      .replaceAll(/(\[agents\.(?:absent|gone)\]\npath = ).*/g, '$1"none"');
    rig.config(
      `${missing}\n[agents.structure]\nenabled = false\n[agents.history]\nenabled = false\n`,
    );
    const { code, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /No agent could answer \(present: [^;]*Credit balance is too low; absent/,
    );
  });

  test('nobody answering ends with 3 and can be resumed when somebody can', async () => {
    const rig = await todoRig();
    configureVendors(rig, { alpha: { else: { stderr: 'connect ECONNREFUSED', exit: 1 } } });
    rig.config(
      rig
        .configured()
        .replace(
          '[workflow]',
          '[agents.structure]\nenabled = false\n[agents.history]\nenabled = false\n[workflow]',
        ),
    );
    const failed = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain('No agent could answer (alpha');
    configureVendors(rig, { alpha: calmVendor });
    expect((await rig.conclave('resume', '--auto-yes')).code).toBe(0);
  });
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
