// Picks the names and phrases that a task spells out, to search for them as spelled.
import { identifiersOf } from '../cited-places.ts';
import { nameCharacter, partsOf, tokensIn, unspacedScripts } from './terms.ts';

/** A name or phrase to search for as the task spells it. */
export interface Literal {
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
export function literalsIn(line: string): readonly Literal[] {
  const found = new Map<string, Literal>();
  const add = (text: string, share: number): void => {
    const key = text.toLowerCase();
    if (isLiteral(text) && !found.has(key)) found.set(key, { text, share });
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
function isLiteral(text: string): boolean {
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
export function isPhrase(text: string): boolean {
  return !oneName.test(text);
}

/** Finds where literals occur in names and phrases that were found. */
export function literalFinder(
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
