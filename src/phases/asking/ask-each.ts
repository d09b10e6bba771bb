// Asks several agents, at once or one after the other; if one cannot go on, the others are stopped and awaited.
import type { RunSettings } from '../../model/run-settings.ts';

/** Asks each agent. At once, those that still run are stopped when one cannot go on, e.g. because the disk is full. */
export async function askEach<T>(
  names: readonly string[],
  ask: (name: string, signal: AbortSignal) => Promise<T>,
  { mode, signal }: Pick<RunSettings, 'mode'> & { readonly signal: AbortSignal },
): Promise<readonly T[]> {
  if (mode === 'serial') {
    const answers: T[] = [];
    for (const name of names) answers.push(await ask(name, signal));
    return answers;
  }
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const running = names.map((name) => ask(name, either));
  try {
    return await Promise.all(running);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}
