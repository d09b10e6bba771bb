import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../../src/faces/tui/ports.ts';
import { plainText } from '../../../../src/faces/tui/rows.ts';
import { sessionsRows } from '../../../../src/faces/tui/screens/sessions/rows.ts';
import {
  chosenEntry,
  fitting,
  moved,
  startingSessions,
  whyClosed,
  withRead,
} from '../../../../src/faces/tui/screens/sessions/state.ts';
import { textField } from '../../../../src/faces/tui/widgets/text-field/field.ts';

function entry(id: string, part: Partial<SavedEntry> = {}): SavedEntry {
  const where = { phase: 'plan-review', status: 'interrupted', changed: '2026-01-01T00:00:00Z' };
  const known = { score: 0.5, hasPlan: true, isOpen: false, rejected: null, fault: null };
  return { id, task: `Task of ${id}`, ...where, ...known, ...part };
}

const entries = [
  entry('MCP-a', { task: 'Add a --json flag to the list command' }),
  entry('MCP-b', { phase: 'discussion', status: 'failed', score: null }),
  entry('MCP-c', { fault: 'Session MCP-c cannot be read: line 3 of its journal is damaged.' }),
];
const read = withRead(startingSessions, entries, Date.parse('2026-01-01T03:00:00Z'));

function screen(state = read, typed = '', purpose: 'resume' | 'review' = 'resume'): string {
  const size = { width: 80, height: 14, active: false };
  const rows = sessionsRows({ state, field: textField(typed), purpose, ...size });
  return rows.map(plainText).join('\n');
}

describe('the picker', () => {
  test('lists the sessions, the whole task of the chosen one below', () => {
    expect(screen()).toMatchInlineSnapshot(`
      "Resume a saved session                                          3 sessions
      search › type to search by task, phase, status or id

        PHASE       STATUS       AGE     SCORE  TASK
      ▸ plan-review interrupted  3 h     0.50   Add a --json flag to the list command
        discussion  failed       3 h     -      Task of MCP-b
                    unreadable                  line 3 of its journal is damaged.




      ────────────────────────────────────────────────────────────────────────────────
      Add a --json flag to the list command
      MCP-a"
    `);
  });

  test('says why the plan of the chosen session was rejected', () => {
    const rejected = { why: 'too large', by: 'user' } as const;
    const state = withRead(read, [entry('MCP-a', { rejected })], read.readAt);
    expect(screen(state)).toMatch(/Task of MCP-a\nThe plan is rejected: too large\nMCP-a$/);
  });

  test('says what to do where there is none', () => {
    const none = withRead(startingSessions, [], 0);
    expect(screen(none)).toContain('There are no saved sessions here.');
    expect(screen(none)).toContain('Start one with: conclave "');
    expect(screen(none, '', 'review')).toContain('No session here has a plan.');
    expect(screen(read, 'xyz')).toContain('No session matches "xyz".');
  });

  test('stays within its rows however many there are', () => {
    const many = Array.from({ length: 500 }, (_, n) => entry(`MCP-${n}`));
    const state = moved(withRead(startingSessions, many, 0), '', 400);
    expect(screen(state).split('\n').length).toBeLessThanOrEqual(14);
    expect(screen(state)).toContain('▸ plan-review');
  });
});

test.each([
  ['json', ['MCP-a']],
  ['DISCUSSION failed', ['MCP-b']],
  ['mcp', ['MCP-a', 'MCP-b', 'MCP-c']],
  ['damaged', ['MCP-c']],
  ['json failed', []],
])('%j finds by id, phase, status, task or fault', (typed, ids) => {
  expect(fitting(entries, typed).map(({ id }) => id)).toEqual(ids);
});

test('the chosen one stays in the list when the search narrows it', () => {
  expect(chosenEntry(moved(read, '', 2), 'json')?.id).toBe('MCP-a');
  expect(chosenEntry(read, 'xyz')).toBeUndefined();
});

test('a session that cannot be opened says why', () => {
  expect(whyClosed(entry('MCP-a'))).toBeNull();
  expect(whyClosed(entry('MCP-a', { status: 'waiting' }))).toBeNull();
  expect(whyClosed(entry('MCP-a', { status: 'running', isOpen: true }))).toContain(
    'Another process',
  );
  expect(whyClosed(entry('MCP-a', { fault: 'It is damaged.' }))).toContain('delete removes it');
});
