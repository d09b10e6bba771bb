import { isEnvironmentFile, nameReaderOf } from './definitions/languages.ts';

/** A name that a file defines. `line` counts from 1, `text` is that line. */
export interface Definition {
  readonly name: string;
  readonly line: number;
  /** Where the name stands in the content, in characters; null where it is written otherwise. */
  readonly at: number | null;
  /** Without the value in a file of environment variables: that may be a secret. */
  readonly text: string;
}

/** Longer lines are generated or packed. In characters. */
const longestLine = 400;

/** The definitions of a file, found by the look of its lines. Empty for unknown languages. */
export function definitionsIn(path: string, content: string): readonly Definition[] {
  const namesIn = nameReaderOf(path);
  if (namesIn === null) return [];
  const hasSecrets = isEnvironmentFile(path);
  const found: Definition[] = [];
  let end = 0;
  const next = (): string => lineIn(content, end + 1, endOfLine(content, end + 1));
  for (let start = 0, line = 1; start <= content.length; start = end + 1, line++) {
    end = endOfLine(content, start);
    const text = lineIn(content, start, end);
    if (text.length > longestLine) continue;
    for (const name of namesIn(text, next)) {
      const shown = hasSecrets ? text.replace(/=.*$/, '=') : text;
      const place = text.indexOf(name);
      found.push({ name, line, at: place === -1 ? null : start + place, text: shown });
    }
  }
  return found;
}

function endOfLine(content: string, start: number): number {
  const feed = content.indexOf('\n', start);
  return feed === -1 ? content.length : feed;
}

/** A line without what ends it. */
function lineIn(content: string, start: number, end: number): string {
  const isReturned = end > start && content.charCodeAt(end - 1) === 13;
  return content.slice(start, isReturned ? end - 1 : end);
}
