// Holds what a page shows, part by part, and tells pages what has changed since they last asked.
import { EventEmitter, once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
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
  const all = new Map<string, { readonly revision: number; readonly value: unknown }>();
  const news = new EventEmitter().setMaxListeners(0);
  let revision = 0;
  return {
    set(parts) {
      const changed = Object.entries(parts).filter(
        ([name, value]) => !isDeepStrictEqual(all.get(name)?.value, value),
      );
      if (changed.length === 0) return;
      revision += 1;
      for (const [name, value] of changed) all.set(name, { revision, value });
      news.emit('changed');
    },
    async since(after, given) {
      const signal = AbortSignal.any([given, AbortSignal.timeout(longestWait)]);
      if (revision <= after) await once(news, 'changed', { signal }).catch(() => undefined);
      const newer = [...all].filter(([, part]) => part.revision > after);
      return { revision, parts: Object.fromEntries(newer.map(([name, one]) => [name, one.value])) };
    },
  };
}
