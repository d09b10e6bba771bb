import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Event } from '../../src/model/event.ts';
import type { FailureCategory } from '../../src/model/failure.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import { until } from '../agents/agent-room.ts';
import { survivors } from '../faults/three-rounds.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import {
  type CliName,
  cliNames,
  configureClis,
  dialectOf,
  goodAnswer,
  headOf,
} from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

interface Fault {
  readonly what: string;
  readonly category: FailureCategory;
  /** What the provider’s model does, whatever it is asked; null where none is reached. */
  readonly reply: ((asked: LoggedRequest) => Reply) | null;
  /** How often the agent is run before its seat is given away. */
  readonly runs: number;
  /** Further lines in the agent’s section of the configuration. */
  readonly settings?: string;
}

const status = (code: number) => (): Reply => ({
  kind: 'status',
  status: code,
  message: 'in the words of the provider',
});

const faults: readonly Fault[] = [
  { what: 'gets a 401', category: 'not-logged-in', reply: status(401), runs: 1 },
  { what: 'gets a 429', category: 'rate-limited', reply: status(429), runs: 1 },
  { what: 'gets a 500', category: 'network', reply: status(500), runs: 2 },
  {
    what: 'hangs',
    category: 'timed-out',
    reply: () => ({ kind: 'hang', when: 'before' }),
    runs: 1,
    // Long enough for each of them to start and ask on a busy machine.
    settings: 'timeout = 12',
  },
  {
    what: 'loses its connection',
    category: 'network',
    reply: () => ({ kind: 'drop', when: 'middle' }),
    runs: 2,
  },
  { what: 'is sent garbage', category: 'network', reply: () => ({ kind: 'garbage' }), runs: 2 },
  { what: 'answers nothing', category: 'empty-answer', reply: () => ({ kind: 'empty' }), runs: 2 },
  { what: 'answers what does not fit', category: 'invalid-answer', reply: misfit, runs: 2 },
  { what: 'is not installed', category: 'not-installed', reply: null, runs: 1 },
];

function misfit(asked: LoggedRequest): Reply {
  const { session, round } = headOf(asked);
  return { kind: 'text', text: JSON.stringify({ session, round, solutions: 'none' }) };
}

const cells = faults.flatMap((fault, index) =>
  cliNames.map((agent, place) => ({ ...fault, agent, isShort: place === index % cliNames.length })),
);
const isFull = process.env['CONCLAVE_CONTRACT'] === 'full';

test.each(cells.filter(({ isShort }) => isFull || isShort))(
  'a plan is made although $agent $what',
  async ({ agent, ...fault }) => {
    const rig = await todoRig();
    configureClis(rig, {
      url: server.url,
      more: { [agent]: fault.settings ?? '' },
      programs: fault.reply === null ? { [agent]: join(rig.home, 'absent') } : {},
    });
    const before = server.log.length;
    server.fallback((asked) =>
      fault.reply !== null && asked.dialect === dialectOf[agent]
        ? fault.reply(asked)
        : goodAnswer(asked),
    );
    const flags = ['--auto-yes', '--json', '--max-rounds', '1', '--tools', cliNames.join(',')];
    const { code, stdout, stderr } = await rig.conclave('plan', ...flags, todoTask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await until('no process is left', () => survivors(rig).length === 0);

    const { unanswered, receipts } = Synthesis.parse(rig.json('rounds/1/synthesis.json'));
    expect(unanswered).toEqual([
      { agent, category: fault.category, reason: expect.stringMatching(/\S/) },
    ]);
    const others = cliNames.filter((name) => name !== agent);
    expect(receipts.filter(({ seat }) => seat !== agent).map((one) => one.agent)).toEqual(others);
    expect(receipts.filter(({ seat }) => seat === agent)).toMatchObject([{ fallback_for: agent }]);
    expect(startsOf(agent, stdout)).toBe(fault.runs);

    const asked = server.log.slice(before).filter(({ dialect }) => dialect === dialectOf[agent]);
    expect(asked.length > 0).toBe(fault.reply !== null);
    expect(asked.some((one) => headOf(one).repair)).toBe(fault.category === 'invalid-answer');
    // Who did not answer in the discussion does not write the plan.
    expect(asked.filter((one) => headOf(one).phase === 'plan')).toEqual([]);
    expect((await rig.conclave('validate')).code).toBe(0);
  },
  180_000,
);

function startsOf(agent: CliName, stdout: string): number {
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => Event.parse(JSON.parse(line)));
  return events.filter((event) => event.type === 'agent.started' && event.agent === agent).length;
}
