// Makes signals that are aborted after a time, however long.

/** The longest time that a timer of the platform can hold, in ms; a longer one would fire at once. */
export const longestTimer = 2 ** 31 - 1;

/** Makes a signal that is aborted after `ms`; `Infinity` is allowed. */
export function timeLimit(ms: number): AbortSignal {
  return AbortSignal.timeout(Math.min(Math.ceil(ms), longestTimer));
}
