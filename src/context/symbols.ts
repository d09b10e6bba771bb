import { isEnvironmentFile, nameReaderOf } from './definitions/languages.ts';

/** A name that a file defines. `line` counts from 1, `text` is that line. */
export interface Definition {
  readonly name: string;
  readonly line: number;
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
  const lines = linesOf(content);
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index] ?? '';
    if (text.length > longestLine) continue;
    for (const name of namesIn(text, lines[index + 1] ?? '')) {
      found.push({ name, line: index + 1, text: hasSecrets ? text.replace(/=.*$/, '=') : text });
    }
  }
  return found;
}

function linesOf(content: string): readonly string[] {
  const lines = content.split('\n');
  return content.includes('\r\n') ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}
