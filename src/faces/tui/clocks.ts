// Advances the clocks of the bill while something runs, from one bill to the next.
import type { Event } from '../../model/event.ts';

/** Times in ms. Each bill corrects them, and none goes backwards before the end. */
export interface Clocks {
  /** The time without waiting for a person. */
  readonly sinceStart: number;
  readonly waiting: number;
  /** The moment up to which they count, in ms since the epoch; null while they are stopped. */
  readonly at: number | null;
}

export const noClocks: Clocks = { sinceStart: 0, waiting: 0, at: null };

/** Advances the clocks to a later moment. */
export function moveClocks(clocks: Clocks, now: number): Clocks {
  const { at, sinceStart } = clocks;
  if (at === null) return clocks;
  return { ...clocks, sinceStart: sinceStart + Math.max(0, now - at), at: now };
}

/** Sets the clocks by a bill, and starts them with the first step that is not a replay. */
export function clocksAfter(clocks: Clocks, event: Event): Clocks {
  if (event.type === 'session.finished') {
    const { since_start_ms: sinceStart, waiting_ms: waiting } = event.spent;
    return { sinceStart, waiting, at: null };
  }
  const at = event.replayed ? null : Date.parse(event.at);
  if (event.type === 'usage.counted') {
    const { since_start_ms, waiting_ms } = event.spent;
    const sinceStart = Math.max(clocks.sinceStart, since_start_ms);
    return { sinceStart, waiting: Math.max(clocks.waiting, waiting_ms), at };
  }
  const begins = event.type === 'step.finished' || event.type === 'agent.started';
  return begins && clocks.at === null && at !== null ? { ...clocks, at } : clocks;
}
