/** Keeps what was read last, up to a bound of bytes. A text counts two bytes a character. */
export function readCache(mostBytes: number): {
  get(path: string): string | null | undefined;
  set(path: string, text: string | null): void;
} {
  const kept = new Map<string, string | null>();
  let bytes = 0;
  const forget = (path: string): void => {
    bytes -= weightOf(path, kept.get(path));
    kept.delete(path);
  };
  return {
    get(path) {
      const text = kept.get(path);
      if (text === undefined) return undefined;
      kept.delete(path);
      kept.set(path, text);
      return text;
    },
    set(path, text) {
      if (kept.has(path)) forget(path);
      kept.set(path, text);
      bytes += weightOf(path, text);
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes) break;
        forget(oldest);
      }
    },
  };
}

function weightOf(path: string, text: string | null | undefined): number {
  return 2 * (path.length + (text?.length ?? 0));
}
