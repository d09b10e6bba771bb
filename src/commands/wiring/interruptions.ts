import { endMarked } from '../../agents/process/process-tree.ts';
import { Stopped } from '../../model/failure.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { markPrefixOf } from './mark.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruptions {
  /** Aborted by the first Ctrl-C (or TERM, or a closed terminal): saves and stops. */
  readonly signal: AbortSignal;
  /** Rejects at the second one, when the processes that were started are gone. */
  readonly forced: Promise<never>;
  stop(): void;
}

/** Listens for the signals that interrupt a session. */
export function interruptions(folder: SessionFolder): Interruptions {
  const controller = new AbortController();
  const forced = Promise.withResolvers<never>();
  // Nobody may be waiting for it yet.
  forced.promise.catch(() => undefined);
  const cancelled = new Stopped({ reason: 'cancelled', session: folder.id });
  const onSignal = () => {
    if (!controller.signal.aborted) controller.abort(cancelled);
    else void endMarked(markPrefixOf(folder), 0).finally(() => forced.reject(cancelled));
  };
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    forced: forced.promise,
    stop() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
