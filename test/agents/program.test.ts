import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test, afterEach, beforeEach } from 'vitest';
import { findProgram } from '../../src/agents/cli-setup.ts';
import { programAdapter } from '../../src/agents/program.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import { agentRoom, type AgentRoom } from './agent-room.ts';

const adapter = programAdapter('mine', 'acme');
const read = (value: unknown) =>
  adapter.read(typeof value === 'string' ? value : JSON.stringify(value));

const whole: readonly AgentEvent[] = [
  { kind: 'started', agent_session: 's', model: 'm', version: '1' },
  { kind: 'started', agent_session: null, model: null, version: null },
  { kind: 'message', text: 'hello', partial: true },
  { kind: 'thinking', text: 'hm' },
  { kind: 'tool-call', name: 'grep', detail: 'x' },
  { kind: 'file-read', path: 'a.ts' },
  { kind: 'tool-output', output: '3 found' },
  { kind: 'file-change', path: 'a.ts' },
  { kind: 'file-change', path: 'a.ts', change: 'add', diff: '+x' },
  { kind: 'approval-needed', tool: 'shell', what: 'rm a.ts', answer: 'denied' },
  { kind: 'approval-needed', tool: null, what: '', answer: 'denied' },
  { kind: 'cancelled', what: 'shell rm a.ts' },
  { kind: 'command', command: 'ls', exit_code: 0 },
  { kind: 'command', command: 'ls', exit_code: null },
  { kind: 'usage', tokens: { input: 1, output: 2, cached: 3 }, cost_usd: 0.5 },
  { kind: 'usage', tokens: { input: 1, output: 2, cached: 3 }, cost_usd: null },
  { kind: 'retrying', reason: '529', delay_ms: 10 },
  { kind: 'warning', text: 'careful' },
  { kind: 'error', category: 'rate-limited', text: 'later', retry_after_ms: 1_000 },
  { kind: 'completed', text: 'done' },
  { kind: 'completed', text: null },
];

describe('the lines of a program', () => {
  test.each(whole)('are events as they are: $kind', (event) => {
    expect(read(event)).toEqual(event);
  });

  test('may leave out what is not known', () => {
    const known = { kind: 'message', text: 'x' };
    expect(read(known)).toEqual({ ...known, partial: false });
    expect(read({ kind: 'started' })).toEqual(whole[1]);
    expect(read({ kind: 'completed' })).toEqual({ kind: 'completed', text: null });
    const call = { kind: 'tool-call', name: 'x' };
    expect(read(call)).toEqual({ ...call, detail: '' });
    const command = { kind: 'command', command: 'x' };
    expect(read(command)).toEqual({ ...command, exit_code: null });
    const denied = { kind: 'approval-needed' };
    expect(read(denied)).toEqual({ ...denied, tool: null, what: '', answer: 'denied' });
    const tokens = { input: 1, output: 2 };
    expect(read({ kind: 'usage', tokens })).toEqual({
      kind: 'usage',
      tokens: { ...tokens, cached: 0 },
      cost_usd: null,
    });
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

let room: AgentRoom;
let program = '';
beforeEach(() => {
  room = agentRoom();
  mkdirSync(join(room.folder, 'bin'));
  mkdirSync(join(room.folder, 'folder/tool'), { recursive: true });
  program = join(room.folder, 'bin/tool');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  writeFileSync(join(room.folder, 'tool'), 'not executable', { mode: 0o644 });
});
afterEach(() => room.remove());

test('the first executable file on the search path is found', () => {
  const folders = [
    join(room.folder, 'nowhere'),
    join(room.folder, 'folder'),
    room.folder,
    join(room.folder, 'bin'),
  ];
  expect(findProgram('tool', folders.join(':'))).toBe(program);
});

test('what is not there, is no file or may not be executed is not found', () => {
  expect(findProgram('tool', room.folder)).toBe(null);
  expect(findProgram('tool', join(room.folder, 'folder'))).toBe(null);
  expect(findProgram('tool', join(program, 'below-a-file'))).toBe(null);
  expect(findProgram('tool', undefined)).toBe(null);
  expect(findProgram(join(room.folder, 'tool'), '')).toBe(null);
});

test('an absolute path is taken as it is, a relative one never', () => {
  expect(findProgram(program, '')).toBe(program);
  expect(findProgram(`./${relative(process.cwd(), program)}`, '')).toBe(null);
  expect(findProgram(relative(process.cwd(), program), '/')).toBe(null);
});

test('no relative or empty entry of the search path counts', () => {
  expect(findProgram('tool', `:.:${relative(process.cwd(), join(room.folder, 'bin'))}:`)).toBe(
    null,
  );
});
