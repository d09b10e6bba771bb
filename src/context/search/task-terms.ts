// Picks the words of a task to search for, their weights and their pattern, and its keywords.
import { identifiersOf } from '../cited-places.ts';
import { stopWords } from './stop-words.ts';
import {
  jointMark,
  jointOf,
  memoize,
  nameCharacter,
  partsOf,
  stemOfWord,
  termsOf,
  tokensIn,
  unspacedScripts,
  wordsIn,
} from './terms.ts';

/** A term to search for. */
export interface TaskTerm {
  /** The word as the task spells it, for the reasons. */
  readonly word: string;
  readonly term: string;
  /** The weight of the term in the task, before rareness. */
  readonly weight: number;
  /** True if it combines several parts of a name. */
  readonly isJoint: boolean;
}

/** The part of a task text that is read, in characters; what follows is pasted output. */
const longestTask = 20_000;
const titleWeight = 2;
/** The number of lines that say what the task is about; later ones go into detail. */
const leadLines = 3;
const detailWeight = 0.5;
/** The weight of headings: “Steps to reproduce” belongs to the form, not to the task. */
const headingWeight = 0.3;
const codeWeight = 0.5;
const outputWeight = 0.3;
/** The weight of a name in back-ticks, which is meant as spelled. */
const markedWeight = 1.5;
/** The weight of neighbouring words, which often do not form a name. */
const neighbourWeight = 0.7;
/** The shortest word that is also searched for as a joined name; shorter ones match by chance. */
const leastJoined = 6;

/** Picks the terms of a task text: its words and names, and neighbouring words as one name. */
export function taskTerms(task: string): readonly TaskTerm[] {
  const found = new Map<string, { word: string; count: number }>();
  for (const { text, weight } of weighedLines(task)) {
    for (const { term, word, share } of termsOfLine(text)) {
      const known = found.get(term);
      if (known === undefined) found.set(term, { word, count: weight * share });
      else known.count += weight * share;
    }
  }
  return [...found].map(([term, { word, count }]) => ({
    word,
    term,
    weight: count >= 1 ? 1 + Math.log(count) : count,
    isJoint: term.startsWith(jointMark),
  }));
}

const outputLine = /^\s*(?:at |File "|\.{3}|\d+[:|]|>>>|[$%|] ?|goroutine |\d{4}-\d\d-\d\d)/;

const heading = /^\s*(?:#+\s|\*\*[^*]+\*\*:?\s*$)/;

/** Weighs the lines: the title tells most, then what follows it; pasted code and program output tell less. */
function* weighedLines(
  task: string,
): Generator<{ readonly text: string; readonly weight: number }> {
  const text = task
    .slice(0, longestTask)
    .normalize('NFC')
    .replace(/\bhttps?:\/\/\S+/g, ' ');
  let isCode = false;
  let told = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*```/.test(line)) {
      isCode = !isCode;
      continue;
    }
    const isTitle = index === 0;
    const isHeading = !isTitle && !isCode && heading.test(line);
    const parts = [
      isTitle ? titleWeight : 1,
      told < leadLines ? 1 : detailWeight,
      isHeading ? headingWeight : 1,
      isCode ? codeWeight : 1,
      outputLine.test(line) ? outputWeight : 1,
    ];
    if (!isHeading && line.trim() !== '') told++;
    yield { text: line, weight: parts.reduce((product, part) => product * part) };
  }
}

interface LineTerm {
  readonly term: string;
  readonly word: string;
  /** The share of the line’s weight. */
  readonly share: number;
}

/** The terms of a line. `line numbers` is also searched for as `line_numbers`, `filename` as `file_name`. */
function* termsOfLine(text: string): Generator<LineTerm> {
  let before: string | null = null;
  for (const { token, share } of tokensOfLine(text)) {
    const word = token.toLowerCase();
    // A marked word is meant as a name.
    if (stopWords.has(word) && share !== markedWeight) continue;
    const parts = partsOf(token);
    const own = parts.length > 1 ? termsOfName(token, parts) : termsWithWords(token, token);
    for (const { term, word: label } of own) yield { term, word: label, share };
    const isWord = parts.length === 1;
    if (isWord && before !== null && before.length > 1) {
      const pair = { word: `${before} ${word}`, share: share * neighbourWeight };
      yield { term: jointOf([before, word]), ...pair };
      yield { term: stemOfWord(before + word), ...pair };
    }
    if (isWord && word.length >= leastJoined) {
      yield { term: jointMark + stemOfWord(word), word: token, share };
    }
    before = isWord ? word : null;
  }
}

function* tokensOfLine(
  text: string,
): Generator<{ readonly token: string; readonly share: number }> {
  for (const [at, piece] of text.split(/(`[^`]+`)/).entries()) {
    const share = at % 2 === 1 ? markedWeight : 1;
    for (const token of tokensIn(piece)) yield { token, share };
  }
}

