// Picks the names and phrases that a task spells out, to be looked for as they are spelled.
import { identifiersOf } from '../cited-places.ts';
import { nameCharacter, partsOf, tokensIn, unspacedScripts } from './terms.ts';

/** A name or phrase that is looked for as the task spells it. */
export interface Literal {
  readonly text: string;
  /** From 0 to 1: how surely the text is meant as it is spelled. */
  readonly share: number;
}

/** A longer one is a passage, which nobody has in his code. In characters. */
const longest = 60;
/** A name in code form, and a quote, may also be an example. */
const markedShare = 1;
const codeShare = 0.5;
const quoteShare = 0.5;
/** “Vary” in the middle of a sentence may be a name or only a noun. */
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

/** Paths are looked for among the files. */
const isPath = /^\s*\.{0,2}\//;
/** An apostrophe is no quote: those of one kind stand outside of words. */
const quoted = /(?<![\p{L}\p{N}])["“'‘«]([^"“”'‘’«»\n]{2,80})["”'’»](?![\p{L}\p{N}])/gu;
const capital = /(?<=[\p{Ll}\p{N},;)] )\p{Lu}\p{Ll}+(?![\p{L}\p{N}_.-])/gu;

/** Without the signs around a name: `--dry-run`, `parse()`, `Date.` */
function tidy(text: string): string {
  return text.trim().replace(/^[^\p{L}\p{N}_$]+|(?:\(\))?[^\p{L}\p{N}_$]*$/gu, '');
}

/** A name of several parts is found by all of them together already. */
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

/** True for what stands in no single name: `Date.parse`, `not found`. */
export function isPhrase(text: string): boolean {
  return !oneName.test(text);
}

/** Finds the places of literals in names and phrases that were found. */
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

/** The parts, and each run of neighbours of them: a name may stand within another. */
function* spansOf(parts: readonly string[]): Generator<string> {
  if (parts.length > mostParts) return;
  for (const start of parts.keys()) {
    for (let end = start + 1; end <= parts.length; end++) yield parts.slice(start, end).join(' ');
  }
}
