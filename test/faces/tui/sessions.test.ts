import { describe, expect, test } from 'vitest';
import type { SavedEntry } from '../../../src/faces/tui/ports.ts';
import { plainText } from '../../../src/faces/tui/screen-rows.ts';
import {
  chooseSession,
  sessionsRows,
  openObstacle,
} from '../../../src/faces/tui/screens/sessions-screen.tsx';
import { textField } from '../../../src/faces/tui/widgets/text-field/field.ts';

function entry(id: string, part: Partial<SavedEntry> = {}): SavedEntry {
  const where = { state: 'interrupted in plan review', changed: '2026-01-01T00:00:00Z' };
  const known = {
    started: '2025-12-31T00:00:00Z',
    cost: 0.5,
    hasPlan: true,
    canExecute: false,
    isOpen: false,
    forkOf: null,
    rejected: null,
    fault: null,
  };
  return { id, task: `Task of ${id}`, ...where, ...known, ...part };
}

const entries = [
  entry('MCP-a', { task: 'Add a --json flag to the list command' }),
  entry('MCP-b', { state: 'failed in round 2', cost: 0 }),
  entry('MCP-c', { fault: 'Session MCP-c cannot be read: line 3 of its journal is damaged.' }),
];
const readAt = Date.parse('2026-01-01T03:00:00Z');

interface Looked {
  readonly typed: string;
  readonly at: number;
  readonly purpose: 'resume' | 'review' | 'execute';
  readonly height: number;
}

function screen(of = entries, looked: Partial<Looked> = {}) {
  const { typed = '', at = 0, purpose = 'resume', height = 14 } = looked;
  const look = { width: 80, height, active: false, readAt, note: null };
  const picked = chooseSession(of, typed, at);
  const rows = sessionsRows({ entries: of, picked, field: textField(typed), purpose, ...look });
  return rows.map(plainText).join('\n');
}

describe('the picker', () => {
  test('lists the sessions, the whole task of the chosen one below', () => {
    expect(screen()).toMatchInlineSnapshot(`
      "Resume a saved session                                                3 sessions
      search › type to search by task, state or id

        STATE                       CHANGED  COST   TASK
      ▸ interrupted in plan review  3 h      $0.50  Add a --json flag to the list command
        failed in round 2           3 h      -      Task of MCP-b
        unreadable                                  line 3 of its journal is damaged.



      ────────────────────────────────────────────────────────────────────────────────
      Add a --json flag to the list command
      MCP-a
      started 27 h ago"
    `);
  });

  test('says why the plan of the chosen session was rejected', () => {
    const rejected = { why: 'too large', by: 'user' } as const;
    expect(screen([entry('MCP-a', { rejected })])).toMatch(
      /Task of MCP-a\nThe plan is rejected: too large\nMCP-a\nstarted 27 h ago$/,
    );
  });

  test('says of which session the chosen one is a fork', () => {
    const rows = screen([entry('MCP-a'), entry('MCP-b', { forkOf: 'MCP-a' })], { at: 1 });
    expect(rows).toMatch(/Task of MCP-b\nMCP-b\nfork of MCP-a\nstarted 27 h ago$/);
    expect(screen([entry('MCP-a')])).not.toContain('fork');
  });

  test.each([5, 8, 13, 14, 15])('shows sessions in a body of %i rows', (height) => {
    const rejected = { why: 'too large', by: 'user' } as const;
    const all = entries.map((one) => ({ ...one, forkOf: 'MCP-x', rejected }));
    const rows = screen(all, { height, at: 1 }).split('\n');
    expect(rows.length).toBeLessThanOrEqual(height);
    expect(
      rows.filter((line) => /^[▸ ] (?:interrupted|failed|unreadable)/.test(line)).length,
    ).toBeGreaterThan(1);
    expect(rows.filter((line) => line.startsWith('▸'))).toHaveLength(1);
  });

  test('says what to do where there is none', () => {
    expect(screen([])).toMatch(/There are no saved sessions here.[^]*Start one with: conclave "/);
    expect(screen([], { purpose: 'review' })).toContain('No session here has a plan.');
    expect(screen([], { purpose: 'execute' })).toContain('No session here has an approved plan');
    expect(screen(entries, { typed: 'xyz' })).toContain('No session matches "xyz".');
  });

  test('stays within its rows however many there are', () => {
    const many = Array.from({ length: 500 }, (_, n) => entry(`MCP-${n}`));
    const rows = screen(many, { at: 400 }).split('\n');
    expect(rows.length).toBeLessThanOrEqual(14);
    expect(rows.filter((line) => line.startsWith('▸'))).toHaveLength(1);
  });
});

test.each([
  ['json', ['MCP-a']],
  ['ROUND failed', ['MCP-b']],
  ['mcp', ['MCP-a', 'MCP-b', 'MCP-c']],
  ['damaged', ['MCP-c']],
  ['json failed', []],
])('%j finds by id, state, task or fault', (typed, ids) => {
  expect(chooseSession(entries, typed, 0).fitting.map(({ id }) => id)).toEqual(ids);
});

test('the chosen one stays in the list when the search narrows it', () => {
  expect(chooseSession(entries, 'json', 2).chosen?.id).toBe('MCP-a');
  expect(chooseSession(entries, 'xyz', 2).chosen).toBeUndefined();
});

test('a session that cannot be opened says why', () => {
  expect(openObstacle(entry('MCP-a'))).toBeNull();
  expect(openObstacle(entry('MCP-a', { state: 'waiting for you: options' }))).toBeNull();
  expect(openObstacle(entry('MCP-a', { state: 'running in context', isOpen: true }))).toContain(
    'Another process',
  );
  expect(openObstacle(entry('MCP-a', { fault: 'It is damaged.' }))).toContain('delete removes it');
});
