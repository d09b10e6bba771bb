// Folds the journal into the calls of agents and the bill of the session, which every face shows.
import { z } from 'zod';
import { Text } from '../../model/plain-shapes.ts';
import type { Bill, WindowUse } from '../../model/bill.ts';
import type { StepKind } from '../../model/step.ts';
import { isStep, steps } from '../../model/steps.ts';
import type { JournalRecord } from '../../store/journal-record.ts';
import { openKinds } from '../../store/recorded-steps.ts';

/** A call of an agent that the journal contains, including calls of steps that were voided later. */
export interface RecordedCall {
  /** The key of its step, e.g. `round-2/examine/codex`. */
  readonly key: string;
  readonly agent: string;
  /** Null if the model is unknown. */
  readonly model: string | null;
  /** False if nothing shows that the agent was started; only the time of such a call counts. */
  readonly isRun: boolean;
  /** True if a program ran; built-in analysts are not programs. */
  readonly isProgram: boolean;
  /** True if the call ended without an answer, or if Conclave ended first. */
  readonly failed: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  /** True if the tokens were not reported. */
  readonly isEstimated: boolean;
  readonly ms: number;
  /** The moment of its start, in ms since 1970. */
  readonly startedAt: number;
}

/** The bill of a session up to its last record. */
export function billOf(records: readonly JournalRecord[]): Bill {
  const tell = bills.get(records) ?? openBill(records);
  bills.set(records, tell);
  return tell();
}

/** A journal only grows, and each usage report asks for its bill, so counted records are not counted again. */
const bills = new WeakMap<readonly JournalRecord[], () => Bill>();

function openBill(records: readonly JournalRecord[]): () => Bill {
  const [calls, clocks, windows] = [openCalls(), openClocks(), openWindows()];
  const kindOf = openKinds();
  let count = 0;
  return () => {
    for (const record of records.slice(count)) {
      const kind = kindOf(record);
      calls.take(record, kind);
      clocks.take(record, kind);
      windows.take(record, kind);
    }
    count = records.length;
    return { ...totalOf(calls.all()), ...windows.all(), ...clocks.told };
  };
}

/** Adds up what calls used. */
export function totalOf(calls: readonly RecordedCall[]): Omit<Bill, keyof Clocks | 'windows'> {
  const total = (amount: (call: RecordedCall) => number) =>
    calls.reduce((sum, call) => sum + amount(call), 0);
  return {
    agent_runs: total(({ isRun }) => Number(isRun)),
    input_tokens: total(({ inputTokens }) => inputTokens),
    output_tokens: total(({ outputTokens }) => outputTokens),
    cost_usd: total(({ costUsd }) => costUsd),
    ...(calls.some(({ isEstimated }) => isEstimated) && { estimated: true }),
    agents_ms: total(({ ms }) => ms),
  };
}

/** Every call in the order of its end; calls without an end come last. */
export function recordedCalls(records: readonly JournalRecord[]): readonly RecordedCall[] {
  const calls = openCalls();
  const kindOf = openKinds();
  for (const record of records) calls.take(record, kindOf(record));
  return calls.all();
}

interface OpenCall extends RecordedCall {
  isRun: boolean;
  isProgram: boolean;
  agent: string;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  isEstimated: boolean;
}

function openCalls() {
  const ended: RecordedCall[] = [];
  const open = new Map<string, OpenCall>();
  const cutOff = new Map<string, number>();
  let last: JournalRecord | null = null;

  function callOf(record: Extract<JournalRecord, { key: string }>): OpenCall {
    const call = open.get(record.key) ?? newCall(record);
    open.set(record.key, call);
    return call;
  }

  function end(call: OpenCall, record: Extract<JournalRecord, { type: 'finished' }>): void {
    open.delete(call.key);
    const one = withEnd(call, record);
    const before = ended[cutOff.get(call.key) ?? -1];
    // The interrupted call had completed its work, which is kept, so the agent was not called again.
    const isSame = one.isRun && !one.isProgram && before?.isRun === true;
    ended.push(isSame ? { ...one, isRun: false } : one);
  }

  function begin(record: Extract<JournalRecord, { type: 'started' }>): void {
    const { key } = record;
    const call = open.get(key);
    if (call !== undefined) cutOff.set(key, ended.push(withoutEnd(call, last)) - 1);
    open.set(key, newCall(record));
  }

  return {
    take(record: JournalRecord, kind: StepKind | null): void {
      if (kind === 'work' && 'key' in record) {
        if (record.type === 'started') begin(record);
        else if (record.type === 'spent') spend(callOf(record), record);
        else end(callOf(record), record);
      }
      last = record;
    },
    all: (): readonly RecordedCall[] => [
      ...ended,
      ...[...open.values()].map((call) => withoutEnd(call, last)),
    ],
  };
}

