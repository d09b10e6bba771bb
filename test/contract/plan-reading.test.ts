import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { PlanReading } from '../../src/model/plan-reading.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { realClis } from './real-clis.ts';
import { configureClis, eventsTold, goodAnswer, headOf, nothingFound } from './three-clis.ts';

const names = ['claude', 'codex'] as const;
const fault = 'listTodos gets no arguments, so read the flag from process.argv.';
const right = 'Read --json from the arguments of listTodos.';

let server: ModelServer;
let description = right;
let asked: LoggedRequest[] = [];
beforeAll(async () => {
  server = await startModelServer();
  server.fallback((request) => {
    asked.push(request);
    return answerTo(request);
  });
});
beforeEach(() => {
  asked = [];
});
afterAll(() => server.close());

const [first, ...others] = planAnswer.tasks;
const planOf = (text: string) => ({
  plan: planAnswer.plan,
  tasks: [{ ...first, description: text }, ...others],
});

const structured = (value: object): Reply => ({ kind: 'structured', value });

function answerTo(request: LoggedRequest): Reply {
  const { session, phase } = headOf(request);
  switch (phase) {
    case 'plan':
      return structured({ session, phase: 'planning', ...planOf(description) });
    case 'plan-review':
      return structured({ session, ...readPlan(request.prompt) });
    case 'plan-reply': {
      const [, finding = ''] = /^- (F\d+), /m.exec(dataIn(request.prompt, 'findings')) ?? [];
      const reply = { finding, action: 'fixed', reason: 'TASK-001 reads args.', evidence: [] };
      return structured({ session, phase, replies: [reply], ...planOf(right) });
    }
    case 'propose':
    case 'compare':
    case 'examine':
      return goodAnswer(request);
  }
}

/** The last text of this name that a prompt shows as data. */
function dataIn(prompt: string, name: string): string {
  const texts = prompt.matchAll(new RegExp(`<<<(\\w+) data: ${name}\n([^]*?)\n\\1>>>`, 'g'));
  return [...texts].at(-1)?.[2] ?? '';
}

const Task = z.object({ id: z.string(), description: z.string() });
const Shown = z.object({ tasks: z.array(Task) });
const Decision = z.object({
  evidence: z.array(z.object({ path: z.string(), line: z.int(), quote: z.string() })),
});

/** Knows only the prompt: it holds the description of a task against the evidence of the decision. */
function readPlan(prompt: string): object {
  const { tasks } = Shown.parse(JSON.parse(dataIn(prompt, 'plan')));
  const { evidence } = Decision.parse(JSON.parse(dataIn(prompt, 'decision')));
  // Whichever solution was chosen, its evidence shows that listTodos is given its arguments.
  const shown = evidence.find(({ quote }) => quote.includes('listTodos(args)'));
  const findings = tasks.flatMap(({ id: task, description: text }) => {
    if (shown === undefined || !text.includes('gets no arguments')) return [];
    const problem = 'listTodos is given its arguments.';
    const suggestion = 'Read the flag from args.';
    return [{ severity: 'blocking', task, problem, suggestion, ...shown }];
  });
  return { ...nothingFound, findings };
}

async function planByClis() {
  const rig = await todoRig();
  configureClis(rig, { url: server.url, names });
  const models = names.flatMap((name) => ['--model', `${name}=${realClis[name].model}`]);
  const flags = ['--auto-yes', '--json', '--max-rounds', '2', '--tools', names.join(',')];
  const { code, stdout, stderr } = await rig.conclave('plan', ...flags, ...models, todoTask);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const events = eventsTold(stdout);
  expect(events.filter(({ type }) => type === 'agent.failed')).toEqual([]);
  const phases = asked
    .map((request) => headOf(request).phase)
    .filter((one) => one.startsWith('plan'));
  return { rig, phases, reading: PlanReading.parse(rig.json('plan-reading.json')) };
}

test('a real reader finds the fault that stands in the plan, and its real author fixes it', async () => {
  description = fault;
  const { rig, phases, reading } = await planByClis();
  expect(phases).toEqual(['plan', 'plan-review', 'plan-reply']);
  expect(reading.version).toBe(2);
  expect(reading.findings).toMatchObject([
    {
      task: 'TASK-001',
      severity: 'blocking',
      fate: 'fixed',
      evidence: [{ path: expect.stringMatching(/list|cli/), status: 'verified' }],
    },
  ]);
  expect(rig.json('.task/TASK-001.json')).toMatchObject({ description: right });
  const [author, reader] = ['plan', 'plan-review'].map((phase) =>
    asked.find((request) => headOf(request).phase === phase),
  );
  expect(reader?.dialect).not.toBe(author?.dialect);
  // Our own words begin after those of the CLI, which may say who it is.
  const prompt = reader?.prompt.replace(/^[^]*?(?=conclave question: )/, '') ?? '';
  expect(prompt).not.toMatch(/\b(?:claude|codex)\b/i);
}, 300_000);

test('a real reader finds nothing where there is no fault, and nobody is asked again', async () => {
  description = right;
  const { phases, reading } = await planByClis();
  expect(phases).toEqual(['plan', 'plan-review']);
  expect(reading).toMatchObject({ version: 1, findings: [], unread: '' });
  expect(reading.readers).toHaveLength(1);
}, 300_000);
