import { describe, expect, test } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { agentRoom, userWith } from './agent-room.ts';

const room = agentRoom();
room.remove();
const resultLine = (fields: object) =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, ...fields });
const lastOf = (line: string) => [claude.read(line)].flat().at(-1);

describe('the end of a run', () => {
  test('is its text, or the answer by the schema', () => {
    expect(lastOf(resultLine({ result: 'Do this.' }))).toEqual({
      kind: 'completed',
      text: 'Do this.',
    });
    expect(lastOf(resultLine({ result: 'said', structured_output: { sum: 4 } }))).toEqual({
      kind: 'completed',
      text: '{"sum":4}',
    });
    expect(lastOf(resultLine({ result: 'said', structured_output: null }))).toEqual({
      kind: 'completed',
      text: 'said',
    });
  });

  test('is no answer where no model was asked', () => {
    const line = resultLine({ num_turns: 0, result: '## Context Usage' });
    expect(lastOf(line)).toMatchObject({ kind: 'error', category: 'request-refused' });
  });

  test('is a failure by another subtype too', () => {
    const line = resultLine({ subtype: 'error_max_turns', errors: ['Reached maximum', 'of 3'] });
    expect(lastOf(line)).toMatchObject({ kind: 'error', text: 'Reached maximum; of 3' });
  });

  test('counts what was read from the cache, and what was put there, as input', () => {
    const usage = {
      input_tokens: 11,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 5,
      output_tokens: 7,
    };
    expect(claude.read(resultLine({ result: 'x', usage, total_cost_usd: 0.5 }))).toContainEqual({
      kind: 'usage',
      tokens: { input: 19, output: 7, cached: 5 },
      cost_usd: 0.5,
    });
  });
});

test('progress that is told again later, or that is of a kind not known, is no event', () => {
  for (const type of ['stream_event', 'rate_limit_event', 'tool_progress']) {
    expect(claude.read(JSON.stringify({ type }))).toEqual([]);
  }
  expect(claude.read('{"type":"system","subtype":"of-next-year"}')).toEqual([]);
});

test.each(['{"type":"of-next-year"}', '{}', '[]', '7', 'Warning: hm', '{"type":"assistant"}'])(
  'a line that is no event we know is unknown: %s',
  (line) => {
    expect(claude.read(line)).toEqual({ kind: 'unknown', line });
  },
);

const idIn = (argv: readonly string[], flag: string) => argv[argv.indexOf(flag) + 1];

test('a run has a session id of its own, a resumed one that of its session', () => {
  const first = claude.argv(room.request({ mark: 'a' }));
  const second = claude.argv(room.request({ mark: 'b' }));
  expect(idIn(first, '--session-id')).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(idIn(first, '--session-id')).not.toBe(idIn(second, '--session-id'));
  const resume = { agentSession: 'S-1', cwd: '/' };
  const third = claude.argv(room.request({ mark: 'a', resume }));
  expect(idIn(third, '--resume')).toBe('S-1');
  expect(third).not.toContain('--session-id');
});

test('the schema goes out without rules that claude would refuse an answer by', () => {
  const format = { type: 'string', format: 'date-time' };
  const schema = { $schema: 'https://x.invalid', properties: { at: format, format } };
  const argv = claude.argv(room.request({ schema }));
  expect(JSON.parse(argv[argv.indexOf('--json-schema') + 1] ?? '')).toEqual({
    type: 'object',
    properties: { at: {}, format: {} },
  });
});

test('its isolation is by flags, by a home with the sessions alone, or none', () => {
  const user = userWith();
  const home = room.request({ isolation: 'home', filesFolder: '/run' });
  expect(claude.argv(home)).toEqual(expect.arrayContaining(['--safe-mode', '--strict-mcp-config']));
  expect(claude.env(home)).toHaveProperty('CLAUDE_CONFIG_DIR', '/run');
  const projects = { linkTo: '/home/user/.claude/projects', kind: 'folder' };
  expect(claude.files?.(home, user)).toEqual({ projects });
  for (const isolation of ['flags', 'none'] as const) {
    const request = room.request({ isolation });
    expect(claude.argv(request).includes('--safe-mode')).toBe(isolation === 'flags');
    expect(claude.argv(request)).toContain('--setting-sources=user');
    expect(claude.env(request)).not.toHaveProperty('CLAUDE_CONFIG_DIR');
    expect(claude.files?.(request, user)).toEqual({});
  }
  const edit = { permission: 'edit' } as const;
  expect(claude.unenforced?.(edit)).toEqual([expect.stringContaining('rules of your settings')]);
  expect(claude.unenforced?.({ ...edit, isolation: 'home' })).toEqual([]);
});
