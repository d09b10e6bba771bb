import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { adapters } from '../../src/agents/list.ts';
import { Event } from '../../src/model/event.ts';
import { Plan } from '../../src/model/plan.ts';
import type { Receipt } from '../../src/model/receipt.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import { Task } from '../../src/model/task.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { formatterSolution, listSolution, stances } from '../helpers/vendors.ts';
import { stubProvider } from './codex-room.ts';
import { clis } from './install.ts';
import type { Dialect, ModelRequest, Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  server.fallback(answer);
});
afterAll(() => server.close());

interface Seat {
  readonly dialect: Dialect['name'];
  readonly vendor: string;
  readonly version: string;
  readonly model: string;
  /** How a user would point it to another provider; returns lines of its section. */
  configure(rig: Rig): string;
}

const seats: Readonly<Record<string, Seat>> = {
  claude: {
    dialect: 'anthropic',
    vendor: 'anthropic',
    version: '2.1.197',
    model: 'claude-opus-4-8',
    configure: () =>
      `env = { ANTHROPIC_BASE_URL = "${server.url}", ANTHROPIC_API_KEY = "test-key" }`,
  },
  codex: {
    dialect: 'openai-responses',
    vendor: 'openai',
    version: '0.169.0',
    model: 'gpt-6.1-sol',
    configure() {
      const { args, env } = stubProvider(`${server.url}/v1`);
      return `args = ${JSON.stringify(args)}\nenv = { STUB_KEY = ${JSON.stringify(env?.['STUB_KEY'])} }`;
    },
  },
  gemini: {
    dialect: 'gemini',
    vendor: 'google',
    version: '0.61.0',
    model: 'gemini-2.5-pro',
    configure(rig) {
      mkdirSync(join(rig.home, '.gemini'));
      writeFileSync(
        join(rig.home, '.gemini/settings.json'),
        '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
      );
      return `env = { GOOGLE_GEMINI_BASE_URL = "${server.url}", GEMINI_API_KEY = "test-key" }`;
    },
  },
};
const names = adapters.map(({ name }) => name).filter((name) => name in seats);

/** What each provider’s model proposes, so that the second round is about something. */
const proposals: Readonly<Record<string, unknown>> = {
  anthropic: listSolution({ name: 'Branch where the todos are listed' }),
  'openai-responses': formatterSolution(),
  gemini: listSolution({ name: 'Print JSON in the list command', risk: 'medium' }),
};

const Head = z.object({ session: z.string(), phase: z.string(), round: z.int() });

function headOf({ prompt }: Pick<ModelRequest, 'prompt'>): z.infer<typeof Head> {
  const [, json = ''] = /^conclave question: (\{.*\})$/m.exec(prompt) ?? [];
  return Head.parse(JSON.parse(json));
}

function labelsIn({ prompt }: Pick<ModelRequest, 'prompt'>): string[] {
  const labels = prompt.matchAll(/\bSolution ([A-Z])\b/g);
  return [...new Set(Array.from(labels, ([, label = '']) => label))].toSorted();
}

const structured = (value: object): Reply => ({ kind: 'structured', value });

function answer(asked: LoggedRequest): Reply {
  const { session, phase, round } = headOf(asked);
  switch (phase) {
    case 'propose':
      return structured({
        session,
        round,
        solutions: [proposals[asked.dialect]],
        questions: [],
      });
    case 'examine': {
      const opinions = labelsIn(asked).map(
        (label, index) => [label, index === 0 ? 'support' : 'unsure'] as const,
      );
      return structured({ session, round, ...stances(Object.fromEntries(opinions)) });
    }
    default:
      return structured({ session, ...planAnswer });
  }
}

function configure(rig: Rig): void {
  const sections = names.map(
    (name) =>
      `[agents.${name}]\npath = ${JSON.stringify(join(clis, name))}\n${seats[name]?.configure(rig)}\n`,
  );
  rig.config(`[workflow]\nfallback_chain = ${JSON.stringify(names)}\n${sections.join('')}`);
}

