import { describe, expect, test } from 'vitest';
import type { AgentRequest } from '../../../src/agents/agent.ts';
import { agy } from '../../../src/agents/cli/agy.ts';
import { agentRoom, userWith } from '../agent-room.ts';

const room = agentRoom();
room.remove();
const argvOf = (more: Partial<AgentRequest> = {}) => agy.argv({ ...room.request(), ...more });

describe('the Antigravity CLI is called', () => {
  test('without `-p`, which would swallow the next word, and with the prompt on stdin', () => {
    const request = { ...room.request({ prompt: '--go' }), role: 'You are careful.' };
    expect(agy.input?.(request)).toBe('You are careful.\n\n--go');
    expect(argvOf().filter((word) => /^-p|^--print(?:=|$)|--go/.test(word))).toEqual([]);
  });

  test('with the time that the run has, because it would end after five minutes', () => {
    const limits = { firstOutputMs: 1, idleMs: 1, totalMs: 900_001, graceMs: 1 };
    expect(argvOf({ limits })).toContain('--print-timeout=901s');
    expect(argvOf({ limits: { ...limits, totalMs: Infinity } })).toContain(
      '--print-timeout=86400s',
    );
  });

  test('in the mode of its permission', () => {
    expect(argvOf()).toContain('--mode=plan');
    expect(argvOf({ permission: 'edit' })).toContain('--mode=accept-edits');
    const all = argvOf({ permission: 'edit-and-shell' });
    expect(all).toContain('--dangerously-skip-permissions');
    expect(argvOf({ permission: 'edit' })).not.toContain('--dangerously-skip-permissions');
  });

  test('with schema, model, effort, folders and the conversation that goes on', () => {
    const resume = { agentSession: 'c-1', cwd: '/project' };
    const asked = { schema: { type: 'object' }, model: 'gemini-3', effort: 'high', resume };
    expect(argvOf({ ...asked, cwd: '/project', extraDirs: ['/more'] })).toEqual([
      '--output-format=stream-json',
      '--print-timeout=15s',
      '--mode=plan',
      '--add-dir=/project',
      '--add-dir=/more',
      '--model=gemini-3',
      '--effort=high',
      '--json-schema={"type":"object"}',
      '--conversation=c-1',
    ]);
  });
});

test.each([
  ['gemini-3.1-pro-high', 'google'],
  ['claude-sonnet-5', 'anthropic'],
  ['gpt-oss-120b', 'gpt-oss'],
  [null, null],
])('the vendor comes from the model: %s', (model, vendor) => {
  expect(agy.vendorOf(model)).toBe(vendor);
});

test.each([
  '{"event":"hologram","hologram":{}}',
  '{"event":"step_update","step_update":{"step_type":"dream","text_delta":"…"}}',
  'Update available: 2.0.0',
])('a line that is no event we know is unknown, and no answer: %s', (line) => {
  expect(agy.read(line)).toEqual({ type: 'unknown', line });
});

test('a login in a file is known, one in a keyring is not', () => {
  const path = '/home/user/.gemini/antigravity-cli/antigravity-oauth-token';
  expect(agy.loginState?.(userWith({}, { [path]: '{}' }))).toEqual({ state: 'stored' });
  expect(agy.loginState?.(userWith())).toEqual({ state: 'unknown' });
});
