/** The names that a line defines. A reader sees the lines of one file in their order. */
export type NameReader = (line: string, next: string) => readonly string[];

export const noNames: readonly string[] = [];

/** Reads lines by patterns whose first group is the name; the first one that fits tells. */
export function byPatterns(patterns: readonly RegExp[]): NameReader {
  const flags = patterns[0]?.flags ?? '';
  const any = new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), flags);
  return (line) => {
    // Nearly no line fits, and one pattern takes a fraction of the time of several.
    if (!any.test(line)) return noNames;
    for (const pattern of patterns) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined && !notNames.has(name)) return [name];
    }
    return noNames;
  };
}

const notNames: ReadonlySet<string> = new Set(
  'if for while switch catch return function else do try with new throw await typeof super'.split(
    ' ',
  ),
);
