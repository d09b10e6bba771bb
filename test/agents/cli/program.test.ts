import { describe, expect, test } from 'vitest';
import { programAdapter } from '../../../src/agents/cli/own-program.ts';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import { agentRoom } from '../agent-room.ts';

const adapter = programAdapter('mine', 'acme');
const read = (value: unknown) =>
  adapter.read(typeof value === 'string' ? value : JSON.stringify(value));

const whole: readonly AgentEvent[] = [
  { kind: 'started', agent_session: 's', model: 'm', version: '1' },
  { kind: 'message', text: 'hello', partial: true },
  { kind: 'tool-call', name: 'grep', detail: 'x' },
  { kind: 'file-change', path: 'a.ts', change: 'add', diff: '+x' },
  { kind: 'approval-needed', tool: 'shell', what: 'rm a.ts', answer: 'denied' },
  { kind: 'command', command: 'ls', exit_code: 0 },
  { kind: 'usage', tokens: { input: 1, output: 2, cached: 3 }, cost_usd: 0.5 },
  { kind: 'retrying', reason: '529', delay_ms: 10 },
  { kind: 'error', category: 'rate-limited', text: 'later', retry_after_ms: 1_000 },
  { kind: 'completed', text: 'done' },
];

describe('the lines of a program', () => {
  test.each(whole)('are events as they are: $kind', (event) => {
    expect(read(event)).toEqual(event);
  });

  test.each([
    [{ kind: 'message', text: 'x' }, { partial: false }],
    [{ kind: 'started' }, { agent_session: null, model: null, version: null }],
    [{ kind: 'completed' }, { text: null }],
    [{ kind: 'tool-call', name: 'x' }, { detail: '' }],
    [{ kind: 'command', command: 'x' }, { exit_code: null }],
    [{ kind: 'approval-needed' }, { tool: null, what: '', answer: 'denied' }],
    [
      { kind: 'usage', tokens: { input: 1, output: 2 } },
      { tokens: { input: 1, output: 2, cached: 0 }, cost_usd: null },
    ],
  ])('may leave out what is not known: %j', (line, filled) => {
    expect(read(line)).toEqual({ ...line, ...filled });
  });

  test('have the id and the state of a tool call where the program knows them', () => {
    const call = { kind: 'tool-call', name: 'x', detail: '', id: 'a', state: 'updated' };
    expect(read(call)).toEqual(call);
    const plain = { kind: 'tool-call', name: 'x', detail: '' };
    expect(read({ ...plain, id: 7, state: 'busy' })).toEqual(plain);
  });

  test('stay errors where their category is none that we know', () => {
    const event = { kind: 'error', category: 'unknown', text: 'boo', retry_after_ms: null };
    expect(read({ kind: 'error', category: 'cosmic', text: 'boo' })).toEqual(event);
  });

  test.each([
    'plain text',
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '{"kind":"message"}',
    '{"kind":"message","text":1}',
    '{"kind":"usage","tokens":[]}',
    '{"kind":"usage","tokens":{"input":1,"output":1.5}}',
    '{"kind":"unheard-of"}',
    '{"kind":"approval-needed","answer":"granted"}',
    '{"__proto__":{"kind":"completed"}}',
    '{"kind":"constructor"}',
  ])('are unknown where they are no event: %j', (line) => {
    expect(read(line)).toEqual({ kind: 'unknown', line });
  });
});

test('model, role, permission and session reach a program in its environment, never in its arguments', () => {
  const room = agentRoom();
  const resume = { agentSession: 's1', cwd: room.folder };
  const request = room.request({ model: 'm1', role: 'critic', permission: 'edit', resume });
  expect(adapter.argv(request)).toEqual([]);
  expect(adapter.env(request)).toEqual({
    CONCLAVE_PERMISSION: 'edit',
    CONCLAVE_RESUME: 's1',
    CONCLAVE_MODEL: 'm1',
    CONCLAVE_ROLE: 'critic',
  });
  expect(adapter.env(room.request())).toEqual({ CONCLAVE_PERMISSION: 'read-only' });
  expect(adapter.vendorOf('m1')).toBe('acme');
  room.remove();
});