/** Pairs each term with the words that it represents, so that a reason never claims the whole name. */
function* termsOfName(
  token: string,
  parts: readonly string[],
): Generator<{ readonly term: string; readonly word: string }> {
  for (const part of parts) yield* termsWithWords(part, part);
  const pairs = new Map(
    parts.slice(1).map((part, at) => {
      const pair = [parts[at] ?? '', part];
      return [jointOf(pair), pair.join(' ')];
    }),
  );
  const isPair = parts.length > 2;
  for (const term of termsOf(token)) {
    if (term.startsWith(jointMark))
      yield { term, word: (isPair ? pairs.get(term) : null) ?? token };
  }
}

function termsWithWords(text: string, word: string): readonly { term: string; word: string }[] {
  if (!unspacedScripts.test(text)) return termsOf(text).map((term) => ({ term, word }));
  const words = new Map(wordsIn(text).flatMap((one) => termsOf(one).map((term) => [term, one])));
  // Two characters across the border of two words belong to neither.
  return termsOf(text).map((term) => ({ term, word: words.get(term) ?? term }));
}

/** Finds the terms of a task in names. */
export interface TermFinder {
  /** A pattern of each name that may contain a term; case does not count. Ripgrep understands it, too. */
  readonly pattern: string;
  /** The terms of a name or word, by their indexes in the list. */
  readonly termsIn: (name: string) => readonly number[];
}

/** The most stems: a task that pastes a log has more words than are worth searching for. */
const mostStems = 150;

/** Makes the finder; null if there is nothing to search for. */
export function termFinder(terms: readonly TaskTerm[]): TermFinder | null {
  const stems = terms
    .filter(({ isJoint }) => !isJoint)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, mostStems)
    // The stem of `copy` and of `copied` is `copi`.
    .map(({ term }) => patternOf(term).replace(/i$/, '[iy]'));
  if (stems.length === 0) return null;
  const places = new Map(terms.map(({ term }, place) => [term, place]));
  // Most names contain no term, and need not be split.
  const mayFit = new RegExp(stems.join('|'), 'iu');
  const known = memoize((name) =>
    tokensIn(name)
      .flatMap(termsOf)
      .map((term) => places.get(term))
      .filter((place) => place !== undefined),
  );
  return {
    pattern: `${nameCharacter}*(?:${stems.join('|')})${nameCharacter}*`,
    termsIn: (name) => (mayFit.test(name) ? known(name) : []),
  };
}

/** Escapes text for a pattern that ripgrep understands, too. */
function patternOf(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

const mostKeywords = 12;
/** The most identifiers, so that a task that pastes a log still keeps some of its words. */
const mostIdentifiers = 9;
/** The part of a task text that is read, in characters; what follows is pasted output. */
const longestText = 50_000;

/**
 * Picks the words to search a task by: code names as the task spells them, then its plain words in
 * lower case, the most frequent first. Without duplicates, at most twelve.
 */
export function keywordsOf(task: string): readonly string[] {
  const text = task
    .slice(0, longestText)
    .normalize('NFC')
    .replace(/\bhttps?:\/\/\S+/g, ' ');
  const { names, rest } = identifiersOf(text);
  const words = Map.groupBy(wordsIn(rest.toLowerCase()).filter(isTelling), (word) => word);
  const often = [...words].toSorted(([, a], [, b]) => b.length - a.length).map(([word]) => word);
  const first = distinct(names).slice(0, Math.max(mostIdentifiers, mostKeywords - often.length));
  return distinct([...first, ...often]).slice(0, mostKeywords);
}

function isTelling(word: string): boolean {
  const least = unspacedScripts.test(word) ? 2 : 3;
  return word.length >= least && word.length <= 40 && /^\p{L}/u.test(word) && !stopWords.has(word);
}

function distinct(words: readonly string[]): readonly string[] {
  const known = new Map(words.toReversed().map((word) => [word.toLowerCase(), word]));
  return [...new Set(words.map((word) => known.get(word.toLowerCase()) ?? word))];
}
