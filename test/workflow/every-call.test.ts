// Says that every kind of call of an agent counts after a resume: for the budget and for the state.
import { expect, test } from 'vitest';
import { formatVersion } from '../../src/model/id-patterns.ts';
import { billOf } from '../../src/phases/asking/fold-bill.ts';
import { openBudget } from '../../src/phases/asking/reserve-budget.ts';
import type { JournalRecord } from '../../src/store/journal-record.ts';
import { everyCall, everyStep } from '../helpers/every-step.ts';

const head = { v: formatVersion, at: '2026-01-01T00:00:00.000Z' } as const;
const input = '0'.repeat(64);

/** What a journal holds of a call: one that finished, or one whose process was killed. */
function recordsOf(
  { key, group, kind }: Pick<ReturnType<typeof everyStep>[number], 'key' | 'group' | 'kind'>,
  { isFinished }: { readonly isFinished: boolean },
): readonly JournalRecord[] {
  const start = { ...head, type: 'started', key, group, kind, input, attempt: 1 } as const;
  const used = { agent: 'codex', input_tokens: 10, output_tokens: 1, cost_usd: 0 };
  const result = { receipt: { raw_output: 'events.jsonl', duration_ms: 60_000 } };
  return [
    start,
    { ...head, type: 'spent', key, ...used },
    ...(isFinished ? [{ ...head, type: 'finished', key, input, ms: 1, result } as const] : []),
  ];
}

async function fits(records: readonly JournalRecord[], calls: number): Promise<boolean> {
  const budget = openBudget({ id: 'session', limits: { calls }, records, warn: () => undefined });
  return await budget.begin().then(
    () => true,
    () => false,
  );
}

test.each([{ isFinished: true }, { isFinished: false }])(
  'every kind of call counts, %o',
  async (how) => {
    const calls = everyCall().map((call) => call.by('codex'));
    const records = calls.flatMap((call) => recordsOf(call, how));
    expect(billOf(records).agent_runs).toBe(calls.length);
    expect(await fits(records, calls.length)).toBe(false);
    expect(await fits(records, calls.length + 1)).toBe(true);
  },
);

test('a call that this version does not know counts by the kind that is recorded', async () => {
  const unknown = { key: 'debate-1/argue/codex', group: 'debate-1', kind: 'work' } as const;
  const records = recordsOf(unknown, { isFinished: true });
  expect(billOf(records).agent_runs).toBe(1);
  expect(await fits(records, 1)).toBe(false);
});

test('no other step counts', async () => {
  const others = everyStep().filter(({ kind }) => kind !== 'work');
  const records = others.flatMap((step) =>
    recordsOf(step, { isFinished: true }).filter(({ type }) => type !== 'spent'),
  );
  expect(billOf(records).agent_runs).toBe(0);
  expect(await fits(records, 1)).toBe(true);
});
