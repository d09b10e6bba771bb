import type { LineLook } from './definitions/line-look.ts';
import { isEnvironmentFile, languageOf } from './definitions/languages.ts';

/** A name that a file defines. `line` counts from 1, `text` is that line. */
export interface Definition {
  readonly name: string;
  readonly line: number;
  /**
   * Where the name stands in the content: in bytes, or in characters of a content that is a string;
   * null where that is not known.
   */
  readonly at: number | null;
  /** Without the value in a file of environment variables: that may be a secret. */
  readonly text: string;
}

/** A line without what ends it. */
interface Line {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** As `at` of a definition. */
  readonly start: number | null;
}

/** Some lines of a text. */
interface LookedLines {
  readonly texts: readonly string[];
  /** Of each: where it starts and ends in the text, in bytes, and how many lines are before it. */
  readonly places: Uint32Array;
}

/** A text whose lines can be found by their look, which is faster. */
export interface LookedText {
  /** Whether each character is a byte. */
  readonly ascii: boolean;
  readonly content: () => string;
  /** All lines of this look with at most so many characters; others may be among them. */
  readonly linesLike: (look: LineLook, longest: number) => LookedLines;
}

/** Longer lines are generated or packed: they are read as empty ones. In characters. */
const longestLine = 400;

/** The definitions of a file, found by the look of its lines. Empty for unknown languages. */
export function definitionsIn(path: string, content: string): readonly Definition[] {
  const language = languageOf(path);
  if (language === null) return [];
  const namesIn = language.reader();
  const add = collector(path);
  let end = 0;
  const next = (): string => lineIn(content, end + 1, endOfLine(content, end + 1));
  for (let start = 0, line = 1; start <= content.length; start = end + 1, line++) {
    end = endOfLine(content, start);
    const text = lineIn(content, start, end);
    add.names(namesIn(text, next), { text, line, start });
  }
  return add.found;
}

/** The same, of a text whose lines are found by their look. */
export function definitionsOf(path: string, text: LookedText): readonly Definition[] {
  const language = languageOf(path);
  if (language === null) return [];
  if (language.look === null) {
    const found = definitionsIn(path, text.content());
    return text.ascii ? found : found.map((definition) => ({ ...definition, at: null }));
  }
  const { texts, places } = text.linesLike(language.look, longestLine);
  if (texts.length === 0) return [];
  const namesIn = language.reader();
  const add = collector(path);
  let at = 0;
  const textOf = (line: number): string => texts[line] ?? '';
  const before = (line: number): number => places[3 * line + 2] ?? 0;
  const next = (): string => (before(at + 1) === before(at) + 1 ? shortened(textOf(at + 1)) : '');
  // The first line means more to some readers.
  if (before(0) !== 0) namesIn('', () => '');
  for (; at < texts.length; at++) {
    const line = textOf(at);
    const names = namesIn(shortened(line), next);
    if (names.length === 0) continue;
    const start = places[3 * at] ?? 0;
    const isKnown = line.length === (places[3 * at + 1] ?? 0) - start;
    add.names(names, { text: line, line: before(at) + 1, start: isKnown ? start : null });
  }
  return add.found;
}

function shortened(line: string): string {
  return line.length > longestLine ? '' : line;
}

function collector(path: string) {
  const hasSecrets = isEnvironmentFile(path);
  const found: Definition[] = [];
  const names = (all: readonly string[], { text, line, start }: Line): void => {
    for (const name of all) {
      const shown = hasSecrets ? text.replace(/=.*$/, '=') : text;
      const place = text.indexOf(name);
      found.push({
        name,
        line,
        at: start === null || place === -1 ? null : start + place,
        text: shown,
      });
    }
  };
  return { found, names };
}

function endOfLine(content: string, start: number): number {
  const feed = content.indexOf('\n', start);
  return feed === -1 ? content.length : feed;
}

function lineIn(content: string, start: number, end: number): string {
  const isReturned = end > start && content.charCodeAt(end - 1) === 13;
  return shortened(content.slice(start, isReturned ? end - 1 : end));
}
