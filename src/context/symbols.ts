import { isEnvironmentFile, languageOf } from './definitions/languages.ts';

/** A name that a file defines. `line` counts from 1, `text` is that line. */
export interface Definition {
  readonly name: string;
  readonly line: number;
  /** Without the value in a file of environment variables: that may be a secret. */
  readonly text: string;
}

/** Longer lines are generated or packed: they are read as empty ones. In characters. */
const longestLine = 400;

/** The definitions of a file, found by the look of its lines. Empty for unknown languages. */
export function definitionsIn(path: string, content: string): readonly Definition[] {
  const language = languageOf(path);
  if (language === null) return [];
  const namesIn = language();
  const hasSecrets = isEnvironmentFile(path);
  const lines = content.split(/\r?\n/).map((line) => (line.length > longestLine ? '' : line));
  return lines.flatMap((line, at) => {
    const text = hasSecrets ? line.replace(/=.*$/, '=') : line;
    return namesIn(line, () => lines[at + 1] ?? '').map((name) => ({ name, line: at + 1, text }));
  });
}

const mostSymbols = 12;

/** Names defined in some lines, and the one that these lie in. */
export function symbolsIn(
  definitions: readonly Pick<Definition, 'name' | 'line'>[],
  { start, end }: { readonly start: number; readonly end: number },
): readonly string[] {
  const around = definitions.findLast(({ line }) => line < start);
  const inside = definitions.filter(({ line }) => line >= start && line <= end);
  const names = [...(around === undefined ? [] : [around]), ...inside].map(({ name }) => name);
  return [...new Set(names)].slice(0, mostSymbols);
}
