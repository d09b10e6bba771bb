// Puts the time limits of a test into its own hands, so that nobody waits for one to pass.
import { onTestFinished, vi } from 'vitest';

/** What `AbortSignal.timeout` is asked for from now on passes only when the test says so. */
export function heldTime(): { pass(ms: number): void } {
  const limits: { readonly ms: number; readonly controller: AbortController }[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    limits.push({ ms, controller });
    return controller.signal;
  });
  onTestFinished(() => spy.mockRestore());
  return {
    /** Lets that much time pass for every limit that was asked for so far. */
    pass(passed) {
      for (const { ms, controller } of limits)
        if (ms <= passed) controller.abort(new DOMException('The time is over', 'TimeoutError'));
    },
  };
}
