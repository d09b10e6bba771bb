// Runs several calls at once; if one cannot go on, the others are stopped and awaited.

/** Stops the other calls and waits for them when one cannot go on, e.g. because the disk is full. */
export async function allOrNone<T>(
  signal: AbortSignal,
  start: (signal: AbortSignal) => readonly Promise<T>[],
): Promise<readonly T[]> {
  const stop = new AbortController();
  const running = start(AbortSignal.any([signal, stop.signal]));
  try {
    return await Promise.all(running);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}
