import type { Pane, Progress, Spent } from './progress.ts';

export const nothingSpent: Spent = { input: 0, output: 0, costUsd: null };

export function added(a: Spent, b: Spent): Spent {
  const costUsd = a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0);
  return { input: a.input + b.input, output: a.output + b.output, costUsd };
}

export function spentBy({ settled, running }: Pane): Spent {
  return added(settled, running);
}

/** What the session has used so far, as far as its agents tell. */
export function spentSoFar({ panes }: Progress): Spent {
  return panes.map(spentBy).reduce(added, nothingSpent);
}
