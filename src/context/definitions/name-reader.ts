/**
 * The names that a line defines. A reader sees the lines of one file in their order, and the next
 * one where it asks for it.
 */
export type NameReader = (line: string, next: () => string) => readonly string[];

export const noNames: readonly string[] = [];

/** Reads lines by patterns whose only group is the name; the first one that fits tells. */
export function byPatterns(patterns: readonly RegExp[]): NameReader {
  // Nearly no line fits, and one pattern takes a fraction of the time of several.
  const any = new RegExp(
    patterns.map(({ source }) => `(?:${source})`).join('|'),
    patterns[0]?.flags,
  );
  return (line) => {
    if (startsWithSign.test(line) || !any.test(line)) return noNames;
    const found = patterns.map((pattern) => pattern.exec(line)?.[1]);
    const name = found.find((one) => one !== undefined && !notNames.has(one));
    return name === undefined ? noNames : [name];
  };
}

/** No definition starts so. */
const startsWithSign = /^\s*[!%&()+,./;<=>?[\]^{|]/;

const notNames: ReadonlySet<string> = new Set(
  'if for while switch catch return function else do try with new throw await typeof super'.split(
    ' ',
  ),
);
