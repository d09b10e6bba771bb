import type { AgentStanding } from '../../ports.ts';

/** Who will sit in the first round as far as it is known, one for each seat. */
export interface FirstRound {
  /** Someone whose answer decides it has not been heard yet. */
  readonly isOpen: boolean;
  readonly seated: readonly AgentStanding[];
}

/** Fills the seats as a round does: with their agents, else with who stands in, in order. */
export function firstRound(standings: readonly AgentStanding[]): FirstRound {
  const inTurn = standings
    .filter(({ turn }) => turn !== null)
    .toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
  const seats = inTurn.filter(({ part }) => part === 'seat');
  const chain = inTurn.filter(({ part, state }) => part === 'stands in' && canSit(state));
  const seated = seats.flatMap((seat) => (canSit(seat.state) ? seat : (chain.shift() ?? [])));
  return { isOpen: seated.some(({ state }) => state === 'looking'), seated };
}

// Who is still looked for may turn out to be ready.
function canSit(state: AgentStanding['state']): boolean {
  return state === 'ready' || state === 'looking';
}
