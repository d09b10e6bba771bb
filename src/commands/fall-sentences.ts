import type { ProviderFall } from '../model/context.ts';

/** What is said of the providers that did not answer. */
export function fallSentences(falls: readonly ProviderFall[]): readonly string[] {
  return falls.map(({ provider, reason }) =>
    reason.startsWith('found ')
      ? `The search by ${provider} ${reason}.`
      : `The search by ${provider} failed: ${reason}.`,
  );
}
