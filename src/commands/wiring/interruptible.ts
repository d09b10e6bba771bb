import { interruptions } from './interruptions.ts';

/**
 * Runs work outside of any session. Ctrl-C aborts its signal, so that what it started is ended; a
 * second one does not wait for that. Processes of the work carry a mark that begins with
 * `markPrefix`.
 */
export async function interruptible<T>(
  work: (run: { readonly signal: AbortSignal; readonly markPrefix: string }) => Promise<T>,
): Promise<T> {
  // Nobody gains by guessing it, and node:crypto takes long to load.
  const markPrefix = `${process.pid}-${Date.now()}-${Math.random()}.`;
  const interrupt = interruptions({ markPrefix, session: null });
  try {
    return await Promise.race([work({ signal: interrupt.signal, markPrefix }), interrupt.forced]);
  } finally {
    interrupt.stop();
  }
}
