// Defines the settings of the budget, and puts amounts into words.
import { type Setting, type ShapeParts, setting } from './setting.ts';

/** Amounts that agents use: US dollars as far as CLIs report them, tokens in and out, calls, minutes. */
const amounts = ['usd', 'tokens', 'calls', 'minutes'] as const;
export type Amount = (typeof amounts)[number];
type Limits = Readonly<Partial<Record<Amount, number | undefined>>>;

/** The most that may be used; a missing amount has no limit. */
export interface BudgetLimits {
  readonly session: Limits;
  readonly round: Limits;
}

/** The part of the table of settings that limits what agents use. */
export const budgetSettings = {
  budgetUsd: limit('usd', 'US dollars for a session, as far as the CLIs report what they cost', {
    flag: '--budget-usd <N>',
    takenBy: ['plan', 'critique', 'execute'],
  }),
  budgetTokens: limit('tokens', 'tokens for a session, in and out', {
    flag: '--budget-tokens <N>',
    takenBy: ['plan', 'execute'],
  }),
  budgetCalls: limit('calls', 'calls of agents for a session'),
  budgetMinutes: limit('minutes', 'minutes for a session, all calls of agents added up'),
  roundUsd: limit('round_usd', 'the same for each round of the discussion'),
  roundTokens: limit('round_tokens', 'the same for each round of the discussion'),
  roundCalls: limit('round_calls', 'the same for each round of the discussion'),
  roundMinutes: limit('round_minutes', 'the same for each round of the discussion'),
};

function limit(name: string, about: string, flag: Pick<Setting, 'flag' | 'takenBy'> = {}) {
  return setting(`budget.${name}`, {
    about,
    shape: ({ z }: ShapeParts) => z.number().positive(),
    ...flag,
    untrusted: 'at-most',
    ofSession: 'by-flag',
  });
}

/** The limits that are set. */
export function amountsOf(limits: Limits): readonly (readonly [Amount, number])[] {
  const each = amounts.map((amount) => [amount, limits[amount]] as const);
  return each.flatMap(([amount, most]) => (most === undefined ? [] : [[amount, most] as const]));
}

/** `$1.62 of $2.00`, `81,000 of 100,000 tokens`. */
export function amountText(amount: Amount, used: number, most: number): string {
  const [is, may] = [used, most].map((number) =>
    amount === 'usd' ? `$${number.toFixed(2)}` : Math.round(number).toLocaleString('en'),
  );
  return `${is} of ${may}${amount === 'usd' ? '' : ` ${amount}`}`;
}
