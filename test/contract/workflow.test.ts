import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ContextPackage } from '../../src/model/context-package.ts';
import { Plan } from '../../src/model/plan.ts';
import type { Receipt } from '../../src/model/receipt.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import { Task } from '../../src/model/task.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { isFull, isShort } from './extent.ts';
import { clis } from './install.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { cliNames, realClis, testKey } from './real-clis.ts';
import {
  configureClis,
  eventsTold,
  goodAnswer,
  headOf,
  labelsIn,
  seated,
  seatsWith,
} from './three-clis.ts';

let server: ModelServer;
// A test that is tried again counts its own requests.
beforeEach(async () => {
  server = await startModelServer();
  server.fallback(goodAnswer);
});
afterEach(() => server.close());

test('a task is planned by the real CLIs in two rounds', async () => {
  const rig = await todoRig();
  configureClis(rig, { url: server.url });
  const { code, stdout, stderr } = await rig.conclave(
    'plan',
    '--auto-yes',
    '--json',
    '--max-rounds',
    '2',
    '--tools',
    seated.join(','),
    ...seated.flatMap((name) => ['--model', `${name}=${realClis[name].model}`]),
    todoTask,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const events = eventsTold(stdout);
  expect(events.filter(({ type }) => type === 'agent.failed')).toEqual([]);
  expect(events.filter(({ type }) => type === 'tree.changed')).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'session.finished', end: 'done', approved: true });

  const rounds = [1, 2].map((round) => Synthesis.parse(rig.json(`rounds/${round}/synthesis.json`)));
  for (const { receipts } of rounds) {
    expect(receipts.map(told)).toEqual(
      seated.map((name) => ({
        agent: name,
        version: realClis[name].version,
        vendor: realClis[name].vendor,
        model: realClis[name].model,
        tokens: {
          input: expect.any(Number),
          output: expect.any(Number),
          cached: expect.any(Number),
        },
        fallback_for: null,
        failure: null,
        unknown_events: 0,
        notes: [],
      })),
    );
    expect(receipts.every(({ tokens }) => (tokens?.input ?? 0) > 0)).toBe(true);
    expect(receipts.every(({ tokens }) => (tokens?.output ?? 0) > 0)).toBe(true);
  }

  // They disagree first, examine all solutions, and then agree on the one that they prefer.
  expect(rounds.map((round) => round.convergence)).toMatchObject([
    { recommendation: 'continue', vendors: ['anthropic', 'google', 'openai'] },
    { recommendation: 'converged', score: 1 },
  ]);
  const preferred = rounds[1]?.solutions[0];
  expect(preferred?.preferred_by).toEqual(seated);
  expect(rounds[1]?.convergence.reasons.join()).toContain(
    `3 of 3 vendors support “${preferred?.name}”; nobody opposes it`,
  );

  // Words alone do not make two the same: those who are asked say it, and all of them.
  const compared = rounds[0]?.compared ?? [];
  expect(compared.map(({ agents, relation }) => [agents.toSorted().join(), relation])).toEqual(
    expect.arrayContaining([
      ['claude,gemini', 'same'],
      ['claude,codex', 'different'],
      ['codex,gemini', 'different'],
    ]),
  );
  // Nobody is left who proposed nothing, so two authors compare all of them.
  const judges = [...new Set(compared.map((pair) => pair.judges.join()))];
  expect(judges).toEqual([expect.stringMatching(/^\w+,\w+$/)]);
  expect(askedOf('compare', 1)).toHaveLength(2);

  const first = askedOf('propose', 1);
  expect(first.map(({ dialect }) => dialect).toSorted()).toEqual(dialects);
  expect(first.filter((request) => labelsIn(request).length > 0)).toEqual([]);

  const second = askedOf('examine', 2);
  expect(second.map(({ dialect }) => dialect).toSorted()).toEqual(dialects);
  const solutions = rounds[0]?.solutions ?? [];
  for (const name of seated) {
    const request = second.find(({ dialect }) => dialect === realClis[name].dialect);
    // Before our own words stand those of the CLI, which may say who it is.
    const prompt = request?.prompt.replace(/^[^]*?(?=conclave question: )/, '') ?? '';
    const others = solutions.filter(({ source_cli }) => source_cli.some((one) => one !== name));
    expect(others.length).toBeGreaterThan(0);
    for (const solution of others) expect(prompt).toContain(solution.name);
    expect(labelsIn({ prompt }).length).toBeGreaterThanOrEqual(others.length);
    expect(prompt).not.toMatch(new RegExp(`\\b(?:${seated.join('|')})\\b`, 'i'));
  }

  // The plan was asked for once, with the chosen solution.
  const planning = server.log.filter((request) => headOf(request).phase === 'plan');
  expect(planning).toHaveLength(1);
  expect(planning[0]?.prompt).toContain(solutions[0]?.name);

  // A part that two vendors adopt reaches the planner, and its plan answers it.
  const { remarks = [] } = ContextPackage.parse(rig.json('context-package.json'));
  const adopted = remarks.find(({ kind }) => kind === 'adopted');
  expect(adopted).toMatchObject({ text: 'A test of each format.', agents: seated });

  const plan = Plan.parse(rig.json('plan.json'));
  expect(plan.design_decisions?.flatMap(({ answers = [] }) => answers)).toContain(adopted?.id);
  expect(plan.task_ids).toHaveLength(planAnswer.tasks.length);
  for (const id of plan.task_ids) Task.parse(rig.json(`.task/${id}.json`));
  expect((await rig.conclave('validate')).code).toBe(0);
  expect(await rig.git('status', '--porcelain')).toBe('');
}, 300_000);

