// Watches the time limits of one running program.
import { longestTimer } from '../../context/provider.ts';
import type { RunLimits } from '../agent.ts';

/** A time limit that was reached. */
export type Limit = 'first-output' | 'idle' | 'total';

interface LimitWatch {
  /** Notes every byte of output; only `stdout` counts as the first output. */
  noteOutput(stream: 'stdout' | 'stderr'): void;
  stop(): void;
}

/**
 * Calls `onLimit` once, when the first of the limits is reached. All clocks are monotonic. While
 * `isHeld` (we do not read, because nobody consumes our lines) silence does not count against the
 * program.
 */
export function watchLimits(
  limits: RunLimits,
  { isHeld, onLimit }: { isHeld: () => boolean; onLimit: (limit: Limit) => void },
): LimitWatch {
  const startedAt = performance.now();
  let lastOutputAt: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function deadlines(): { limit: Limit; at: number }[] {
    return [
      { limit: 'total', at: startedAt + limits.totalMs },
      lastOutputAt === null
        ? { limit: 'first-output', at: startedAt + limits.firstOutputMs }
        : { limit: 'idle', at: lastOutputAt + limits.idleMs },
    ];
  }

  function check(): void {
    if (isHeld()) lastOutputAt = performance.now();
    const next = deadlines().reduce((first, other) => (other.at < first.at ? other : first));
    const left = next.at - performance.now();
    clearTimeout(timer);
    if (left <= 0) onLimit(next.limit);
    else if (left !== Infinity) timer = setTimeout(check, Math.min(Math.ceil(left), longestTimer));
  }

  check();
  return {
    noteOutput(stream) {
      if (lastOutputAt !== null) lastOutputAt = performance.now();
      else if (stream === 'stdout') {
        lastOutputAt = performance.now();
        check();
      }
    },
    stop: () => clearTimeout(timer),
  };
}
