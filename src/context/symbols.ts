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
  let next = lineAt(content, 0);
  for (let line = 1; next !== null; line++) {
    const { text, start } = next;
    next = lineAt(content, next.end + 1);
    if (text.length > longestLine) continue;
    for (const name of namesIn(text, next?.text ?? '')) {
      const shown = hasSecrets ? text.replace(/=.*$/, '=') : text;
      const place = text.indexOf(name);
      found.push({ name, line, at: place === -1 ? null : start + place, text: shown });
    }
  }
  return found;
}

/** The line that starts there, without its end; null after the last one. */
function lineAt(
  content: string,
  start: number,
): { readonly text: string; readonly start: number; readonly end: number } | null {
  if (start > content.length) return null;
  const feed = content.indexOf('\n', start);
  const end = feed === -1 ? content.length : feed;
  const isReturned = end > start && content.charCodeAt(end - 1) === 13;
  return { text: content.slice(start, isReturned ? end - 1 : end), start, end };
}
