/**
 * The names that a line defines. A reader sees the lines of one file in their order, and the next
 * one where it asks for it; a line that is too long, or has not the look of the language, is empty
 * or left out, but for the first one.
 */
export type NameReader = (line: string, next: () => string) => readonly string[];

export const noNames: readonly string[] = [];

/** Reads lines by patterns whose only group is the name; the first one that fits tells. */
export function byPatterns(patterns: readonly RegExp[]): NameReader {
  const flags = patterns[0]?.flags ?? '';
  const any = new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), flags);
  const closes = patterns.some(({ source }) => source.startsWith('^\\}'));
  const never = closes ? signs : `${signs}}`;
  return (line) => {
    // Nearly no line fits. One pattern takes a fraction of the time of several, and a look at the
    // first character a fraction of that.
    if (never.includes(firstIn(line))) return noNames;
    const found = any.exec(line);
    if (found === null) return noNames;
    for (let group = 1; group < found.length; group++) {
      const name = found[group];
      if (name !== undefined && !notNames.has(name)) return [name];
    }
    // The first pattern that fits gave no name, but another one may.
    for (const pattern of patterns) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined && !notNames.has(name)) return [name];
    }
    return noNames;
  };
}

/** No definition starts with one of them; what closes a block may, in C. */
const signs = '!%&()+,./;<=>?[]^{|';

/** The first character of a line that is no space; of a blank line none, which every text includes. */
function firstIn(line: string): string {
  let at = 0;
  while (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9) at++;
  return line.charAt(at);
}

const notNames: ReadonlySet<string> = new Set(
  'if for while switch catch return function else do try with new throw await typeof super'.split(
    ' ',
  ),
);
