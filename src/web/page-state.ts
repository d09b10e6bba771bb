// Holds what a page shows, part by part, and tells pages what has changed since they last asked.
import { setTimeout } from 'node:timers/promises';
import type { PageParts } from '../faces/web/page-parts.ts';

interface PageState {
  /** Takes new parts; those that are as before are not sent again. */
  set(parts: Partial<PageParts>): void;
  /** The parts that are newer than a revision; waits for one, though not for ever. */
  since(revision: number, signal: AbortSignal): Promise<PageNews>;
}

interface PageNews {
  readonly revision: number;
  readonly parts: Readonly<Record<string, unknown>>;
}

/** How long a page waits for news before it asks again, in ms; it notices so that the server is gone. */
const longestWait = 25_000;

export function pageState(): PageState {
  const all = new Map<
    string,
    { readonly revision: number; readonly text: string; readonly value: unknown }
  >();
  let revision = 0;
  let news = Promise.withResolvers<void>();
  return {
    set(parts) {
      const changed = Object.entries(parts)
        .map(([name, value]) => ({ name, value, text: JSON.stringify(value) }))
        .filter(({ name, text }) => all.get(name)?.text !== text);
      if (changed.length === 0) return;
      revision += 1;
      for (const { name, ...part } of changed) all.set(name, { ...part, revision });
      news.resolve();
      news = Promise.withResolvers();
    },
    async since(after, signal) {
      if (revision <= after) {
        const over = new AbortController();
        const either = AbortSignal.any([signal, over.signal]);
        await Promise.race([news.promise, setTimeout(longestWait, null, { signal: either })]).catch(
          () => undefined,
        );
        over.abort();
      }
      const newer = [...all].filter(([, part]) => part.revision > after);
      return {
        revision,
        parts: Object.fromEntries(newer.map(([name, { value }]) => [name, value])),
      };
    },
  };
}
