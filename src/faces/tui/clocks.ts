// Moves the two clocks of the bill on while agents work, from one bill to the next.
import type { Event } from '../../model/event.ts';
import type { Pane } from './progress/progress.ts';

/** Times in ms; they are corrected by each bill, and never fall before the end. */
export interface Clocks {
  readonly agents: number;
  readonly sinceStart: number;
  /** The moment up to which they count, in ms since the epoch; null while they stand. */
  readonly at: number | null;
}

export const noClocks: Clocks = { agents: 0, sinceStart: 0, at: null };

/** The clocks at a later moment, at which these agents run. */
export function moveClocks(clocks: Clocks, now: number, panes: readonly Pane[]): Clocks {
  const { at, agents, sinceStart } = clocks;
  if (at === null) return clocks;
  const runs = panes.flatMap(({ state, since }) =>
    state === 'running' && since !== null ? Math.max(0, now - Math.max(at, since)) : [],
  );
  return {
    agents: runs.reduce((sum, ms) => sum + ms, agents),
    sinceStart: sinceStart + Math.max(0, now - at),
    at: now,
  };
}

/** The clocks after an event: a bill sets them, and they begin with the first step that is not a replay. */
export function clocksAfter(clocks: Clocks, event: Event): Clocks {
  if (event.type === 'session.finished') {
    const { agents_ms: agents, since_start_ms: sinceStart } = event.spent;
    return { agents, sinceStart, at: null };
  }
  const at = event.replayed ? null : Date.parse(event.at);
  if (event.type === 'usage.counted') {
    const { agents_ms, since_start_ms } = event.spent;
    const agents = Math.max(clocks.agents, agents_ms);
    return { agents, sinceStart: Math.max(clocks.sinceStart, since_start_ms), at };
  }
  const begins = event.type === 'step.finished' || event.type === 'agent.started';
  return begins && clocks.at === null && at !== null ? { ...clocks, at } : clocks;
}
