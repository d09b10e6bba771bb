import { setImmediate as turn } from 'node:timers/promises';

/** Long work in pieces, between which timers, Ctrl-C and the output of git are heard. */
export interface Turns {
  /** Whether it is time: to wait between all pieces would take longer than many of them. */
  isDue(): boolean;
  /** Lets them be heard. Rejects with the signal’s reason when that is aborted. */
  take(): Promise<void>;
}

/** In ms. */
const longestTurn = 4;

export function turnsUntil(signal: AbortSignal): Turns {
  let turned = performance.now();
  return {
    isDue: () => performance.now() - turned >= longestTurn,
    async take() {
      await turn();
      signal.throwIfAborted();
      turned = performance.now();
    },
  };
}