function newCall({ key, at }: Pick<OpenCall, 'key'> & Pick<JournalRecord, 'at'>): OpenCall {
  const used = { inputTokens: 0, outputTokens: 0, costUsd: 0, ms: 0 };
  const state = { isEstimated: false, isRun: false, isProgram: false, failed: false };
  return { key, agent: '', model: null, ...state, ...used, startedAt: Date.parse(at) };
}

function spend(call: OpenCall, record: Extract<JournalRecord, { type: 'spent' }>): void {
  call.agent = record.agent;
  call.isRun = true;
  call.isProgram = true;
  call.inputTokens += record.input_tokens;
  call.outputTokens += record.output_tokens;
  call.costUsd += record.cost_usd;
  call.isEstimated ||= record.estimated === true;
}

function withoutEnd(call: OpenCall, last: JournalRecord | null): RecordedCall {
  const until = last === null ? call.startedAt : Date.parse(last.at);
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

/** The result of a call. An agent that could not be started left neither output nor answer. */
const Ended = z.object({
  receipt: z.object({
    agent: Text.optional(),
    model: Text.nullish(),
    raw_output: Text.nullish(),
    failure: z.looseObject({}).nullish(),
  }),
});

/**
 * Follows what calls show of plans. What a window shows more than at the call before is counted, unless a person
 * was waited for in between, who may have used the plan for something else. A window that was reset counts anew.
 */
function openWindows() {
  const seen = new Map<string, { readonly told: WindowUse; last: number | null }>();
  return {
    take(record: JournalRecord, kind: StepKind | null): void {
      const isAgain = record.type === 'started' && record.attempt > 1;
      const isAnswer = kind === 'question' && record.type === 'finished' && !isUnasked(record);
      if (isAgain || isAnswer || isEndOfRun(record))
        for (const window of seen.values()) window.last = null;
      if (record.type !== 'spent' || record.window === undefined) return;
      const { agent, window } = record;
      const { used, ...told } = window;
      const known = seen.get(`${agent} ${told.name}`);
      const isSame = (told.resets_at ?? 0) - (known?.told.resets_at ?? 0) < jitterMs;
      const same = isSame ? known : undefined;
      const before = told.resets_at === null ? 0 : (same?.last ?? null);
      const earlier = same?.told.moved ?? null;
      const moved = before === null ? earlier : (earlier ?? 0) + Math.max(0, used - before);
      seen.set(`${agent} ${told.name}`, { told: { agent, ...told, moved }, last: used });
    },
    all(): Pick<Bill, 'windows'> {
      const windows = [...seen.values()].map(({ told }) => told);
      return windows.length === 0 ? {} : { windows };
    },
  };
}

/** How far two reports of the same reset differ, as some are counted from the moment of the answer. */
const jitterMs = 60_000;

type Clocks = Pick<Bill, 'since_start_ms' | 'waiting_ms'>;

/** Opens two clocks that add up to the time in which the session ran. */
function openClocks() {
  const told: Clocks = { since_start_ms: 0, waiting_ms: 0 };
  const open = { questions: new Set<string>(), others: new Set<string>() };
  let before: { readonly at: number; readonly isEnd: boolean } | null = null;
  return {
    told,
    take(record: JournalRecord, kind: StepKind | null): void {
      if (!('key' in record) && record.type !== 'stopped') return;
      const keys = kind === 'question' ? open.questions : open.others;
      const isAgain = record.type === 'started' && keys.has(record.key);
      // Another process resumes the session, so the open steps made no progress in between.
      const isFresh = isAgain || before?.isEnd === true;
      if (isFresh) for (const all of Object.values(open)) all.clear();
      const isAsked = open.questions.size > 0 && open.others.size === 0 && !isUnasked(record);
      // The system clock may have been set back.
      const at = Math.max(Date.parse(record.at), before?.at ?? 0);
      // Nobody is counted as waiting while no process runs.
      if (!isFresh) told[isAsked ? 'waiting_ms' : 'since_start_ms'] += at - (before?.at ?? at);
      if (record.type === 'started') keys.add(record.key);
      if (record.type === 'finished') keys.delete(record.key);
      before = { at, isEnd: isEndOfRun(record) };
    },
  };
}

/** True for the end of a question that flags answered in place of a person. */
function isUnasked(record: JournalRecord): boolean {
  const { data } = record.type === 'finished' ? Answered.safeParse(record.result) : {};
  return data !== undefined && data !== 'user';
}

const By = z.object({ by: Text }).transform(({ by }) => by);
const Answered = z.union([By, z.object({ verdict: By }).transform(({ verdict }) => verdict)]);

function isEndOfRun(record: JournalRecord): boolean {
  if (record.type === 'finished') return isStep(record.key, steps.session.end);
  return record.type === 'stopped';
}
