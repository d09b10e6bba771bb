import { expect, test } from 'vitest';
import { claude } from '../../../src/agents/cli/claude.ts';
import { runTally } from '../../../src/agents/cli/run-tally.ts';
import { agentRoom, userWith } from '../agent-room.ts';

const room = agentRoom();
room.remove();
test.each(['{"type":"of-next-year"}', '{}', '[]', '7', 'Warning: hm'])(
  'a line that is no event we know is unknown: %s',
  (line) => {
    expect(claude.read(line)).toEqual({ type: 'unknown', line });
  },
);

test.each(['', ' \n'])(
  'the text that it streamed counts where its result is empty: %j',
  (result) => {
    const tally = runTally();
    const content = [{ type: 'text', text: '{"round":1}' }];
    const lines = [
      { type: 'assistant', message: { model: 'claude-x', content } },
      { type: 'result', subtype: 'success', is_error: false, num_turns: 1, result },
    ];
    const events = lines.flatMap((line) => claude.read(JSON.stringify(line)));
    for (const event of events) tally.add(event);
    expect(tally.sum()).toMatchObject({ completed: true, text: '{"round":1}' });
  },
);

test('the schema goes out without rules that claude would refuse an answer by', () => {
  const format = { type: 'string', format: 'date-time' };
  const schema = { $schema: 'https://x.invalid', properties: { at: format, format } };
  const argv = claude.argv(room.request({ schema }));
  expect(JSON.parse(argv[argv.indexOf('--json-schema') + 1] ?? '')).toEqual({
    type: 'object',
    properties: { at: {}, format: {} },
  });
});

test('tells its model a schema by its own tool', () => {
  expect(claude.schemaWay?.({})).toEqual({ tool: 'StructuredOutput' });
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
  expect(claude.unenforced?.(edit)).toEqual([expect.stringContaining('rules in your settings')]);
  expect(claude.unenforced?.({ ...edit, isolation: 'home' })).toEqual([]);
});
