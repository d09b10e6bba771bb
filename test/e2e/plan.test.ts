import { describe, expect, test } from 'vitest';
import { ContextPackage } from '../../src/model/context-package.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import { Plan } from '../../src/model/plan.ts';
import { Task } from '../../src/model/task.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from '../helpers/rig.ts';
import { leavingFlags, testRig, todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import {
  configureVendors,
  formatterSolution,
  listSolution,
  stances,
  witnessed,
} from '../helpers/vendors.ts';

const synthesis = (rig: Rig, round: number) =>
  Synthesis.parse(rig.json(`rounds/${round}/synthesis.json`));
const proposing = (...solutions: unknown[]) => ({ answer: { solutions, questions: [] } });
const agreeing = { answer: stances({ A: 'support', B: 'unsure', C: 'unsure' }) };
const planning = { answer: planAnswer };

const claim = (line: number, path: string, quote: string) => ({
  statement: `something about ${path}`,
  path,
  line,
  quote,
});
const claiming = (...claims: ReturnType<typeof claim>[]) => proposing(listSolution({ claims }));

const asker = {
  propose: { answer: { solutions: [listSolution()], questions: ['Pretty or compact JSON?'] } },
  examine: agreeing,
  plan: planning,
};
const asking = { alpha: asker, beta: { ...asker, propose: proposing(formatterSolution()) } };

describe('without any account', () => {
  test('a task becomes an approved plan that names the files it needs', async () => {
    const rig = await todoRig();
    const { code, stdout, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('derived from the solution without a planning agent');
    const plan = Plan.parse(rig.json('plan.json'));
    const tasks = plan.task_ids.map((id) => Task.parse(rig.json(`.task/${id}.json`)));
    const paths = tasks.flatMap((task) => (task.files ?? []).map((file) => file.path));
    expect(paths).toEqual(expect.arrayContaining(['src/commands/list.js', 'test/list.test.js']));
    expect((await rig.conclave('validate')).code).toBe(0);
    expect(await rig.git('status', '--porcelain')).toBe('');
  });

  test('the analysts say what they are, converge on nothing and count as no vendor', async () => {
    const rig = await todoRig();
    await rig.conclave('plan', '--auto-yes', '--tools', 'local', todoTask);
    const { convergence, receipts } = synthesis(rig, 1);
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
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, {
      alpha: vendor,
      beta: { ...vendor, propose: proposing(listSolution({ name: 'JSON in the list command' })) },
      gamma: { ...vendor, propose: proposing(formatterSolution()) },
    });
    const { code, stderr } = await rig.conclave('plan', '--auto-yes', '--json', todoTask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { convergence, receipts } = synthesis(rig, 2);
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
    expect(prompt(1, 'alpha')).not.toContain('formatter');
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
    const claims = synthesis(rig, 1).solutions.flatMap((solution) => solution.claims);
    const verdicts = claims.map(({ agent, status, found_line }) => [agent, status, found_line]);
    expect(verdicts).toHaveLength(3);
    expect(verdicts).toEqual(
      expect.arrayContaining([
        ['alpha', 'failed', null],
        ['beta', 'failed', null],
        ['gamma', 'moved', 11],
      ]),
    );
    const [solution] = synthesis(rig, 1).solutions;
    expect(solution?.feasibility).toBeLessThan(0.9);
  });

  test('one answering vendor never converges, and the result says so', async () => {
    const rig = await todoRig();
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, { alpha: vendor });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('did not converge');
    expect(synthesis(rig, 1).convergence.recommendation).not.toBe('converged');
    const strict = await rig.conclave('plan', '--auto-yes', '--require-convergence', todoTask);
    expect(strict.code).toBe(4);
  });

  test('the planner’s plan is split into files, keeps constraints and carries runnable checks', async () => {
    const rig = await todoRig();
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, { alpha: vendor, beta: vendor });
    await rig.conclave(
      'plan',
      '--auto-yes',
      '--constraint',
      'Keep the text output unchanged',
      todoTask,
    );
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
});

describe('when agents fail', () => {
  test('the seat goes to the next of the chain, and who did not answer is named', async () => {
    const rig = await todoRig();
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, {
      alpha: { else: { stderr: '401 unauthorized: run login', exit: 1 } },
      beta: vendor,
      gamma: { ...vendor, propose: proposing(formatterSolution()) },
    });
    const { code, stdout } = await rig.conclave(
      'plan',
      '--auto-yes',
      '--tools',
      'alpha,beta',
      todoTask,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('takes the seat of alpha');
    const { receipts, unanswered } = synthesis(rig, 1);
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
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, {
      alpha: {
        ...vendor,
        'propose-1': { answer: { solutions: [{ name: 'half' }], questions: [] } },
        'propose-1-repair': proposing(listSolution()),
      },
      beta: vendor,
    });
    const { code } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(synthesis(rig, 1).receipts[0]).toMatchObject({
      agent: 'alpha',
      repaired: true,
      attempts: 2,
    });
  });

  test('an answer for another question is refused with both values and not asked for again', async () => {
    const rig = await todoRig();
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, {
      alpha: {
        ...vendor,
        propose: {
          answer: {
            session: 'MCP-other-2026-01-01-aaaa',
            solutions: [listSolution()],
            questions: [],
          },
        },
      },
      beta: vendor,
    });
    await rig.conclave('plan', '--auto-yes', '--tools', 'alpha,beta', todoTask);
    const wrong = synthesis(rig, 1).unanswered.find(({ agent }) => agent === 'alpha');
    expect(wrong).toMatchObject({ category: 'wrong-answer' });
    expect(wrong?.reason).toContain('MCP-other-2026-01-01-aaaa');
    expect(wrong?.reason).toContain(rig.session().split('/').at(-1) ?? '');
    expect(witnessed(rig, 'alpha').filter((line) => line === 'start propose-1')).toHaveLength(0);
    expect(
      witnessed(rig, 'alpha').filter((line) => line.startsWith('start propose-1 ')),
    ).toHaveLength(1);
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
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, { alpha: vendor });
    expect((await rig.conclave('resume', '--auto-yes')).code).toBe(0);
  });
});

