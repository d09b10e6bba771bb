// Keeps the events of a session, so that each reader gets all of them.

/** A list that grows until it is closed. */
export interface EventLog<T> {
  add(one: T): void;
  close(): void;
  /** Returns everything from the first entry on, including entries still to come. */
  read(): AsyncGenerator<T, void, undefined>;
}

export function openLog<T>(): EventLog<T> {
  const all: T[] = [];
  let isClosed = false;
  let news = Promise.withResolvers<void>();
  const tell = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  return {
    add(one) {
      all.push(one);
      tell();
    },
    close() {
      isClosed = true;
      tell();
    },
    async *read() {
      for (let at = 0; ;) {
        const { promise } = news;
        const next = all.slice(at);
        at += next.length;
        yield* next;
        if (at < all.length) continue;
        if (isClosed) return;
        await promise;
      }
    },
  };
}
