/**
 * The names that a line defines. A reader sees the lines of one file in their order, and the next
 * one where it asks for it.
 */
export type NameReader = (line: string, next: () => string) => readonly string[];

export const noNames: readonly string[] = [];

/** Reads lines by patterns whose first group is the name; the first one that fits tells. */
export function byPatterns(patterns: readonly RegExp[]): NameReader {
  const flags = patterns[0]?.flags ?? '';
  const any = new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), flags);
  const mayClose = patterns.some(({ source }) => source.startsWith('^\\}'));
  return (line) => {
    // Nearly no line fits; one look takes a fraction of the time of a pattern, one of several.
    if (isSign(firstIn(line), mayClose) || !any.test(line)) return noNames;
    for (const pattern of patterns) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined && !notNames.has(name)) return [name];
    }
    return noNames;
  };
}

const closing = 0x7d;

/** True for no character, and for one that no definition starts with. */
function isSign(code: number, mayClose: boolean): boolean {
  return code > 127 ? false : signs[code] === 1 && !(mayClose && code === closing);
}

const signs = new Uint8Array(128);
for (const sign of '\0!%&()+,./;<=>?[]^{|}') signs[sign.charCodeAt(0)] = 1;

/** The first character of a line that is no space; 0 where there is none. */
function firstIn(line: string): number {
  let at = 0;
  while (at < line.length && (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9)) at++;
  return at === line.length ? 0 : line.charCodeAt(at);
}

const notNames: ReadonlySet<string> = new Set(
  'if for while switch catch return function else do try with new throw await typeof super'.split(
    ' ',
  ),
);