const askedOf = (phase: string, round: number): readonly LoggedRequest[] =>
  server.log.filter((request) => {
    const head = headOf(request);
    return head.phase === phase && head.round === round;
  });

test('a task is planned by the real CLIs in two rounds', async () => {
  const rig = await todoRig();
  configure(rig);
  const { code, stdout, stderr } = await rig.conclave(
    'plan',
    '--auto-yes',
    '--json',
    '--max-rounds',
    '2',
    '--tools',
    names.join(','),
    ...names.flatMap((name) => ['--model', `${name}=${seats[name]?.model}`]),
    todoTask,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const events = stdout
    .trim()
    .split('\n')
    .map((line) => Event.parse(JSON.parse(line)));
  expect(events.filter(({ type }) => type === 'agent.failed')).toEqual([]);
  expect(events.filter(({ type }) => type === 'tree.changed')).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'session.finished', end: 'done', approved: true });

  for (const round of [1, 2]) {
    const { receipts } = Synthesis.parse(rig.json(`rounds/${round}/synthesis.json`));
    expect(receipts.map(told)).toEqual(
      names.map((name) => ({
        agent: name,
        version: seats[name]?.version,
        vendor: seats[name]?.vendor,
        model: seats[name]?.model,
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
  }

  const plan = Plan.parse(rig.json('plan.json'));
  expect(plan.task_ids).toHaveLength(planAnswer.tasks.length);
  for (const id of plan.task_ids) Task.parse(rig.json(`.task/${id}.json`));
  expect((await rig.conclave('validate')).code).toBe(0);
  expect(await rig.git('status', '--porcelain')).toBe('');
}, 300_000);

const told = ({
  agent,
  version,
  vendor,
  model,
  tokens,
  fallback_for,
  failure,
  unknown_events,
  notes,
}: Receipt) => ({
  agent,
  version,
  vendor,
  model,
  tokens,
  fallback_for,
  failure,
  unknown_events,
  notes,
});

test('the models saw the first round blind and the second one under neutral labels', () => {
  const first = askedOf('propose', 1);
  expect(dialectsOf(first)).toEqual(dialects());
  expect(first.filter((request) => labelsIn(request).length > 0)).toEqual([]);

  const second = askedOf('examine', 2);
  expect(dialectsOf(second)).toEqual(dialects());
  for (const request of second) {
    // Before our own words stand those of the CLI, which may say who it is.
    const prompt = request.prompt.slice(request.prompt.indexOf('conclave question: '));
    expect(prompt).toContain('A formatter module chosen in the command line');
    expect(prompt).not.toMatch(new RegExp(`\\b(?:${names.join('|')})\\b`, 'i'));
  }
});

test('the plan was asked for once, with the chosen solution', () => {
  const asked = server.log.filter((request) => headOf(request).phase === 'plan');
  expect(new Set(asked.map(({ dialect }) => dialect)).size).toBe(1);
  expect(asked[0]?.prompt).toContain('src/commands/list.js');
});

test('one CLI alone plans too, with the login that stands in its own settings', async () => {
  const rig = await todoRig();
  rig.config(`[agents.claude]\npath = ${JSON.stringify(join(clis, 'claude'))}\n`);
  mkdirSync(join(rig.home, '.claude'));
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key' };
  writeFileSync(join(rig.home, '.claude/settings.json'), JSON.stringify({ env }));
  const { code, stdout } = await rig.conclave('plan', '--auto-yes', '--tools', 'claude', todoTask);
  expect(code).toBe(0);
  expect(stdout).toContain('did not converge');
  const { receipts } = Synthesis.parse(rig.json('rounds/1/synthesis.json'));
  expect(receipts.map(told)).toMatchObject([
    { agent: 'claude', vendor: 'anthropic', failure: null, notes: [] },
  ]);
  expect((await rig.conclave('validate')).code).toBe(0);
});

const dialects = () => names.map((name) => seats[name]?.dialect ?? '').toSorted();
const dialectsOf = (requests: readonly LoggedRequest[]) =>
  [...new Set(requests.map(({ dialect }) => dialect))].toSorted();
