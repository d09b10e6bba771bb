// Folds the journal into the calls of agents and the bill of the session, which every face shows.
import { z } from 'zod';
import type { Bill } from '../../model/bill.ts';
import { isStep, steps } from '../../model/steps.ts';
import type { JournalRecord } from '../../store/journal-record.ts';
import { kindsIn } from '../../store/recorded-steps.ts';

/** One call of an agent that the journal knows, also of a step that was voided later. */
export interface RecordedCall {
  /** Of its step, e.g. `round-2/examine/codex`. */
  readonly key: string;
  readonly agent: string;
  /** Null where it is not known. */
  readonly model: string | null;
  /** False where nothing tells that its agent was started: of such a call, only the time counts. */
  readonly isRun: boolean;
  /** True for the run of a program: built-in analysts are none. */
  readonly isProgram: boolean;
  /** True where it ended without an answer, or this program ended before it. */
  readonly failed: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly ms: number;
}

/** The bill of a session up to its last record. */
export function billOf(records: readonly JournalRecord[]): Bill {
  const calls = recordedCalls(records);
  const total = (amount: (call: RecordedCall) => number) =>
    calls.reduce((sum, call) => sum + amount(call), 0);
  return {
    agent_runs: total(({ isRun }) => Number(isRun)),
    input_tokens: total(({ inputTokens }) => inputTokens),
    output_tokens: total(({ outputTokens }) => outputTokens),
    cost_usd: total(({ costUsd }) => costUsd),
    agents_ms: total(({ ms }) => ms),
    ...clocksOf(records),
  };
}

interface OpenCall extends RecordedCall {
  readonly startedAt: number;
}

/** Every call, in the order of their ends; those that have none come last. */
export function recordedCalls(records: readonly JournalRecord[]): readonly RecordedCall[] {
  const calls: RecordedCall[] = [];
  const open = new Map<string, OpenCall>();
  const cutOff = new Map<string, number>();
  const kindOf = kindsIn(records);
  for (const [at, record] of records.entries()) {
    if (!('key' in record) || kindOf(record.key) !== 'work') continue;
    const { key } = record;
    const call = open.get(key) ?? newCall(record);
    if (record.type === 'spent') {
      open.set(key, withSpending(call, record));
    } else if (record.type === 'started') {
      if (open.has(key)) cutOff.set(key, calls.push(withoutEnd(call, records[at - 1])) - 1);
      open.set(key, newCall(record));
    } else {
      open.delete(key);
      const ended = withEnd(call, record);
      const before = calls[cutOff.get(key) ?? -1];
      // The work of the call that was cut off was complete and is kept: nobody was called again.
      const isSame = ended.isRun && !ended.isProgram && before?.isRun === true;
      calls.push(isSame ? { ...ended, isRun: false } : ended);
    }
  }
  return [...calls, ...[...open.values()].map((call) => withoutEnd(call, records.at(-1)))];
}

function newCall({ key, at }: Pick<OpenCall, 'key'> & Pick<JournalRecord, 'at'>): OpenCall {
  const used = { inputTokens: 0, outputTokens: 0, costUsd: 0, ms: 0 };
  const state = { isRun: false, isProgram: false, failed: false };
  return { key, agent: '', model: null, ...state, ...used, startedAt: Date.parse(at) };
}

function withSpending(call: OpenCall, record: Extract<JournalRecord, { type: 'spent' }>): OpenCall {
  return {
    ...call,
    agent: record.agent,
    isRun: true,
    isProgram: true,
    inputTokens: call.inputTokens + record.input_tokens,
    outputTokens: call.outputTokens + record.output_tokens,
    costUsd: call.costUsd + record.cost_usd,
  };
}

function withoutEnd(call: OpenCall, last: JournalRecord | undefined): RecordedCall {
  const until = last === undefined ? call.startedAt : Date.parse(last.at);
  return { ...call, failed: true, ms: Math.max(0, until - call.startedAt) };
}

function withEnd(
  call: OpenCall,
  { at, result }: Extract<JournalRecord, { type: 'finished' }>,
): RecordedCall {
  const { data } = Ended.safeParse(result);
  const ms = Math.max(0, Date.parse(at) - call.startedAt);
  if (data === undefined) return { ...call, failed: true, ms };
  const { agent = call.agent, model = null, raw_output = null, failure = null } = data.receipt;
  const isProgram = raw_output !== null;
  return {
    ...call,
    agent,
    model,
    failed: failure !== null,
    ms,
    isProgram,
    isRun: isProgram || failure === null,
  };
}

/** The result of a call. An agent that was not there to be started left no output and no answer. */
const Ended = z.object({
  receipt: z.object({
    agent: z.string().optional(),
    model: z.string().nullish(),
    raw_output: z.string().nullish(),
    failure: z.looseObject({}).nullish(),
  }),
});

/** Two clocks that add up to all the time between the first record and the last one. */
function clocksOf(records: readonly JournalRecord[]): Pick<Bill, 'since_start_ms' | 'waiting_ms'> {
  const clocks = { since_start_ms: 0, waiting_ms: 0 };
  const kindOf = kindsIn(records);
  const open = new Set<string>();
  let before: { readonly at: number; readonly isEnd: boolean } | null = null;
  for (const record of records.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    if (!('key' in record) && record.type !== 'stopped') continue;
    const at = Date.parse(record.at);
    const isAgain = record.type === 'started' && open.has(record.key);
    // Another process goes on with the session: nothing of what was open has gone on meanwhile.
    if (isAgain || before?.isEnd === true) open.clear();
    const isWaiting =
      isAgain ||
      before?.isEnd === true ||
      (open.size > 0 && [...open].every((key) => kindOf(key) === 'question'));
    clocks[isWaiting ? 'waiting_ms' : 'since_start_ms'] += at - (before?.at ?? at);
    if (record.type === 'started') open.add(record.key);
    if (record.type === 'finished') open.delete(record.key);
    const isEnd =
      record.type === 'stopped' ||
      (record.type === 'finished' && isStep(record.key, steps.session.end));
    before = { at, isEnd };
  }
  return clocks;
}
