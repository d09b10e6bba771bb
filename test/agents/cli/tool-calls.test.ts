// A tool call and what came of it can be joined by the id that the CLI gave it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adapters } from '../../../src/agents/cli/list.ts';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import { eventsIn } from './transcripts.ts';

/** Each tool call of a recorded run: its events, with how far it was by then. */
const lives: readonly (readonly [cli: string, transcript: string, readonly string[]])[] = [
  ['claude', 'reading', ['file-read completed', 'file-read completed', 'warning, approval-needed']],
  [
    'claude',
    'writing',
    ['tool-call started, file-change completed', 'tool-call started, command completed'],
  ],
  [
    'codex',
    'classic-tools',
    ['tool-call started, command completed', 'tool-call started, command completed'],
  ],
  ['codex', 'listed-resources', ['tool-call started, tool-output completed']],
  ['codex', 'searched', ['tool-call completed']],
  ['codex', 'wrote', ['file-change completed, file-change completed']],
  ['gemini', 'writing', ['tool-call started', 'tool-call started, command completed']],
  [
    'copilot',
    'writing',
    ['tool-call started, command completed', 'tool-call started, file-change completed'],
  ],
  ['opencode', 'writing', ['file-change completed', 'command completed']],
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
    if (event.kind === 'tool-call' || event.kind === 'file-read') begun.add(event.id);
    if (event.kind === 'tool-output') return !begun.has(event.id);
    // A command that names itself needs no call before it.
    return event.kind === 'command' && event.command === '' && !begun.has(event.id);
  });
  expect(lost).toEqual([]);
  expect(begun.has(undefined)).toBe(false);
});

function eventsOf(cli: string, transcript: string): readonly AgentEvent[] {
  const adapter = adapters.find(({ name }) => name === cli);
  if (adapter === undefined) throw new Error(`no adapter is named ${cli}`);
  const file = new URL(`../../fixtures/transcripts/${cli}/${transcript}.jsonl`, import.meta.url);
  return eventsIn(adapter, readFileSync(file, 'utf8'));
}

function hasId(event: AgentEvent): event is AgentEvent & { readonly id: string } {
  return 'id' in event && typeof event.id === 'string';
}

function textOf(event: AgentEvent): string {
  return 'state' in event ? `${event.kind} ${event.state}` : event.kind;
}
