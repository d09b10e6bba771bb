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
  /** True if it matches the exact spelling, not a stem. */
  readonly isLiteral: boolean;
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
/**
 * The literal share of a name with capitals: “Vary” and “variables” have one stem, so the stem says
 * little.
 */
const nameShare = 0.8;
/** The literal share of a word that is only marked: its other forms may be meant, too. */
const wordShare = 0.5;
/** The weight of a phrase, whose words also count on their own. */
const phraseWeight = 0.5;
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

/** The first character of a term that is a literal. */
const literalMark = '"';

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
    const own = parts.length > 1 ? termsOfName(token, parts) : termsWithWords(token, token);
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

/** The share of a word’s weight for its exact spelling; the rest is for all of its forms. */
function literalShare(token: string): number {
  const word = token.toLowerCase();
  if (stopWords.has(word)) return 1;
  // The stem is the word itself.
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
  /** Patterns of text that is not a single name; they are a part of the pattern. */
  readonly phrases: readonly string[];
  /** The terms of a name or word, by their indexes in the list. */
  readonly termsIn: (name: string) => readonly number[];
}

/** The most stems: a task that pastes a log has more words than are worth searching for. */
const mostStems = 150;

/** Makes the finder; null if there is nothing to search for. */
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
  // Most names contain no term, and need not be split.
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

/** Escapes text for a pattern that ripgrep understands, too. */
function patternOf(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

/** A name or phrase to search for as the task spells it. */
interface Literal {
  readonly text: string;
  /** How surely the text is meant as spelled, from 0 to 1. */
  readonly share: number;
}

/** The longest literal, in characters: a longer one is a passage, which no code contains. */
const longest = 60;
/** The share of a name in back-ticks; a name in code form or a quote counts half, because it may be an example. */
const markedShare = 1;
const codeShare = 0.5;
const quoteShare = 0.5;
/** The share of a capitalised word: “Vary” in mid-sentence may be a name or only a noun. */
const capitalShare = 0.2;

/** The names and phrases in back-ticks, quotes, capitals or code form, each once. */
function literalsIn(line: string): readonly Literal[] {
  const found = new Map<string, Literal>();
  const add = (text: string, share: number): void => {
    const key = text.toLowerCase();
    if (isUsable(text) && !found.has(key)) found.set(key, { text, share });
  };
  for (const [, text = ''] of line.matchAll(/`([^`]+)`/g)) {
    if (!isPath.test(text)) add(tidy(text), markedShare);
  }
  for (const name of identifiersOf(line).names) if (!name.includes('/')) add(tidy(name), codeShare);
  for (const [, text = ''] of line.matchAll(quoted)) add(tidy(text), quoteShare);
  for (const [text] of line.matchAll(capital)) add(text, capitalShare);
  return [...found.values()];
}

/** Matches paths, which are looked up among the files instead. */
const isPath = /^\s*\.{0,2}\//;
/** Matches quoted text. Single quotes count only outside of words, where they are not apostrophes. */
const quoted = /(?<![\p{L}\p{N}])["“'‘«]([^"“”'‘’«»\n]{2,80})["”'’»](?![\p{L}\p{N}])/gu;
const capital = /(?<=[\p{Ll}\p{N},;)] )\p{Lu}\p{Ll}+(?![\p{L}\p{N}_.-])/gu;

/** Removes the punctuation around a name: `--dry-run`, `parse()`, `Date.` */
function tidy(text: string): string {
  return text.trim().replace(/^[^\p{L}\p{N}_$]+|(?:\(\))?[^\p{L}\p{N}_$]*$/gu, '');
}

/** True for a usable literal; the parts of a compound name already find it together. */
function isUsable(text: string): boolean {
  return (
    text.length >= 2 &&
    text.length <= longest &&
    /\p{L}/u.test(text) &&
    !unspacedScripts.test(text) &&
    (isPhrase(text) || partsOf(text).length === 1)
  );
}

const oneName = new RegExp(`^${nameCharacter}+$`, 'u');

/** True for text that is not a single name: `Date.parse`, `not found`. */
function isPhrase(text: string): boolean {
  return !oneName.test(text);
}

/** Finds where literals occur in names and phrases that were found. */
function literalFinder(
  literals: readonly { readonly text: string; readonly place: number }[],
): (name: string) => readonly number[] {
  const phrases = new Map(
    literals
      .filter(({ text }) => isPhrase(text))
      .map(({ text, place }) => [text.toLowerCase(), place]),
  );
  const names = new Map(
    literals
      .filter(({ text }) => !isPhrase(text))
      .map(({ text, place }) => [partsOf(text).join(' '), place]),
  );
  return (name) => {
    const phrase = phrases.get(name.toLowerCase());
    const found = tokensIn(name).flatMap((token) => [...spansOf(partsOf(token))]);
    const places = new Set(found.map((span) => names.get(span)));
    return [phrase, ...places].filter((place) => place !== undefined);
  };
}

const mostParts = 12;

/** The parts, and each run of neighbouring parts: a name may occur within another. */
function* spansOf(parts: readonly string[]): Generator<string> {
  if (parts.length > mostParts) return;
  for (const start of parts.keys()) {
    for (let end = start + 1; end <= parts.length; end++) yield parts.slice(start, end).join(' ');
  }
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
