import { describe, expect, test } from 'vitest';
import { readOwnLine } from '../../../src/agents/cli/own-lines.ts';
import { programAdapter } from '../../../src/agents/cli/own-program.ts';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import { errorOf } from '../../../src/model/make-events.ts';
import { agentRoom } from '../agent-room.ts';

const adapter = programAdapter('mine', 'acme');
const read = (value: unknown) =>
  readOwnLine(typeof value === 'string' ? value : JSON.stringify(value));

const whole: readonly (readonly [line: object, event: AgentEvent])[] = [
  [
    { kind: 'started', agent_session: 's', model: 'm', version: '1' },
    { type: 'started', agentSession: 's', model: 'm', version: '1' },
  ],
  [
    { kind: 'message', text: 'hello', partial: true },
    { type: 'message', content: 'hello', partial: true },
  ],
  [
    { kind: 'thinking', text: 'hm' },
    { type: 'thinking', content: 'hm' },
  ],
  [
    { kind: 'tool-call', name: 'grep', detail: 'x', input: '{"for":"x"}' },
    { type: 'tool_call', name: 'grep', detail: 'x', input: { for: 'x' } },
  ],
  [
    { kind: 'tool-output', id: 'a', output: 'found' },
    { type: 'tool_call', id: 'a', name: '', detail: '', input: null, output: 'found' },
  ],
  [
    { kind: 'file-change', path: 'a.ts', change: 'add', diff: '+x' },
    { type: 'file_change', path: 'a.ts', change: 'add', diff: '+x' },
  ],
  [
    { kind: 'approval-needed', tool: 'shell', what: 'rm a.ts', answer: 'denied' },
    {
      type: 'approval_needed',
      tool: 'shell',
      description: 'rm a.ts',
      options: ['allow', 'deny'],
    },
  ],
  [
    { kind: 'command', command: 'ls', exit_code: 0 },
    { type: 'command', command: 'ls', exitCode: 0 },
  ],
  [
    { kind: 'usage', tokens: { input: 1, output: 2, cached: 3 }, cost_usd: 0.5 },
    { type: 'usage', inputTokens: 1, outputTokens: 2, cachedTokens: 3, costUsd: 0.5 },
  ],
  [
    { kind: 'retrying', reason: '529', delay_ms: 10 },
    { type: 'retrying', reason: '529', delay: 10 },
  ],
  [
    { kind: 'warning', text: 'slow' },
    { type: 'warning', message: 'slow' },
  ],
  [
    { kind: 'error', category: 'rate-limited', text: 'later', retry_after_ms: 1_000 },
    {
      type: 'error',
      message: 'later',
      recoverable: true,
      category: 'rate-limited',
      retryAfter: 1_000,
    },
  ],
  [
    { kind: 'completed', text: 'done' },
    { type: 'completed', summary: 'done' },
  ],
];

describe('the lines of a program', () => {
  test.each(whole)('are read as events: %j', (line, event) => {
    expect(read(line)).toEqual(event);
  });

  test('is said to plan in a confinement of ours', () => {
    expect(adapter).toMatchObject({ isUntried: true, readOnlyBy: 'a confinement of ours' });
  });

  test.each([
    [{ kind: 'message', text: 'x' }, { partial: false }],
    [{ kind: 'started' }, { agentSession: null, model: null, version: null }],
    [{ kind: 'completed' }, { summary: null }],
    [{ kind: 'tool-call', name: 'x' }, { detail: '' }],
    [{ kind: 'command', command: 'x' }, { exitCode: null }],
    [{ kind: 'approval-needed' }, { tool: null, description: '', options: ['allow', 'deny'] }],
    [
      { kind: 'usage', tokens: { input: 1, output: 2 } },
      { cachedTokens: 0, costUsd: null },
    ],
  ])('may leave out what is not known: %j', (line, filled) => {
    expect(read(line)).toMatchObject(filled);
  });

  test('have the id and the state of a tool call where the program knows them', () => {
    const call = { kind: 'tool-call', name: 'x', id: 'a', state: 'updated' };
    const plain = { type: 'tool_call', name: 'x', detail: '', input: null };
    expect(read(call)).toEqual({ ...plain, id: 'a', state: 'updated' });
    expect(read({ ...call, id: 7, state: 'busy' })).toEqual(plain);
  });

  test('stay errors where their category is none that we know', () => {
    const event = errorOf('unknown', 'boo');
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
    expect(read(line)).toEqual({ type: 'unknown', line });
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
