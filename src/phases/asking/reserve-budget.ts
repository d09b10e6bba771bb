// Reserves what a session may still use before a call, and checks it as usage is reported.
import type { RunningCall } from '../../agents/attempt.ts';
import { amountsOf, amountText, type Amount, type BudgetLimits } from '../../model/budget.ts';
import { Stopped } from '../../model/failure.ts';
import { flowOf, parseStep } from '../../model/steps.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { recordedCalls } from './fold-bill.ts';
import type { Spending } from '../../store/steps-port.ts';

/** Guards the budget of a session. Every call of an agent asks it before it starts. */
export interface SessionBudget {
  /**
   * Reserves a call by the mean of the calls before. `key` is that of its step, e.g.
   * `round-2/examine/codex`. Where it does not fit, rejects with `Stopped` as soon as the calls
   * that run have ended, so that their answers are kept.
   */
  begin(key: string): Promise<RunningCall>;
  /** Says if so many calls more would fit; for those that a session can do without. */
  fits(key: string, calls: number): boolean;
}

type Used = Omit<Spending, 'agent'>;

/** The usage of one call of an agent, as far as it is known. */
interface CallUsage extends Record<Amount, number> {
  readonly key: string;
  /** True where its tokens are counted by an estimate. */
  isEstimated: boolean;
  /** Resolves at its end; null where it has ended. */
  running: Promise<void> | null;
}

/** The budget of a session: a fold over the calls that its journal knows, and over those that run. */
export function openBudget(session: {
  readonly id: string;
  readonly limits: BudgetLimits;
  readonly records: readonly JournalRecord[];
  readonly warn: (text: string) => void;
}): SessionBudget {
  const calls = callsIn(session.records);
  const warned = new Set<string>();
  const stop = new AbortController();
  const usedFor = (key: string, more = 1) => limitsFor(key, session.limits, { all: calls, more });
  const findOver = (key: string, more = 1) =>
    usedFor(key, more).find(({ used, next, most }) => used >= most || next > most);

  function begin(key: string): RunningCall {
    const call = newCall(key);
    const ended = Promise.withResolvers<void>();
    const since = performance.now();
    call.running = ended.promise;
    calls.push(call);
    return {
      over: stop.signal,
      use(spending) {
        add(call, spending);
        const all = usedFor(key);
        const over = all.find(({ used, most }) => used > most);
        if (over !== undefined) stop.abort(usedUp(session.id, over));
        for (const limit of all.filter(({ used, most }) => used >= 0.8 * most)) {
          if (warned.has(limit.setting)) continue;
          warned.add(limit.setting);
          session.warn(`The budget of this ${limit.of} is nearly used up: ${textOf(limit)}.`);
        }
      },
      end() {
        call.minutes = (performance.now() - since) / 60_000;
        call.running = null;
        ended.resolve();
      },
    };
  }

  return {
    async begin(key) {
      const over = findOver(key);
      if (over === undefined) return begin(key);
      await Promise.all(calls.flatMap(({ running }) => running ?? []));
      throw usedUp(session.id, over);
    },
    fits: (key, more) => findOver(key, more) === undefined,
  };
}

/** Every call of a program that a journal knows, also of steps that were voided later. */
function callsIn(records: readonly JournalRecord[]): CallUsage[] {
  return recordedCalls(records)
    .filter(({ isProgram }) => isProgram)
    .map(({ key, inputTokens, outputTokens, costUsd: usd, isEstimated, ms }) => {
      const used = { usd, tokens: inputTokens + outputTokens, calls: 1, minutes: ms / 60_000 };
      return { key, ...used, isEstimated, running: null };
    });
}

function newCall(key: string): CallUsage {
  return { key, usd: 0, tokens: 0, calls: 1, minutes: 0, isEstimated: false, running: null };
}

function add(call: CallUsage, spending: Used): void {
  call.tokens += spending.input_tokens + spending.output_tokens;
  call.usd += spending.cost_usd;
  call.isEstimated ||= spending.estimated === true;
}

/** A limit that holds for a call, and how it stands. */
interface Limit {
  readonly setting: string;
  readonly of: 'session' | 'round';
  readonly amount: Amount;
  readonly most: number;
  readonly used: number;
  readonly isEstimated: boolean;
  /** The usage expected with the calls to come, and the calls that run at their end. */
  readonly next: number;
}

function limitsFor(
  key: string,
  { session, round }: BudgetLimits,
  { all, more }: { readonly all: readonly CallUsage[]; readonly more: number },
): readonly Limit[] {
  const flow = flowOf(key);
  const inFlow = all.filter((call) => flowOf(call.key) === flow);
  const scopes = [
    { of: 'session', prefix: '', most: session, calls: all },
    {
      of: 'round',
      prefix: 'round_',
      most: parseStep(key)?.phase === 'discussion' ? round : {},
      calls: inFlow,
    },
  ] as const;
  const ended = all.filter(({ running }) => running === null);
  return scopes.flatMap(({ of, prefix, most, calls }) =>
    amountsOf(most).map(([amount, value]): Limit => {
      const mean = total(ended, amount) / Math.max(1, ended.length);
      const expected = calls.map((call) =>
        call.running === null ? call[amount] : Math.max(call[amount], mean),
      );
      return {
        setting: `budget.${prefix}${amount}`,
        of,
        amount,
        most: value,
        used: total(calls, amount),
        isEstimated: amount === 'tokens' && calls.some((call) => call.isEstimated),
        next: expected.reduce((sum, one) => sum + one, more * (amount === 'calls' ? 1 : mean)),
      };
    }),
  );
}

function total(calls: readonly CallUsage[], amount: Amount): number {
  return calls.reduce((sum, call) => sum + call[amount], 0);
}

function textOf({ amount, used, most, isEstimated }: Limit): string {
  const how = isEstimated ? ', estimated, as a server reports no usage' : '';
  return `${amountText(amount, used, most)}${how}`;
}

function usedUp(session: string, limit: Limit): Stopped {
  const { of, setting } = limit;
  return new Stopped({ reason: 'budget-used-up', session, of, setting, used: textOf(limit) });
}
