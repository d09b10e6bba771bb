import type { Spent } from './progress/progress.ts';

/** `12.3k in, 800 out, $0.42`; empty where nothing is known. */
export function spentText({ input, output, costUsd }: Spent): string {
  const tokens = input + output === 0 ? '' : `${short(input)} in ${short(output)} out`;
  const cost = costUsd === null ? '' : `$${costUsd.toFixed(2)}`;
  return [tokens, cost].filter(Boolean).join(' ');
}

/** `900`, `1.2k`, `35k`, `1.2M`. */
function short(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)}${unit}`;
}
