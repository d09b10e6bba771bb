// Lets checks run side by side, and one by itself that needs what another one holds, e.g. a port.

export interface CheckTurns {
  /** Runs a check beside others, once nothing runs by itself. */
  beside<T>(run: () => Promise<T>): Promise<T>;
  /** Runs a check once all others have ended, and lets none begin meanwhile. */
  alone<T>(run: () => Promise<T>): Promise<T>;
}

/** Opens the turns of the checks of one execution. */
export function openTurns(): CheckTurns {
  const running = new Set<Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    async beside(run) {
      for (let seen: unknown = null; seen !== last;) {
        seen = last;
        await seen;
      }
      const now = run();
      running.add(now);
      try {
        return await now;
      } finally {
        running.delete(now);
      }
    },
    async alone(run) {
      const before = last;
      const now = (async () => {
        await before;
        await Promise.allSettled(running);
        return await run();
      })();
      last = Promise.allSettled([now]);
      return await now;
    },
  };
}
