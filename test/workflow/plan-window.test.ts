// Says what of a plan’s window a session counts as its own, and when no further call begins.
import { expect, test } from 'vitest';
import { amountText } from '../../src/faces/short-forms.ts';
import { emptyBill } from '../../src/model/bill.ts';
import { formatVersion } from '../../src/model/id-patterns.ts';
import { billOf } from '../../src/phases/asking/fold-bill.ts';
import { openBudget } from '../../src/phases/asking/reserve-budget.ts';
import type { JournalRecord } from '../../src/store/journal-record.ts';
import { everyCall, everyStep } from '../helpers/every-step.ts';

const head = { v: formatVersion, at: '2026-01-01T00:00:00.000Z' } as const;
const input = '0'.repeat(64);
const later = Date.now() + 3_600_000;
const [first] = everyCall();
const call = first?.by('codex') ?? { key: '', group: '' };
const asked = everyStep().find(({ kind }) => kind === 'question') ?? { key: '', group: '' };

/** A call that shows in turn how much of its 5-hour window is used. */
function shows(shares: readonly number[], resets_at = later, attempt = 1): JournalRecord[] {
  const { key, group } = call;
  const used = { agent: 'codex', input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  return [
    { ...head, type: 'started', key, group, kind: 'work', input, attempt },
    ...shares.map((share): JournalRecord => {
      const window = { name: '5-hour window', used: share, resets_at };
      return { ...head, type: 'spent', key, ...used, window };
    }),
    { ...head, type: 'finished', key, input, ms: 1, result: {} },
  ];
}

function answeredBy(by: string): JournalRecord[] {
  const { key, group } = asked;
  return [
    { ...head, type: 'started', key, group, kind: 'question', input, attempt: 1 },
    { ...head, type: 'finished', key, input, ms: 1, result: { by } },
  ];
}

const movedIn = (...records: readonly JournalRecord[][]) =>
  billOf(records.flat()).windows?.map(({ moved }) => moved);

test('a window counts by what calls of the session show one after the other', () => {
  expect(movedIn(shows([]))).toBeUndefined();
  expect(movedIn(shows([0.3]))).toEqual([null]);
  expect(movedIn(shows([0.25, 0.5]), shows([0.75]))).toEqual([0.5]);
});

test('what it shows more after a person was waited for, or a process was killed, is not counted', () => {
  expect(movedIn(shows([0.25, 0.5]), answeredBy('user'), shows([0.75]))).toEqual([0.25]);
  expect(movedIn(shows([0.25, 0.5]), answeredBy('flags'), shows([0.75]))).toEqual([0.5]);
  expect(movedIn(shows([0.25, 0.5]), [{ ...head, type: 'stopped' }], shows([0.75]))).toEqual([
    0.25,
  ]);
  expect(movedIn(shows([0.25, 0.5]), shows([0.75], later, 2))).toEqual([0.25]);
});

test('a window that is reset in mid-session counts anew, and one told to the second does not', () => {
  expect(movedIn(shows([0.25, 0.5]), shows([0.75], later + 1_000))).toEqual([0.5]);
  expect(movedIn(shows([0.25, 0.5]), shows([0.1], later + 18e6))).toEqual([null]);
  expect(movedIn(shows([0.25, 0.5]), shows([0.125, 0.25], later + 18e6))).toEqual([0.125]);
});

const textOf = (...records: readonly JournalRecord[][]) =>
  amountText({ ...emptyBill, windows: billOf(records.flat()).windows });

test('the bill says the share, and that it is not known where a window was told only once', () => {
  expect(textOf(shows([0.25, 0.31]))).toContain('about 6 % of your 5-hour window (codex)');
  expect(textOf(shows([0.25, 0.25]))).toContain('less than 1 % of your 5-hour window (codex)');
  expect(textOf(shows([0.25]))).toContain('of your 5-hour window (codex) not known yet');
});

const hours = (at: number) => ({ ...head, at: new Date(at * 3_600_000).toISOString() });

test('time in which no process ran is neither that of the session nor that of a person', () => {
  const { key, group } = asked;
  const question = { type: 'started', key, group, kind: 'question', input } as const;
  const records: JournalRecord[] = [
    { ...hours(0), ...question, attempt: 1 },
    { ...hours(1), type: 'stopped' },
    { ...hours(9), ...question, attempt: 2 },
    { ...hours(11), type: 'finished', key, input, ms: 1, result: { by: 'user' } },
    { ...hours(12), type: 'stopped' },
  ];
  expect(billOf(records)).toMatchObject({ waiting_ms: 3 * 3_600_000, since_start_ms: 3_600_000 });
});

/** Says why no call begins; null if one does. */
const fits = async (share: number, resets: number) =>
  await openBudget({
    id: 'session',
    limits: { window: 0.25 },
    records: shows([0.25, 0.25 + share], resets),
    warn: () => undefined,
  })
    .begin()
    .then(
      () => null,
      (error: unknown) => String(error),
    );

test('at or over the limit of a window no further call begins, until the window is reset', async () => {
  expect(await fits(0.125, later)).toBeNull();
  expect(await fits(0.25, later)).toContain(
    'about 25 % of your 5-hour window (codex), of at most 25 %',
  );
  expect(await fits(0.25, later)).toContain('raise budget.window in your settings');
  expect(await fits(0.5, Date.now() - 1_000)).toBeNull();
});

test('a call that passes the limit is not ended by it, and that it may is said before', async () => {
  const records = shows([0.25, 0.46875]);
  const told: string[] = [];
  const warn = (text: string) => void told.push(text);
  const budget = openBudget({ id: 'session', limits: { window: 0.25 }, records, warn });
  const running = await budget.begin();
  records.push(...shows([0.75]));
  running.use({ agent: 'codex', input_tokens: 0, output_tokens: 0, cost_usd: 0 });
  expect(running.over.aborted).toBe(false);
  expect(told).toEqual([
    'The budget of this session is nearly used up: about 50 % of your 5-hour window (codex), of at most 25 %; a call that runs may pass it.',
  ]);
  running.end();
  await expect(budget.begin()).rejects.toThrow(/used up/);
});

test('an agent that tells of no window is named once as not limited', async () => {
  const told: string[] = [];
  const budget = openBudget({
    id: 'session',
    limits: { window: 0.25 },
    records: shows([0.25]),
    warn: (text) => void told.push(text),
  });
  for (const agent of ['codex', 'gemini', 'gemini']) {
    const running = await budget.begin();
    running.use({ agent, input_tokens: 1, output_tokens: 1, cost_usd: 0 });
    running.end();
  }
  expect(told).toEqual([
    'budget.window does not limit gemini: no call of it told of a window so far.',
  ]);
});