const dialects = seated.map((name) => realClis[name].dialect).toSorted();

const askedOf = (phase: string, round: number): readonly LoggedRequest[] =>
  server.log.filter((request) => {
    const head = headOf(request);
    return head.phase === phase && head.round === round;
  });

const told = (receipt: Receipt) => {
  const { agent, version, vendor, model, tokens } = receipt;
  const { fallback_for, failure, unknown_events } = receipt;
  // On a busy machine a helper of a CLI may need longer to end itself than it is given.
  const notes = receipt.notes.filter(
    (note) => !/^\d+ process(es)? that it left running/.test(note),
  );
  return { agent, version, vendor, model, tokens, fallback_for, failure, unknown_events, notes };
};

const rounds = isFull ? [1, 2] : [1];
const others = cliNames.filter((name) => !seated.some((one) => one === name));

test.skipIf(isShort).each(others)(
  '%s plans beside claude, and the plan is its own',
  async (name) => {
    const rig = await todoRig();
    const names = seatsWith(name);
    configureClis(rig, { url: server.url, names });
    rig.config(`[agent]\ncli = "${name}"\n${rig.configured()}`);
    const most = String(rounds.length);
    const flags = ['--auto-yes', '--json', '--max-rounds', most, '--tools', names.join(',')];
    const chosen = ['--model', `${name}=${realClis[name].model}`];
    const { code, stderr } = await rig.conclave('plan', ...flags, ...chosen, todoTask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const round of rounds) {
      const { receipts } = Synthesis.parse(rig.json(`rounds/${round}/synthesis.json`));
      const { version, vendor, model } = realClis[name];
      expect(receipts.map(told)).toMatchObject([
        { agent: 'claude', failure: null },
        { agent: name, version, vendor, model, failure: null, unknown_events: 0, notes: [] },
      ]);
      expect(receipts.every(({ tokens }) => (tokens?.output ?? 0) > 0)).toBe(true);
    }
    expect(server.log.findLast((one) => headOf(one).phase === 'plan')?.dialect).toBe(
      realClis[name].dialect,
    );
    expect((await rig.conclave('validate')).code).toBe(0);
  },
  120_000,
);

test.skipIf(isShort)(
  'one CLI alone plans too, with the login that stands in its own settings',
  async () => {
    const rig = await todoRig();
    rig.config(`[agents.claude]\npath = ${JSON.stringify(join(clis, 'claude'))}\n`);
    mkdirSync(join(rig.home, '.claude'));
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: testKey };
    writeFileSync(join(rig.home, '.claude/settings.json'), JSON.stringify({ env }));
    const { code, stdout } = await rig.conclave(
      'plan',
      '--auto-yes',
      '--tools',
      'claude',
      todoTask,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('an agreement needs a second one');
    expect(stdout).not.toContain('round 2');
    const { receipts } = Synthesis.parse(rig.json('rounds/1/synthesis.json'));
    expect(receipts.map(told)).toMatchObject([
      { agent: 'claude', vendor: 'anthropic', failure: null, notes: [] },
    ]);
    expect((await rig.conclave('validate')).code).toBe(0);
  },
);
