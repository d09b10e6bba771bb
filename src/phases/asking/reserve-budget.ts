// Reserves the remaining budget of a session before a call, and checks it as usage is reported.
import type { RunningCall } from '../../agents/attempt.ts';
import { Stopped } from '../../model/failure.ts';
import type { BudgetLimits } from '../../model/settings.ts';
import type { JournalRecord } from '../../store/journal.ts';
import { billOf, recordedCalls } from './fold-bill.ts';
import type { Spending } from '../../store/steps-port.ts';

/** The amounts that agents use: US dollars as far as CLIs report them, tokens in and out, and calls. */
const amounts = ['usd', 'tokens', 'calls'] as const;
type Amount = (typeof amounts)[number];

/** Guards the budget of a session; every call of an agent asks it before it starts. */
export interface SessionBudget {
  /**
   * Reserves a call at the mean of the earlier calls. If it does not fit, rejects with `Stopped` as soon as the
   * running calls have ended, so that their answers are kept.
   */
  begin(): Promise<RunningCall>;
  /** Says if this number of additional calls would fit; used for calls that a session can do without. */
  fits(calls: number): boolean;
}

/** The known usage of one call of an agent. */
interface CallUsage extends Record<Amount, number> {
  /** True if its tokens are estimated. */
  isEstimated: boolean;
  /** Resolves when the call ends; null if it has ended. */
  running: Promise<void> | null;
}

/** Opens the budget of a session: a fold over the calls in its journal and the running ones. */
export function openBudget(session: {
  readonly id: string;
  readonly limits: BudgetLimits;
  readonly records: readonly JournalRecord[];
  readonly warn: (text: string) => void;
}): SessionBudget {
  const calls = callsIn(session.records);
  const warned = new Set<string>();
  const stop = new AbortController();
  const limitsNow = (more = 1) => [
    ...limitsWith(session.limits, { calls, more }),
    ...windowLimits(session),
  ];
  const findOver = (more = 1) =>
    limitsNow(more).find(({ used, next, most }) => used >= most || next > most);

  function begin(): RunningCall {
    const call: CallUsage = { usd: 0, tokens: 0, calls: 1, isEstimated: false, running: null };
    const ended = Promise.withResolvers<void>();
    call.running = ended.promise;
    calls.push(call);
    let agent = '';
    return {
      over: stop.signal,
      use(spending) {
        add(call, spending);
        ({ agent } = spending);
        const all = limitsNow();
        // How much of a window a call uses is seen too late to end it.
        const over = all.find(({ amount, used, most }) => amount !== 'window' && used > most);
        if (over !== undefined) stop.abort(usedUp(session.id, over));
        for (const limit of all.filter(({ used, most }) => used >= 0.8 * most)) {
          if (warned.has(limit.amount)) continue;
          warned.add(limit.amount);
          const passes = limit.amount === 'window' ? '; a call that runs may pass it' : '';
          session.warn(`The budget of this session is nearly used up: ${textOf(limit)}${passes}.`);
        }
      },
      end() {
        call.running = null;
        ended.resolve();
        const { windows = [] } = billOf(session.records);
        const isTold = agent === '' || windows.some((one) => one.agent === agent);
        if (session.limits.window === undefined || isTold || warned.has(agent)) return;
        warned.add(agent);
        session.warn(
          `budget.window does not limit ${agent}: no call of it told of a window so far.`,
        );
      },
    };
  }

  return {
    async begin() {
      const over = findOver();
      if (over === undefined) return begin();
      await Promise.all(calls.flatMap(({ running }) => running ?? []));
      throw usedUp(session.id, over);
    },
    fits: (more) => findOver(more) === undefined,
  };
}

/** Every call of a program in a journal, including calls of steps that were voided later. */
function callsIn(records: readonly JournalRecord[]): CallUsage[] {
  return recordedCalls(records)
    .filter(({ isProgram }) => isProgram)
    .map(({ inputTokens, outputTokens, costUsd: usd, isEstimated }) => ({
      usd,
      tokens: inputTokens + outputTokens,
      calls: 1,
      isEstimated,
      running: null,
    }));
}

function add(call: CallUsage, spending: Spending): void {
  call.tokens += spending.input_tokens + spending.output_tokens;
  call.usd += spending.cost_usd;
  call.isEstimated ||= spending.estimated === true;
}

/** A limit of the session, and how much of it is used. */
interface Limit {
  readonly amount: keyof BudgetLimits;
  readonly most: number;
  readonly used: number;
  readonly isEstimated: boolean;
  /** The usage expected after the coming calls and at the end of the running ones. */
  readonly next: number;
  /** What a window is called, and whose it is. */
  readonly name?: string;
}

/** The limit of each window that is open now, with what was seen of it. */
function windowLimits({
  limits: { window: most },
  records,
}: Pick<Parameters<typeof openBudget>[0], 'limits' | 'records'>): readonly Limit[] {
  const { windows = [] } = most === undefined ? {} : billOf(records);
  return windows.flatMap(({ agent, name, moved: used, resets_at }) => {
    if (most === undefined || used === null || (resets_at ?? 0) < Date.now()) return [];
    const whose = `${name} (${agent})`;
    return [{ amount: 'window', most, used, isEstimated: false, next: used, name: whose }];
  });
}

/** The limits that are set, with the usage so far and the usage after `more` calls. */
function limitsWith(
  limits: BudgetLimits,
  { calls, more }: { readonly calls: readonly CallUsage[]; readonly more: number },
): readonly Limit[] {
  const ended = calls.filter(({ running }) => running === null);
  return amounts.flatMap((amount): readonly Limit[] => {
    const most = limits[amount];
    if (most === undefined) return [];
    const mean = total(ended, amount) / Math.max(1, ended.length);
    const expected = calls.map((call) =>
      call.running === null ? call[amount] : Math.max(call[amount], mean),
    );
    const next = expected.reduce((sum, one) => sum + one, more * (amount === 'calls' ? 1 : mean));
    const isEstimated = amount === 'tokens' && calls.some((call) => call.isEstimated);
    return [{ amount, most, used: total(calls, amount), isEstimated, next }];
  });
}

function total(calls: readonly CallUsage[], amount: Amount): number {
  return calls.reduce((sum, call) => sum + call[amount], 0);
}

/** Writes the usage of a limit, e.g. `$1.62 of $2.00` or `81,000 of 100,000 tokens`. */
function textOf({ amount, used, most, isEstimated, name = '' }: Limit): string {
  if (amount === 'window')
    return `about ${Math.round(used * 100)} % of your ${name}, of at most ${Math.round(most * 100)} %`;
  const [is, may] = [used, most].map((number) =>
    amount === 'usd' ? `$${number.toFixed(2)}` : Math.round(number).toLocaleString('en'),
  );
  const how = isEstimated ? ', estimated, as a server reports no usage' : '';
  return `${is} of ${may}${amount === 'usd' ? '' : ` ${amount}`}${how}`;
}

function usedUp(session: string, limit: Limit): Stopped {
  const setting = `budget.${limit.amount}`;
  return new Stopped({ reason: 'budget-used-up', session, setting, used: textOf(limit) });
}
