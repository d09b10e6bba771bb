// Reads the paths, names and words of a task text, and decides when words are a name.
import { identifiersOf } from '../../context/cited-places.ts';
import { stopWords } from '../../context/search/stop-words.ts';
import { partsOf, stemOfWord } from '../../context/search/terms.ts';
import type { Definition } from '../../context/symbols.ts';

/** The things in the repository that a task text may name. */
export interface TaskNames {
  /** Paths, and names as code spells them, in the first paragraph, without a leading `@`. */
  readonly exact: readonly string[];
  /** The words of its first paragraph’s prose, in order. */
  readonly words: readonly TaskWord[];
  /** Like `exact`, but for the later paragraphs; code fences are skipped. */
  readonly further: readonly string[];
}

export interface TaskWord {
  /** The word in lower case. */
  readonly text: string;
  /**
   * True if it may be a name on its own: not a stop word, a part of a longer name, or the verb of
   * the task.
   */
  readonly isName: boolean;
  /** True if only one space or hyphen separates it from the next word. */
  readonly joinsNext: boolean;
}

/**
 * The part of the text whose prose counts, in characters: a pasted log or issue may name half of
 * the repository.
 */
const longestHead = 300;
const longestTask = 50_000;

export function namesIn(task: string): TaskNames {
  const text = task.slice(0, longestTask).replace(/\bhttps?:\/\/\S+/g, ' ');
  const [head = ''] = text.trim().split(/\n\s*\n/, 1);
  const rest = text
    .trim()
    .slice(head.length)
    .replace(/```[^]*?(?:```|$)/g, ' ');
  const prose = head.slice(0, longestHead);
  return { exact: exactIn(head), words: wordsOf(prose), further: exactIn(rest) };
}

function exactIn(text: string): readonly string[] {
  const { names } = identifiersOf(text);
  return [...new Set(names.map((name) => name.replace(/^@/, '').replace(/\/+$/, '')))];
}

/** Matches words, Latin ones separately, so that a text without spaces can name what is spelled in Latin. */
const piece = /[\p{sc=Latin}\p{M}\p{N}_$]+|[\p{L}\p{M}]+/gu;

function wordsOf(head: string): readonly TaskWord[] {
  const isLatin = /^[\p{sc=Latin}\P{L}]*$/u.test(head);
  return [...head.matchAll(piece)].map(({ 0: spelled, index }, at): TaskWord => {
    const before = head.slice(0, index);
    const after = head.slice(index + spelled.length);
    const text = spelled.toLowerCase();
    // The first word of a sentence says what to do, unless a colon makes it the subject.
    const isVerb = at === 0 && isLatin && !after.startsWith(':');
    const isWhole = !/[-./\\@#$%&=+~]$/.test(before) && !/^(?:[-/\\@#$%&=+~]|\.\S)/.test(after);
    return {
      text,
      isName:
        isWhole && !isVerb && text.length >= 3 && /^\p{L}+\d*$/u.test(text) && !stopWords.has(text),
      joinsNext: /^[ -][\p{L}\p{N}]/u.test(after),
    };
  });
}

/** Finds this name as consecutive words of the task; a single word must be able to be a name. */
export function findWords(parts: readonly string[], words: readonly TaskWord[]): string | null {
  const [first] = parts;
  if (first === undefined) return null;
  if (parts.length === 1) {
    const word = words.find(({ text, isName }) => isName && singular(text) === singular(first));
    return word?.text ?? null;
  }
  const at = words.findIndex((_, start) =>
    parts.every((part, index) => {
      const word = words[start + index];
      const isJoined = index === parts.length - 1 || word?.joinsNext === true;
      return word !== undefined && isJoined && stemOfWord(word.text) === stemOfWord(part);
    }),
  );
  if (at === -1) return null;
  return words
    .slice(at, at + parts.length)
    .map(({ text }) => text)
    .join(' ');
}

/** True for two spellings of a name: `date parser` is `DateParser` and `date-parsers`. */
export function isSame(a: string, b: string): boolean {
  return partsOf(a).map(singular).join(' ') === partsOf(b).map(singular).join(' ');
}

/** The singular of a word, roughly, but the same way on both sides. */
function singular(word: string): string {
  return word.replace(/(?<=...)s$/, '');
}

/**
 * True if it is defined at the top of its file, or a function: an option may have the name of what
 * is to be added elsewhere.
 */
export function isNamed({ name, text }: Definition, wanted: string): boolean {
  if (name !== wanted && !wanted.endsWith(`.${name}`)) return false;
  return /^\S/.test(text) || /^[^:=]*\(/.test(text.slice(text.indexOf(name)));
}
