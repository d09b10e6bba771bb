import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { Event, type EventOf } from '../../src/model/event.ts';
import type { InputEvent } from '../../src/model/input-event.ts';
import { jsonProof, markGuard, proofRig, proves } from '../helpers/proof-rig.ts';
import { agreeing, planning, proposing } from '../helpers/planned-rig.ts';
import { type Rig, ended, program } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, formatterSolution, listSolution } from '../helpers/vendors.ts';

type Awaited = EventOf<'answer.awaited'>;
/** Lines to send when a question is open; null ends the input. */
type Answering = (asked: Awaited) => readonly (InputEvent | string | null)[];

const question = 'Should the output be pretty or compact? [pretty | compact]';

/** Two vendors with different solutions, the first of which has a question. */
async function askingRig(solution = listSolution()): Promise<Rig> {
  const rig = await todoRig();
  const vendor = { examine: agreeing, plan: planning };
  const asks = { answer: { solutions: [solution], questions: [question] } };
  configureVendors(rig, {
    alpha: { ...vendor, propose: asks },
    beta: { ...vendor, propose: proposing(formatterSolution()) },
  });
  return rig;
}

async function converse(
  rig: Rig,
  answering: Answering,
  args = ['plan', todoTask],
  meanwhile: (event: Event) => readonly InputEvent[] = () => [],
) {
  const child = spawn(process.execPath, [program, ...args, '--json', '--stdin-events'], {
    cwd: rig.repo,
    env: rig.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const events: Event[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = Event.parse(JSON.parse(line));
    events.push(event);
    const lines = event.type === 'answer.awaited' ? answering(event) : meanwhile(event);
    for (const one of lines) {
      if (one === null) child.stdin.end();
      else child.stdin.write(`${typeof one === 'string' ? one : JSON.stringify(one)}\n`);
    }
  });
  const { code, stderr } = await ended(child);
  const of = <Type extends Event['type']>(type: Type) =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  return { code, stderr, events, of };
}

/** What a field of the question offers. */
function valuesOf(asked: Awaited | undefined, field: string): readonly string[] | undefined {
  return asked?.fields.find(({ name }) => name === field)?.choices.map(({ value }) => value);
}

/** Answers the question of the agents, takes the second option, leaves the plan. */
const taking: Answering = ({ id, kind }) => {
  if (kind === 'clarify') return [{ type: 'answer', id, values: { '1': '2' } }];
  if (kind === 'decide')
    return [{ type: 'answer', id, values: { choice: '2', constraints: ['Keep the text output'] } }];
  return [{ type: 'skip', id }];
};

/** Lines that cannot be used. */
function unusable({ id, kind }: Awaited): readonly (InputEvent | string)[] {
  if (kind === 'clarify') {
    return [
      'not json',
      '{"type":"answers"}',
      { type: 'answer', id: 'decide-9', values: { choice: '1' } },
      { type: 'answer', id, values: { '7': 'x' } },
      { type: 'skip', id: 'round-9/propose/alpha' },
    ];
  }
  if (kind !== 'decide') return [];
  return [
    { type: 'answer', id, values: { choice: '3' } },
    { type: 'answer', id, values: {} },
    { type: 'skip', id },
  ];
}

describe('plan --json --stdin-events', () => {
  test('may agree to code before the approval, which --auto-yes never does', async () => {
    const scripts = { beta: { proof: proves([jsonProof(), markGuard()]) } };
    const rig = await proofRig(scripts, 'code_before_approval = "ask"');
    const choices = { decide: '1', choose: 'yes' };
    const { code, of } = await converse(rig, ({ id, kind }) =>
      kind === 'decide' || kind === 'choose'
        ? [{ type: 'answer', id, values: { choice: choices[kind] } }]
        : [{ type: 'skip', id }],
    );
    expect(code).toBe(0);
    const consent = of('answer.awaited').find(({ kind }) => kind === 'choose');
    expect(consent?.lines.join(' ')).toContain('beta writes up to 12 test files');
    expect(of('proof.written')).toMatchObject([{ author: 'beta', proofs: [{ id: 'P1' }, {}] }]);
  });

  test(
    'asks by events with id, agents and choices, and takes answers and skips as lines',
    short,
    async () => {
      const rig = await askingRig();
      const { code, of, events } = await converse(rig, taking);
      expect(code).toBe(0);
      const [clarify, decide, approve] = of('answer.awaited');
      const offers = [{ value: 'pretty' }, { value: 'compact' }];
      expect(clarify).toMatchObject({
        kind: 'clarify',
        fields: [{ name: '1', choices: offers, isOpen: true }],
      });
      expect(clarify?.fields[0]?.asks).toBe(`Question 1 of 1 by alpha: ${question}`);
      expect(of('question.asked')[0]?.asked).toMatchObject([
        { id: '1', text: question, agents: ['alpha'], choices: ['pretty', 'compact'] },
      ]);
      expect(of('question.answered')).toMatchObject([{ skipped: false, by: 'user', answered: 1 }]);
      expect(decide?.kind).toBe('decide');
      expect(valuesOf(decide, 'choice')).toEqual(['1', '2', 'more', 'cancel']);
      expect(approve).toMatchObject({ kind: 'approve' });
      expect(valuesOf(approve, 'choice')).toEqual(
        expect.arrayContaining(['approve', 'comment', 'leave']),
      );
      const [options] = of('options.presented');
      expect(of('decision.made')).toMatchObject([
        {
          kind: 'approve',
          option: { number: 2, name: options?.options[1]?.name },
          constraints: ['Keep the text output'],
          by: 'user',
        },
      ]);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    },
  );

  test('says as fields who can carry the plan out and review it', async () => {
    const { code, of } = await converse(await askingRig(), (asked) =>
      asked.kind === 'approve'
        ? [{ type: 'answer', id: asked.id, values: { choice: 'approve' } }]
        : taking(asked),
    );
    expect(code).toBe(0);
    const execute = of('answer.awaited').at(-1);
    expect(execute?.kind).toBe('execute');
    expect(valuesOf(execute, 'choice')).toEqual(['later', 'now']);
    expect(valuesOf(execute, 'execution')).toEqual(['Agent', 'alpha', 'beta']);
    expect(valuesOf(execute, 'review')).toEqual([
      'Skip',
      'Agent Review',
      'alpha Review',
      'beta Review',
    ]);
  });

  test('gives options with stances and places, and tasks with their titles, as fields', async () => {
    const untrue = {
      statement: 'listTodos sorts',
      path: 'src/commands/list.js',
      line: 4,
      quote: 'todos.sort(byAge)',
    };
    const claims = [...listSolution().claims, untrue];
    const { of } = await converse(await askingRig(listSolution({ claims })), taking);
    const options = of('options.presented')[0]?.options ?? [];
    const [first] = options;
    expect(first?.stances?.map(({ agent, stance }) => [agent, stance])).toContainEqual([
      'beta',
      'support',
    ]);
    expect(first?.places?.[0]).toMatchObject({
      path: expect.any(String),
      status: expect.any(String),
    });
    const { quote: _, ...failed } = untrue;
    const reason = expect.stringContaining('; line 4 is “export function');
    const alphas = options.find(({ source_cli: by }) => by.includes('alpha'));
    expect(alphas?.failed_references).toEqual([{ ...failed, agent: 'alpha', reason }]);
    const [plan] = of('plan.written');
    expect(plan?.task_list?.map(({ id, title }) => `${id} ${title}`)).toEqual(plan?.titles);
    expect(of('session.finished')[0]?.task_list).toEqual(plan?.task_list);
  });

  test(
    'refuses a line that it cannot use, says why, and keeps the question open',
    short,
    async () => {
      const { code, of, stderr } = await converse(await askingRig(), (asked) => [
        ...unusable(asked),
        ...taking(asked),
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(of('input.refused').map(({ line, reason }) => `${line} ${reason}`)).toEqual([
        expect.stringMatching(/^1 This line is not a JSON object; /),
        expect.stringMatching(/^2 .*type.* "conclave schema input-event"/),
        '3 There is no open question "decide-9": the open question is "clarify-1".',
        '4 There is no question "7"; answer one or more of 1.',
        '5 There is no open question or agent at work "round-9/propose/alpha": the open question is "clarify-1".',
        '7 "3" is not a choice here; give one of: 1, 2, more, cancel.',
        '8 There is no "choice"; give one of: 1, 2, more, cancel.',
        '9 decide-2 cannot be skipped; choose an option, or send {"type":"cancel"}.',
      ]);
    },
  );

  test.each([
    ['a cancel', ['{"type":"cancel"}']],
    ['the end of input', [null]],
  ])(
    'is interrupted and saved by %s while a question is open, and goes on by resume',
    async (_, lines) => {
      const rig = await askingRig();
      const first = await converse(rig, (asked) =>
        asked.kind === 'decide' ? lines : taking(asked),
      );
      expect(first.code).toBe(130);
      expect(first.of('session.finished')).toMatchObject([{ end: 'interrupted', exit_code: 130 }]);
      const second = await converse(rig, taking, ['resume']);
      expect(second.code).toBe(0);
      expect(second.of('answer.awaited').map(({ kind }) => kind)).toEqual(['decide', 'approve']);
    },
  );

  test('skips an agent that is at work, by its step', async () => {
    const rig = await todoRig();
    const vendor = { examine: agreeing, plan: planning };
    configureVendors(rig, {
      alpha: { ...vendor, propose: proposing(listSolution()) },
      beta: { ...vendor, propose: { ...proposing(formatterSolution()), delay_ms: 100_000 } },
    });
    const { code, of } = await converse(rig, taking, ['plan', todoTask], (event) =>
      event.type === 'agent.started' && event.agent === 'beta'
        ? [{ type: 'skip', id: event.step }]
        : [],
    );
    expect(code).toBe(0);
    expect(of('agent.failed')[0]).toMatchObject({ agent: 'beta', category: 'cancelled' });
  });

  test.each([
    [['plan', '--stdin-events', todoTask], '--stdin-events needs --json'],
    [['plan', '--json', '--stdin-events'], 'give the task in words, or as --task-file FILE'],
    [['plan', '--json', '--stdin-events', '--task-file', '-'], 'as --task-file FILE'],
  ])('%j says what it needs', short, async (args, text) => {
    const rig = await todoRig();
    const { code, stderr } = await rig.conclave(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });
});

test('the example of the templates plans a task to its end', async () => {
  const rig = await askingRig();
  const example = new URL('../../templates/stdin-events/example.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [example, todoTask], {
    cwd: rig.repo,
    env: { ...rig.environment, CONCLAVE: `${process.execPath} ${program}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await ended(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('alpha is asked');
  expect(stdout).toContain('Taken: ');
  expect(stdout).toContain('TASK-001: ');
});

test('an event says who compares, plans and reads in place of an agent that was asked for', async () => {
  const rig = await askingRig();
  const chosen = ['compare', 'planning', 'plan-reading'];
  const asked = chosen.map((phase) => `[phases.${phase}]\nagent = "claude"\n`);
  rig.config(`${rig.configured()}\n${asked.join('')}`);
  const { code, of } = await converse(rig, taking);
  expect(code).toBe(0);
  const stoodIn = { instead_of: 'claude', reason: 'claude is not ready' };
  expect(of('agent.replaced')).toMatchObject([
    { ...stoodIn, seat: 'compare', agent: expect.stringMatching(/^(alpha|beta)$/) },
    { ...stoodIn, seat: 'planning', agent: 'alpha' },
    { ...stoodIn, seat: 'plan-reading', agent: 'beta' },
  ]);
});
