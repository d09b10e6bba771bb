import { expect, test } from 'vitest';
import { noProgress, type Progress } from '../../../../src/faces/tui/progress/progress.ts';
import { plainText } from '../../../../src/faces/tui/rows.ts';
import { endRows } from '../../../../src/faces/tui/screens/end/view.tsx';

type End = NonNullable<Progress['end']>;

const finished: End = {
  seq: 1,
  at: '2026-11-21T08:00:00.000Z',
  replayed: false,
  type: 'session.finished',
  session: 'MCP-1',
  end: 'done',
  exit_code: 0,
  message: 'It ended.',
  plan: 'plan.json',
  tasks: null,
  summary: null,
  titles: [],
  approved: false,
  next: null,
  spent: { agent_runs: 2, tokens: 48_123, cost_usd: 0.31, ms: 185_000 },
};

function stepAfter(end: Partial<End>): string | undefined {
  const whole = { ...finished, ...end };
  const rows = endRows({ ...noProgress, session: 'MCP-1', end: whole }, 80).map(plainText);
  return rows.find((line) => line.startsWith('Next'))?.replace(/^Next +/, '');
}

test.each<[string, Partial<End>, string | undefined]>([
  ['a plan is reviewed', {}, 'conclave review MCP-1'],
  [
    'an approved one is handed to an agent',
    { approved: true, next: 'codex "Carry out the plan"' },
    'codex "Carry out the plan"',
  ],
  ['also one that is invalid', { end: 'failed' }, 'conclave review MCP-1'],
  ['without one the session goes on', { end: 'failed', plan: null }, 'conclave resume MCP-1'],
  ['one that was interrupted, too', { end: 'interrupted' }, 'conclave resume MCP-1'],
  [
    'nothing is said twice',
    { end: 'cancelled', message: 'Cancelled; go on with: conclave resume MCP-1' },
    undefined,
  ],
])('what can be done after the end: %s', (_what, end, step) => {
  expect(stepAfter(end)).toBe(step);
});
