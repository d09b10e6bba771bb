import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { programAdapter } from '../../src/agents/program.ts';
import { AgentEvent } from '../../src/model/event.ts';
import { agentRoom } from './agent-room.ts';

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
  { kind: 'file-change', path: 'a.ts' },
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
    expect(AgentEvent.parse(read(event))).toEqual(event);
  });

  test('may leave out what is not known', () => {
    expect(read({ kind: 'message', text: 'x' })).toEqual({
      kind: 'message',
      text: 'x',
      partial: false,
    });
    expect(read({ kind: 'started' })).toEqual(whole[1]);
    expect(read({ kind: 'completed' })).toEqual({ kind: 'completed', text: null });
    expect(read({ kind: 'tool-call', name: 'x' })).toEqual({
      kind: 'tool-call',
      name: 'x',
      detail: '',
    });
    expect(read({ kind: 'command', command: 'x' })).toEqual({
      kind: 'command',
      command: 'x',
      exit_code: null,
    });
    expect(read({ kind: 'usage', tokens: { input: 1, output: 2 } })).toEqual({
      kind: 'usage',
      tokens: { input: 1, output: 2, cached: 0 },
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
    '{"kind":"usage","tokens":{"input":-1,"output":1.5}}',
    '{"kind":"unheard-of"}',
    '{"kind":"unknown","line":"x"}',
    '{"__proto__":{"kind":"completed"}}',
    '{"kind":"constructor"}',
  ])('are unknown where they are no event: %j', (line) => {
    expect(read(line)).toEqual({ kind: 'unknown', line });
  });

  test('are read to the shape of an event, whatever they hold', () => {
    const odd = fc.oneof(
      fc.json().map((text): unknown => JSON.parse(text)),
      fc.double(),
      fc.constant(null),
    );
    const fields = [
      'text',
      'name',
      'path',
      'command',
      'tokens',
      'reason',
      'category',
      'partial',
      'cost_usd',
    ];
    const line = fc.record({
      kind: fc.constantFrom(...whole.map((event) => event.kind)),
      ...Object.fromEntries(fields.map((field) => [field, fc.option(odd, { nil: undefined })])),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          line.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        (text) => {
          expect(AgentEvent.safeParse(adapter.read(text)).error).toBeUndefined();
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

test('model and role reach a program in its environment, never in its arguments', () => {
  const room = agentRoom();
  const request = room.request({ model: 'm1', role: 'critic' });
  expect(adapter.argv(request)).toEqual([]);
  expect(adapter.env(request)).toEqual({ CONCLAVE_MODEL: 'm1', CONCLAVE_ROLE: 'critic' });
  expect(adapter.env(room.request())).toEqual({});
  expect(adapter.vendorOf('m1')).toBe('acme');
  room.remove();
});
