// Folds the records of a journal into one state for each step.
import type { StepKind } from '../model/step.ts';
import type { JournalRecord } from './journal-record.ts';
import type { InterruptedRun } from './steps-port.ts';

/** A step that is recorded in the journal and not voided. Positions are indexes into the records. */
export interface RecordedStep {
  readonly key: string;
  readonly group: string;
  readonly startedAt: number;
  readonly finished: FinishedStep | null;
}

export interface FinishedStep {
  readonly at: number;
  /** Digest of the input. */
  readonly input: string;
  readonly result: unknown;
}

/** Folds the records into the steps that count: those started and not voided after that. */
export function foldSteps(records: readonly JournalRecord[]): Map<string, RecordedStep> {
  const steps = new Map<string, RecordedStep>();
  for (const [at, record] of records.entries()) {
    if (record.type === 'started')
      steps.set(record.key, { ...record, startedAt: at, finished: null });
    else if (record.type === 'finished') {
      const { key, input, result } = record;
      const started = steps.get(key) ?? { key, group: key, startedAt: at };
      steps.set(key, { ...started, finished: { at, input, result } });
    } else if (record.type === 'voided') for (const key of record.keys) steps.delete(key);
  }
  return steps;
}

/** Folds the records into the results that count. */
export function foldFinishedSteps(
  records: readonly JournalRecord[],
): Map<string, { result: unknown; input: string }> {
  const results = new Map<string, { result: unknown; input: string }>();
  for (const { key, finished } of foldSteps(records).values())
    if (finished !== null) results.set(key, { result: finished.result, input: finished.input });
  return results;
}

/**
 * The given keys that are recorded, and those of every step that was started after the first of
 * them had finished (or was started, if it never finished): what built on them.
 */
export function withFollowers(
  records: readonly JournalRecord[],
  keys: readonly string[],
): readonly string[] {
  const steps = foldSteps(records);
  const named = keys.flatMap((key) => steps.get(key) ?? []);
  const from = Math.min(...named.map((step) => step.finished?.at ?? step.startedAt));
  const followers = [...steps.values()].filter((step) => step.startedAt > from);
  return [...new Set([...named, ...followers].map((step) => step.key))];
}

/** Returns a function that tells the kind of the step of each record in turn. */
export function openKinds(): (record: JournalRecord) => StepKind | null {
  const kinds = new Map<string, StepKind>();
  return (record) => {
    if (!('key' in record)) return null;
    if (record.type === 'started') kinds.set(record.key, record.kind);
    return kinds.get(record.key) ?? null;
  };
}

/** The history of a key over all runs, voided or not. */
export interface KeyHistory {
  readonly starts: number;
  readonly finishes: number;
  readonly firstStart: number;
  readonly lastFinish: FinishedStep | null;
}

export const unknownKey: KeyHistory = {
  starts: 0,
  finishes: 0,
  firstStart: Infinity,
  lastFinish: null,
};

export function keyHistories(records: readonly JournalRecord[]): Map<string, KeyHistory> {
  const histories = new Map<string, KeyHistory>();
  for (const [at, record] of records.entries()) {
    if (record.type !== 'started' && record.type !== 'finished') continue;
    const before = histories.get(record.key) ?? unknownKey;
    histories.set(record.key, { ...before, ...after(before, { at, record }) });
  }
  return histories;
}

type StepRecord = Extract<JournalRecord, { type: 'started' | 'finished' }>;

function after(
  before: KeyHistory,
  { at, record }: { at: number; record: StepRecord },
): Partial<KeyHistory> {
  if (record.type === 'started')
    return { starts: before.starts + 1, firstStart: Math.min(before.firstStart, at) };
  const { input, result } = record;
  return { finishes: before.finishes + 1, lastFinish: { at, input, result } };
}

/** The latest run of a step with this input whose end was never recorded, or null. */
export function findKilledRun(
  records: readonly JournalRecord[],
  { key, input }: { readonly key: string; readonly input: string },
): InterruptedRun | null {
  const at = records.findLastIndex((record) => startsOrEnds(record, key));
  const start = records[at];
  if (start?.type !== 'started' || start.input !== input) return null;
  const spent = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  for (const record of records.slice(at)) {
    if (record.type !== 'spent' || record.key !== key) continue;
    spent.input_tokens += record.input_tokens;
    spent.output_tokens += record.output_tokens;
    spent.cost_usd += record.cost_usd;
  }
  return { since: start.at, spent };
}

function startsOrEnds(record: JournalRecord, key: string): boolean {
  if (record.type === 'voided') return record.keys.includes(key);
  return (record.type === 'started' || record.type === 'finished') && record.key === key;
}
