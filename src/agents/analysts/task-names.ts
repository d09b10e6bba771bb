import { identifiersOf } from '../../context/search/keywords.ts';
import { stopWords } from '../../context/search/stop-words.ts';

/** What a task text may name in the repository. */
export interface TaskNames {
  /** Paths, and names as code spells them, of its first paragraph, without a leading `@`. */
  readonly exact: readonly string[];
  /** The prose of its first paragraph, in order. */
  readonly words: readonly TaskWord[];
  /** As `exact`, of what follows, without what is fenced as code or output. */
  readonly further: readonly string[];
}

export interface TaskWord {
  /** In lower case. */
  readonly text: string;
  /** It may be a name by itself: no stop word, no part of a longer name, not what is to be done. */
  readonly isName: boolean;
  /** Nothing but one space or hyphen stands before the next word. */
  readonly joinsNext: boolean;
}

/** A pasted log or issue may name half of the repository: its prose counts up to here. In characters. */
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

/** Latin words by themselves, so that a text without spaces can name what is spelled in Latin. */
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
