// Picks the words of a task that are looked for, how much each counts, and their pattern.
import { isPhrase, literalFinder, literalsIn } from './literals.ts';
import { stopWords } from './stop-words.ts';
import {
  jointMark,
  jointOf,
  nameCharacter,
  partsOf,
  memoize,
  stemOfWord,
  termsOf,
  tokensIn,
  unspacedScripts,
  wordsIn,
} from './terms.ts';

/** One term that is looked for. */
export interface TaskTerm {
  /** As the task spells it, for the reasons. */
  readonly word: string;
  readonly term: string;
  /** The weight of the term in the task, before rareness. */
  readonly weight: number;
  /** It stands for several parts of a name at once. */
  readonly isJoint: boolean;
  /** It stands for what is spelled so, not for a stem. */
  readonly isLiteral: boolean;
}

/** A longer task text goes on with pasted output. In characters. */
const longestTask = 20_000;
const titleWeight = 2;
/** Lines that say what it is about; those after them go into detail. */
const leadLines = 3;
const detailWeight = 0.5;
/** “Steps to reproduce” is a form’s, not the task’s. */
const headingWeight = 0.3;
const codeWeight = 0.5;
const outputWeight = 0.3;
/** A name in back-ticks is meant as it is spelled. */
const markedWeight = 1.5;
/** “Vary” and “variables” have one stem: of a name in capitals, little is left to its stem. */
const nameShare = 0.8;
/** Other forms of a word that is only marked may be meant, too. */
const wordShare = 0.5;
/** The words of a phrase count by themselves, too. */
const phraseWeight = 0.5;
/** Neighbouring words are often no name. */
const neighbourWeight = 0.7;
/** A shorter word is too often joined by chance. */
const leastJoined = 6;

/** The terms of a task text: its words and names, and neighbouring words as one name. */
export function taskTerms(task: string): readonly TaskTerm[] {
  const found = new Map<string, { word: string; count: number }>();
  for (const { text, weight } of weighedLines(task)) {
    for (const { term, word, share } of termsOfLine(text)) {
      const known = found.get(term);
      if (known === undefined) found.set(term, { word, count: weight * share });
      else known.count += weight * share;
    }
  }
  return [...found].map(([term, { word, count }]) => {
    const isLiteral = term.startsWith(literalMark);
    return {
      word,
      term,
      weight: count >= 1 ? 1 + Math.log(count) : count,
      isJoint: term.startsWith(jointMark) || (isLiteral && isPhrase(word)),
      isLiteral,
    };
  });
}

/** The first character of a term that stands for a literal. */
const literalMark = '"';

const outputLine = /^\s*(?:at |File "|\.{3}|\d+[:|]|>>>|[$%|] ?|goroutine |\d{4}-\d\d-\d\d)/;

const heading = /^\s*(?:#+\s|\*\*[^*]+\*\*:?\s*$)/;

/** The title tells most, then what follows it; pasted code and what a program printed tell less. */
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
  /** Of the line’s weight. */
  readonly share: number;
}

/** `line numbers` is also looked for as `line_numbers`, `filename` as `file_name`. */
function* termsOfLine(text: string): Generator<LineTerm> {
  const literals = new Map(literalsIn(text).map((one) => [one.text.toLowerCase(), one]));
  for (const [key, { text: word, share }] of literals) {
    if (isPhrase(word)) yield { term: literalMark + key, word, share: share * phraseWeight };
  }
  let before: string | null = null;
  for (const { token, share } of tokensOfLine(text)) {
    const word = token.toLowerCase();
    const literal = (literals.get(word)?.share ?? 0) * literalShare(token);
    if (literal > 0) yield { term: literalMark + word, word: token, share: share * literal };
    if (stopWords.has(word)) continue;
    const parts = partsOf(token);
    const own = parts.length > 1 ? termsOfName(token, parts) : labelled(token, token);
    for (const { term, word: label } of own) {
      yield { term, word: label, share: share * (1 - literal) };
    }
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

/** The part of the weight of a word that counts for it alone, the rest for all of its forms. */
function literalShare(token: string): number {
  const word = token.toLowerCase();
  if (stopWords.has(word)) return 1;
  // The stem says the same.
  if (stemOfWord(word) === word) return 0;
  return /\p{Lu}/u.test(token) ? nameShare : wordShare;
}

function* tokensOfLine(
  text: string,
): Generator<{ readonly token: string; readonly share: number }> {
  for (const [at, piece] of text.split(/(`[^`]+`)/).entries()) {
    const share = at % 2 === 1 ? markedWeight : 1;
    for (const token of tokensIn(piece)) yield { token, share };
  }
}

/** Each term with the words that it stands for, so that a reason never claims the whole name. */
function* termsOfName(
  token: string,
  parts: readonly string[],
): Generator<{ readonly term: string; readonly word: string }> {
  for (const part of parts) yield* labelled(part, part);
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

function labelled(text: string, word: string): readonly { term: string; word: string }[] {
  if (!unspacedScripts.test(text)) return termsOf(text).map((term) => ({ term, word }));
  const words = new Map(wordsIn(text).flatMap((one) => termsOf(one).map((term) => [term, one])));
  // Two characters at the border of two words stand for neither.
  return termsOf(text).map((term) => ({ term, word: words.get(term) ?? term }));
}

/** Finds the terms of a task in names. */
export interface TermFinder {
  /** A pattern of each name that may have a term; case does not count. Understood by ripgrep, too. */
  readonly pattern: string;
  /** Patterns of what stands in no single name; they are a part of the pattern. */
  readonly phrases: readonly string[];
  /** The terms of a name or word, by their places in the list. */
  readonly termsIn: (name: string) => readonly number[];
}

/** A task that pastes a log has more words than are worth looking for. */
const mostStems = 150;

/** Null where there is nothing to look for. */
export function termFinder(terms: readonly TaskTerm[]): TermFinder | null {
  const wanted = terms
    .filter(({ isJoint, isLiteral }) => !isJoint || isLiteral)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, mostStems);
  if (wanted.length === 0) return null;
  const literals = wanted.filter(({ isLiteral }) => isLiteral).map(({ word }) => word);
  const phrases = literals.filter(isPhrase).map(patternOf);
  const stems = [
    // The stem of `copy` and of `copied` is `copi`.
    ...wanted
      .filter(({ isLiteral }) => !isLiteral)
      .map(({ term }) => patternOf(term).replace(/i$/, '[iy]')),
    ...literals.filter((word) => !isPhrase(word)).map(patternOf),
  ];
  const places = new Map(terms.map(({ term }, place) => [term, place]));
  const literalsOf = literalFinder(
    terms.flatMap(({ word, isLiteral }, place) => (isLiteral ? [{ text: word, place }] : [])),
  );
  // Most names have no term, and need not be taken apart.
  const mayFit = new RegExp([...phrases, ...stems].join('|'), 'iu');
  const known = memoize((name) => {
    const all = tokensIn(name).flatMap(termsOf);
    const own = all.map((term) => places.get(term)).filter((place) => place !== undefined);
    return [...own, ...literalsOf(name)];
  });
  const names =
    stems.length === 0 ? [] : [`${nameCharacter}*(?:${stems.join('|')})${nameCharacter}*`];
  return {
    pattern: [...phrases, ...names].join('|'),
    phrases,
    termsIn: (name) => (mayFit.test(name) ? known(name) : []),
  };
}

/** Characters of a pattern, understood by ripgrep, too. */
function patternOf(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
