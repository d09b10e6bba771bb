// A tool call and what came of it can be joined by the id that the CLI gave it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adapters } from '../../../src/agents/cli/list.ts';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import { beginsCall } from '../../../src/model/make-events.ts';
import { eventsIn } from './transcripts.ts';

/** Each tool call of a recorded run: its events, with how far it was by then. */
const lives: readonly (readonly [cli: string, transcript: string, readonly string[]])[] = [
  ['claude', 'reading', ['file_read completed', 'file_read completed', 'warning, approval_needed']],
  [
    'claude',
    'writing',
    ['tool_call started, file_change completed', 'tool_call started, command completed'],
  ],
  [
    'codex',
    'classic-tools',
    ['tool_call started, command completed', 'tool_call started, command completed'],
  ],
  ['codex', 'listed-resources', ['tool_call started, tool_call completed']],
  ['codex', 'searched', ['tool_call completed']],
  ['codex', 'wrote', ['file_change completed, file_change completed']],
  ['gemini', 'writing', ['tool_call started', 'tool_call started, command completed']],
  [
    'copilot',
    'writing',
    ['tool_call started, command completed', 'tool_call started, file_change completed'],
  ],
  ['opencode', 'writing', ['file_change completed', 'command completed']],
];

test.each(lives)('%s, %s: the events of a call have its id', (cli, transcript, expected) => {
  const called = Map.groupBy(eventsOf(cli, transcript).filter(hasId), ({ id }) => id);
  const found = [...called.values()].map((events) => events.map(textOf).join(', '));
  expect(found).toEqual(expected);
});

test.each(
  [
    'claude/writing claude/refused codex/classic-tools codex/code-mode codex/listed-resources',
    'gemini/reading gemini/writing gemini/refused copilot/reading copilot/writing copilot/refused',
    'opencode/writing opencode/refused',
  ].flatMap((paths) => paths.split(' ')),
)('%s tells of no output without its call', (path) => {
  const [cli = '', transcript = ''] = path.split('/');
  const begun = new Set<unknown>();
  const lost = eventsOf(cli, transcript).filter((event) => {
    if (event.type === 'file_read') begun.add(event.id);
    if (event.type === 'tool_call' && beginsCall(event)) begun.add(event.id);
    else if (event.type === 'tool_call') return !begun.has(event.id);
    // A command that names itself needs no call before it.
    return event.type === 'command' && event.command === '' && !begun.has(event.id);
  });
  expect(lost).toEqual([]);
  expect(begun.has(undefined)).toBe(false);
});

test.each([
  [
    'codex',
    {
      type: 'item.started',
      item: { id: 'item_1', type: 'collab_tool_call', tool: 'spawn_agent', status: 'in_progress' },
    },
  ],
  [
    'opencode',
    {
      type: 'tool_use',
      part: {
        callID: 'call_1',
        tool: 'task',
        state: { status: 'completed', input: { prompt: 'Look around.' }, output: 'Nothing here.' },
      },
    },
  ],
])('%s warns of a sub-agent whose tokens it does not tell', (cli, line) => {
  const told = eventsIn(adapterOf(cli), JSON.stringify(line));
  const warnings = told.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  expect(warnings).toEqual(['it started a sub-agent, whose tokens it does not tell']);
});

function adapterOf(cli: string) {
  const adapter = adapters.find(({ name }) => name === cli);
  if (adapter === undefined) throw new Error(`no adapter is named ${cli}`);
  return adapter;
}

function eventsOf(cli: string, transcript: string): readonly AgentEvent[] {
  const file = new URL(`../../fixtures/transcripts/${cli}/${transcript}.jsonl`, import.meta.url);
  return eventsIn(adapterOf(cli), readFileSync(file, 'utf8'));
}

function hasId(event: AgentEvent): event is AgentEvent & { readonly id: string } {
  return 'id' in event && typeof event.id === 'string';
}

function textOf(event: AgentEvent): string {
  return 'state' in event ? `${event.type} ${event.state}` : event.type;
}
