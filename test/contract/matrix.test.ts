import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FailureCategory } from '../../src/model/agent-event.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import { until } from '../agents/agent-room.ts';
import { survivors } from '../faults/three-rounds.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { status as refused } from './cli-bench.ts';
import { isFull, isPatient } from './extent.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { type CliName, cliNames, realClis } from './real-clis.ts';
import { configureClis, eventsTold, goodAnswer, headOf, seatsWith } from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

interface Fault {
  readonly what: string;
  readonly category: FailureCategory;
  /** What the synthesis says of it. */
  readonly reason: RegExp;
  /** What the provider’s model does, whatever it is asked; null where none is reached. */
  readonly reply: ((asked: LoggedRequest) => Reply) | null;
  /** How often the agent is run before its seat is given away; what it tried again itself, once. */
  readonly runs: number;
  /** Of those that try again themselves. */
  readonly runsOfPatient?: number;
  /** The time limit of each run. */
  readonly seconds?: number;
  /** Whether one more CLI is free to take the seat. */
  readonly hasBackup?: boolean;
}

const status = (code: number) => () => refused(code);

const faults: readonly Fault[] = [
  {
    what: 'gets a 401',
    category: 'not-logged-in',
    reason: /(?:in the words of the provider|HTTP 401).* \(to log in: /,
    reply: status(401),
    runs: 1,
  },
  {
    what: 'gets a 429',
    category: 'rate-limited',
    reason: /in the words of the provider|status: 429/,
    reply: status(429),
    runs: 1,
    // Else it would be waited for.
    hasBackup: true,
  },
  {
    what: 'gets a 500',
    category: 'network',
    reason: /in the words of the provider|high demand/,
    reply: status(500),
    runs: 1,
  },
  {
    what: 'hangs',
    category: 'timed-out',
    reason: /^not finished within 12 s$/,
    reply: () => ({ kind: 'hang', when: 'before' }),
    runs: 1,
    // Long enough for each of them to start and ask on a busy machine.
    seconds: 12,
  },
  {
    what: 'loses its connection',
    category: 'network',
    reason: /connection .*was lost|stream disconnected|decoding response body|connection reset/i,
    reply: () => ({ kind: 'drop', when: 'middle' }),
    runs: 2,
    runsOfPatient: 1,
  },
  {
    what: 'is sent garbage',
    category: 'network',
    reason:
      /malformed response|not valid JSON|stream disconnected|failed to parse|JSON parsing failed/i,
    reply: () => ({ kind: 'garbage' }),
    runs: 2,
    runsOfPatient: 1,
  },
  {
    what: 'answers nothing',
    category: 'empty-answer',
    reason: /without an answer|empty response|no response was returned/i,
    reply: () => ({ kind: 'empty' }),
    runs: 2,
  },
  {
    what: 'answers what does not fit',
    category: 'invalid-answer',
    reason: /^the answer does not fit the proposal schema: \/solutions /,
    reply: misfit,
    runs: 2,
  },
  {
    what: 'is not installed',
    category: 'not-installed',
    reason: /is not the absolute path of a program\. Install it: npm install -g /,
    reply: null,
    runs: 1,
  },
];

function misfit(asked: LoggedRequest): Reply {
  const { session, round } = headOf(asked);
  return { kind: 'text', text: JSON.stringify({ session, round, solutions: 'none' }) };
}

/** A CLI without a seat there, which asks its model in another way. */
function backupOf(agent: CliName): CliName {
  const seats = seatsWith(agent);
  const { dialect } = realClis[agent];
  const free = cliNames.find((one) => !seats.includes(one) && realClis[one].dialect !== dialect);
  if (free === undefined) throw new Error(`nobody is free beside ${agent}`);
  return free;
}

const cells = faults.flatMap((fault, index) => {
  const quick = cliNames.filter((name) => !isPatient(name, fault.what)).toReversed();
  const inTurn = quick[index % quick.length];
  return cliNames.map((agent) => ({ ...fault, agent, isShort: agent === inTurn }));
});

test.each(cells.filter(({ isShort }) => isFull || isShort))(
  'a plan is made although $agent $what',
  async ({ agent, seconds = 100, ...fault }) => {
    const rig = await todoRig();
    const seats = seatsWith(agent);
    configureClis(rig, {
      url: server.url,
      names: fault.hasBackup === true ? [...seats, backupOf(agent)] : seats,
      more: { [agent]: `timeout = ${seconds}` },
      programs: fault.reply === null ? { [agent]: join(rig.home, 'absent') } : {},
    });
    const before = server.log.length;
    server.fallback((asked) =>
      fault.reply !== null && asked.dialect === realClis[agent].dialect
        ? fault.reply(asked)
        : goodAnswer(asked),
    );
    const flags = ['--auto-yes', '--json', '--max-rounds', '1', '--tools', seats.join(',')];
    const { code, stdout, stderr } = await rig.conclave('plan', ...flags, todoTask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await until('no process is left', () => survivors(rig).length === 0);

    const { unanswered, receipts } = Synthesis.parse(rig.json('rounds/1/synthesis.json'));
    expect(unanswered).toEqual([
      { agent, category: fault.category, reason: expect.stringMatching(fault.reason) },
    ]);
    const others = seats.filter((name) => name !== agent);
    expect(receipts.filter(({ seat }) => seat !== agent).map((one) => one.agent)).toEqual(others);
    expect(receipts.filter(({ seat }) => seat === agent)).toMatchObject([{ fallback_for: agent }]);
    const told = eventsTold(stdout);
    const starts = told.filter((event) => event.type === 'agent.started' && event.agent === agent);
    const { runs, runsOfPatient = runs } = fault;
    const triesAgain = agent === 'codex' || isPatient(agent, fault.what);
    expect(starts).toHaveLength(triesAgain ? runsOfPatient : runs);
    const failed = told.flatMap((event) => (event.type === 'agent.failed' ? [event] : []));
    expect(failed.map((one) => [one.agent, one.category])).toEqual(
      starts.map(() => [agent, fault.category]),
    );
    // What is over its limit has the time to end by itself once more.
    const longest = (seconds + 6) * 1_000;
    expect(failed.filter(({ duration_ms }) => duration_ms > longest)).toEqual([]);

    const asked = server.log
      .slice(before)
      .filter(({ dialect }) => dialect === realClis[agent].dialect);
    expect(asked.length > 0).toBe(fault.reply !== null);
    expect(asked.some((one) => headOf(one).repair)).toBe(fault.category === 'invalid-answer');
    // Who did not answer in the discussion does not write the plan.
    expect(asked.filter((one) => headOf(one).phase === 'plan')).toEqual([]);
    expect((await rig.conclave('validate')).code).toBe(0);
  },
  180_000,
);
