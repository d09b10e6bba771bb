import type { ProviderFall } from '../model/context.ts';
import type { Emit } from '../model/event.ts';

/** Tells of each provider of the search that did not answer. */
export function tellFalls(falls: readonly ProviderFall[], emit: Emit): void {
  for (const { provider, reason, ms } of falls) {
    emit({ type: 'context.fell', provider, reason, ms: ms ?? 0 });
  }
}

/** Tells what the search had to say, as warnings. */
export function tellNotes(notes: readonly string[], emit: Emit): void {
  for (const text of notes) emit({ type: 'warning.raised', text });
}
