// Puts a wrong value into every field of every line of a program: what comes of it fits every record.
import { expect, test } from 'vitest';
import { classifyEnd } from '../../../src/agents/classify.ts';
import { readOwnLine } from '../../../src/agents/cli/own-lines.ts';
import { programAdapter } from '../../../src/agents/cli/own-program.ts';
import { runTally } from '../../../src/agents/cli/run-tally.ts';
import { notStarted } from '../../../src/agents/process/start-program.ts';
import { AgentEvent, AgentFailure } from '../../../src/model/agent-event.ts';
import { errorOf, usageOf } from '../../../src/model/make-events.ts';
import { formatVersion } from '../../../src/model/id-patterns.ts';
import { SessionState } from '../../../src/model/session.ts';
import { encodeRecord } from '../../../src/store/journal-record.ts';
import { changed } from '../../helpers/samples.ts';
import { fieldsOf, wrongValues } from '../../helpers/slips.ts';
import { noLimits } from '../agent-room.ts';

const tokens = { input: 1, output: 1, cached: 1 };
const call = { id: 'c1', state: 'completed' } as const;
const lines = [
  { kind: 'started', agent_session: 's', model: 'm', version: '1' },
  { kind: 'message', text: 'a', partial: false },
  { kind: 'thinking', text: 'a' },
  { kind: 'tool-call', ...call, name: 'x', detail: 'y', input: '{}', diff: '+a' },
  { kind: 'tool-output', ...call, output: 'a' },
  { kind: 'file-read', ...call, path: 'a' },
  { kind: 'file-change', ...call, path: 'a', change: 'add', diff: '+a' },
  { kind: 'command', ...call, command: 'ls', exit_code: 0, output: 'a' },
  { kind: 'approval-needed', id: 'c1', tool: 't', what: 'w', answer: 'denied' },
  { kind: 'cancelled', id: 'c1', what: 'w' },
  { kind: 'usage', tokens, cost_usd: 1 },
  { kind: 'retrying', reason: 'r', delay_ms: 1 },
  { kind: 'warning', id: 'c1', text: 'a' },
  { kind: 'error', category: 'rate-limited', text: 'a', retry_after_ms: 1 },
  { kind: 'completed', text: 'a', model: 'm' },
] as const;
/** Amounts that no record takes, beside the usual slips. */
const values = [...wrongValues, -0.5, 2 ** 53, 1e308];
const adapter = programAdapter('fake', null);

/** Runs through one line as the agent’s run does; throws where something does not fit its record. */
function runThrough(line: string): void {
  const tally = runTally();
  for (const told of [readOwnLine(line)].flat()) {
    const [event = AgentEvent.parse(told)] = tally.add(AgentEvent.parse(told));
    if (event.type !== 'usage') continue;
    const { inputTokens, outputTokens, costUsd } = event;
    const spent = {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cost_usd: costUsd ?? 0,
    };
    const head = { v: formatVersion, at: new Date().toISOString() } as const;
    encodeRecord({ ...head, type: 'spent', key: 'round-1/propose/a', agent: 'a', ...spent });
    SessionState.shape.spent.parse({ ...spent, agent_runs: 1 });
  }
  const end = { adapter, limits: noLimits, process: { ...notStarted, exitCode: 1 } };
  AgentFailure.parse(classifyEnd({ ...end, ...tally.sum() }));
}

test.each(lines)('$kind', (event) => {
  const slips = fieldsOf(event).flatMap((at) => values.map((value) => changed(event, at, value)));
  for (const slip of slips) expect(() => runThrough(JSON.stringify(slip))).not.toThrow();
});

test('usage that cannot be does not count, also in sum, and is told', () => {
  const tally = runTally();
  const add = (input: number) => tally.add(usageOf({ ...tokens, input }, null))[0];
  expect(add(9e15)).toMatchObject({ inputTokens: 0, outputTokens: 1 });
  expect(add(9e9)).toMatchObject({ inputTokens: 9e9 });
  expect(add(9e9)).toMatchObject({ inputTokens: 0 });
  const { facts } = tally.sum();
  expect(facts.tokens?.input).toBe(9e9);
  expect(facts.notes).toEqual([
    'it reported using 9000000000, which is impossible, so it does not count',
  ]);
});

test.each([
  [7_000, 7_000],
  [0, null],
  [537.2, null],
  [null, null],
])('a limit after a retry in %d ms asks for a wait of %j ms', (delay, wait) => {
  const tally = runTally();
  tally.add({ type: 'retrying', reason: 'rate_limit (429)', delay });
  tally.add(errorOf('rate-limited', '429'));
  const end = { adapter, limits: noLimits, process: { ...notStarted, exitCode: 1 } };
  expect(classifyEnd({ ...end, ...tally.sum() }).retry_after_ms).toBe(wait);
});

test.each([
  // One that is over is waited for no more.
  [-5, 0],
  [2 ** 53, null],
  [1e308, null],
])('of a wait of %d ms there is %s', (asked, wait) => {
  const tally = runTally();
  tally.add(errorOf('rate-limited', 'busy', asked));
  const end = { adapter, limits: noLimits, process: { ...notStarted, exitCode: 1 } };
  expect(classifyEnd({ ...end, ...tally.sum() })).toMatchObject({
    category: 'rate-limited',
    retry_after_ms: wait,
  });
});
