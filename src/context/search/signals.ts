import { contentSignals } from './content-signals.ts';
import { historySignals } from './history-signals.ts';
import { definitionSignals, namedSignals, pathSignals } from './name-signals.ts';
import type { ReadSignals } from './signal.ts';

/** What files are ranked by. */
export const signals: readonly ReadSignals[] = [
  namedSignals,
  contentSignals,
  pathSignals,
  historySignals,
];

/** What counts only for the best of them, which are read for it. */
export const closeSignals: readonly ReadSignals[] = [definitionSignals];
