// Handles Ctrl-C, TERM and a closed terminal, in a session or outside.
import { markPrefixOf } from '../../app/session-places.ts';
import { endMarked } from '../../agents/process/process-tree.ts';
import { Stopped } from '../../model/failure.ts';
import type { SessionFolder } from '../../store/session-folder.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGHUP'] as const;

export interface Interruptions {
  /** Aborted by the first Ctrl-C (or TERM, QUIT, or a closed terminal): saves and stops. */
  readonly signal: AbortSignal;
  /** Rejects at the second Ctrl-C, TERM or QUIT, when the processes that were started are gone. */
  readonly forced: Promise<never>;
  /** Resolves when no person looks at the end: by TERM, QUIT, or a closed terminal. */
  readonly deserted: Promise<void>;
  /** Says which session runs, once its folder is known. */
  names(session: SessionFolder): void;
  stop(): void;
}

/** Listens for the signals that interrupt a session, or work outside of any. */
export function interruptions(
  outside: { readonly markPrefix: string } | null = null,
): Interruptions {
  const controller = new AbortController();
  const forced = Promise.withResolvers<never>();
  // Nobody may be waiting for it yet.
  forced.promise.catch(() => undefined);
  const desertion = Promise.withResolvers<void>();
  let folder: SessionFolder | null = null;
  const onSignal = (name: (typeof signals)[number]) => {
    if (name !== 'SIGINT') desertion.resolve();
    const cancelled = new Stopped({ reason: 'cancelled', session: folder?.id ?? null });
    if (!controller.signal.aborted) controller.abort(cancelled);
    // A terminal that is gone sends several of these: no person is impatient.
    else if (name !== 'SIGHUP') {
      const markPrefix = folder === null ? outside?.markPrefix : markPrefixOf(folder);
      giveUp(folder, markPrefix).then(() => forced.reject(cancelled), forced.reject);
    }
  };
  const listeners = signals.map((name) => ({ name, listener: () => onSignal(name) }));
  for (const { name, listener } of listeners) process.on(name, listener);
  return {
    signal: controller.signal,
    forced: forced.promise,
    deserted: desertion.promise,
    names: (session) => void (folder = session),
    stop() {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}

/** Ends the processes that were started, and leaves a session so that another process can take it. */
async function giveUp(folder: SessionFolder | null, markPrefix: string | undefined): Promise<void> {
  try {
    if (markPrefix !== undefined) await endMarked(markPrefix, 0);
  } finally {
    // Work outside of any session never needs it.
    if (folder !== null) await (await import('../../store/lock.ts')).leaveSession(folder);
  }
}

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
  const interrupt = interruptions({ markPrefix });
  try {
    return await Promise.race([work({ signal: interrupt.signal, markPrefix }), interrupt.forced]);
  } finally {
    interrupt.stop();
  }
}