test('used-up rounds without the convergence that was asked for can be resumed to the end', async () => {
  const rig = await todoRig();
  const vendor = { examine: agreeing, plan: planning };
  configureVendors(rig, {
    alpha: { ...vendor, propose: proposing(listSolution()) },
    beta: { ...vendor, propose: proposing(formatterSolution()) },
  });
  const flags = ['--auto-yes', '--require-convergence'];
  const first = await rig.conclave('plan', ...flags, '--max-rounds', '1', todoTask);
  expect(first).toMatchObject({ code: 4, stderr: expect.stringContaining('did not converge') });
  const again = await rig.conclave('resume', ...flags, '--max-rounds', '3');
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const asked = witnessed(rig, 'alpha').filter((line) => line.startsWith('start propose-1 '));
  expect(asked).toHaveLength(1);
});

describe('decisions', () => {
  test('--feedback without a question of the agents asks for more analysis, once', async () => {
    const rig = await todoRig();
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, { alpha: vendor, beta: vendor });
    const feedback = ['--feedback', 'Think of an empty list'];
    const { code, stdout } = await rig.conclave(
      'plan',
      '--auto-yes',
      '--max-rounds',
      '2',
      ...feedback,
      todoTask,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('need more analysis');
    expect(synthesis(rig, 1).convergence.recommendation).toBe('converged');
    expect(synthesis(rig, 2).round).toBe(2);
    expect(rig.json('execution-context.json')).toMatchObject({
      clarificationContext: { feedback: ['Think of an empty list'] },
    });
    const prompt = rig.read(
      `${rig.session().slice(rig.repo.length + 1)}/rounds/2/agents/alpha/prompt.md`,
    );
    expect(prompt).toContain('Think of an empty list');
  });

  test('the agents’ questions are answered by --feedback and the answer reaches the next round', async () => {
    const rig = await todoRig();
    configureVendors(rig, asking);
    const { stdout } = await rig.conclave('plan', '--auto-yes', '--feedback', 'Compact.', todoTask);
    expect(stdout).toContain('Pretty or compact JSON?');
    expect(rig.json('execution-context.json')).toMatchObject({
      clarificationContext: {
        answers: expect.arrayContaining([
          { question: 'Pretty or compact JSON?', answer: 'Compact.' },
        ]),
      },
    });
  });

  test('without an answer the best options are taken, and it is said', async () => {
    const rig = await todoRig();
    configureVendors(rig, asking);
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('going on with the best options');
  });

  test('flags that answer every question need no --auto-yes, and leave the plan unapproved', async () => {
    const rig = await todoRig();
    const flags = ['--solution', '1', '--execution', 'codex', '--review', 'gemini'];
    const { code, stdout } = await rig.conclave('plan', ...flags, todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('approve it with: conclave review');
    const id = rig.session().split('/').at(-1) ?? '';
    const approved = await rig.conclave('resume', id, '--auto-yes');
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(rig.json('execution-context.json')).toMatchObject({
      executionMethod: 'Codex',
      codeReviewTool: 'Gemini Review',
    });
  });

  test('a fork at the decision asks no agent again and leads to another plan', async () => {
    const rig = await todoRig();
    const vendor = { propose: proposing(listSolution(), formatterSolution()), examine: agreeing };
    configureVendors(rig, { alpha: vendor, beta: vendor });
    await rig.conclave('plan', '--auto-yes', todoTask);
    const first = ContextPackage.parse(rig.json('context-package.json'));
    const original = rig.session().split('/').at(-1) ?? '';
    const before = witnessed(rig, 'alpha').filter((line) => /propose|examine/.test(line));
    const forked = await rig.conclave('sessions', 'fork', original, '--json');
    expect(forked).toMatchObject({ code: 0, stderr: '' });
    const { session } = JSON.parse(forked.stdout);
    const again = await rig.conclave('resume', session, '--auto-yes', '--solution', '2');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(witnessed(rig, 'alpha').filter((line) => /propose|examine/.test(line))).toEqual(before);
    const second = ContextPackage.parse(
      JSON.parse(rig.read(`.workflow/.multi-cli-plan/${session}/context-package.json`)),
    );
    expect(second.solution.name).not.toBe(first.solution.name);
    expect((await rig.conclave('validate', session)).code).toBe(0);
  });

  test('a person’s edit of the plan files counts, and a bad one ends with 6 until it is mended', async () => {
    const rig = await todoRig();
    await rig.conclave('plan', ...leavingFlags, todoTask);
    const id = rig.session().split('/').at(-1) ?? '';
    const file = `.workflow/.multi-cli-plan/${id}/.task/TASK-001.json`;
    const task = Task.parse(JSON.parse(rig.read(file)));
    rig.write(file, JSON.stringify({ ...task, depends_on: ['TASK-777'] }));
    const broken = await rig.conclave('resume', id, '--auto-yes');
    expect(broken.code).toBe(6);
    expect(broken.stderr).toContain('TASK-777');
    rig.write(file, JSON.stringify({ ...task, title: 'My own title' }));
    expect((await rig.conclave('resume', id, '--auto-yes')).code).toBe(0);
    expect(JSON.parse(rig.read(file)).title).toBe('My own title');
  });

  test('resuming a finished session asks nobody and changes no byte', async () => {
    const rig = await todoRig();
    const vendor = { propose: proposing(listSolution()), examine: agreeing, plan: planning };
    configureVendors(rig, { alpha: vendor, beta: vendor });
    await rig.conclave('plan', '--auto-yes', todoTask);
    const id = rig.session().split('/').at(-1) ?? '';
    const look = () => [witnessed(rig, 'alpha'), rig.contents(`.workflow/.multi-cli-plan/${id}`)];
    const before = look();
    const { code, stdout } = await rig.conclave('resume', id, '--auto-yes');
    expect(code).toBe(0);
    expect(stdout).toContain('The plan is approved');
    expect(look()).toEqual(before);
  });
});
