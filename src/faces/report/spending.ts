import type { Receipt } from '../../model/receipt.ts';
import { compareTexts } from '../../model/wording.ts';
import { duration } from '../short-forms.ts';
import { type Markup, type Part, markup, table } from './markup.ts';

/** What each agent took: runs, tokens, money and time. */
export function spendingText(receipts: readonly Receipt[]): Part {
  const groups = Map.groupBy(receipts, ({ agent }) => agent);
  const longest = Math.max(...[...groups.values()].map(timeOf), 1);
  const rows = [...groups]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([agent, runs]) => row(agent, { runs, longest }));
  return markup`${table(columns, rows)}
<p class="quiet">Tokens and cost as the agents’ own programs state them; “–” where they state none.</p>`;
}

const columns = [
  { name: 'Agent' },
  { name: 'Model' },
  { name: 'Runs', numeric: true },
  { name: 'Failed', numeric: true },
  { name: 'Tokens in', numeric: true },
  { name: 'Tokens out', numeric: true },
  { name: 'Cost', numeric: true },
  { name: 'Time', numeric: true },
  { name: '' },
];

function row(
  agent: string,
  { runs, longest }: { readonly runs: readonly Receipt[]; readonly longest: number },
): readonly Part[] {
  const models = new Set(runs.flatMap(({ model }) => model ?? []));
  const time = timeOf(runs);
  const cost = total(runs.map(({ cost_usd: usd }) => usd));
  return [
    agent,
    [...models].join(', ') || '–',
    runs.length,
    runs.filter(({ failure }) => failure !== null).length,
    total(runs.map(({ tokens }) => tokens?.input ?? null))?.toLocaleString('en') ?? '–',
    total(runs.map(({ tokens }) => tokens?.output ?? null))?.toLocaleString('en') ?? '–',
    cost === null ? '–' : `$${cost.toFixed(2)}`,
    duration(time),
    bar(time / longest),
  ];
}

function timeOf(runs: readonly Receipt[]): number {
  return runs.reduce((sum, { duration_ms: ms }) => sum + ms, 0);
}

/** Of those that are known; null where none is. */
function total(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}

function bar(part: number): Markup {
  return markup`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="8"/><rect class="part" width="${(part * 100).toFixed(1)}" height="8"/></svg>`;
}
