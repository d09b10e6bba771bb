import type { ProviderFall } from '../model/context.ts';
import type { Emit } from '../model/event.ts';

/** Tells of each provider of the search that did not answer. */
export function tellFalls(falls: readonly ProviderFall[], emit: Emit): void {
  for (const { provider, reason, ms } of falls) {
    emit({ type: 'context.fell', provider, reason, ms: ms ?? 0 });
  }
}
