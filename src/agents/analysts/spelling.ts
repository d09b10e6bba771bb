import { partsOf, stemOfWord } from '../../context/search/terms.ts';
import type { Definition } from '../../context/symbols.ts';
import type { TaskWord } from './task-names.ts';

/** The words of the task that are this name, one after the other; one alone must be able to name. */
export function saidAs(parts: readonly string[], words: readonly TaskWord[]): string | null {
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

/** `date parser` is `DateParser` and `date-parsers`. */
export function isSame(a: string, b: string): boolean {
  return partsOf(a).map(singular).join(' ') === partsOf(b).map(singular).join(' ');
}

/** Rough, but the same on both sides. */
export function singular(word: string): string {
  return word.replace(/(?<=...)s$/, '');
}

/** A value, as an option is, may have the name of what is to be added elsewhere. */
export function isNamed({ name, text }: Definition, wanted: string): boolean {
  if (name !== wanted && !wanted.endsWith(`.${name}`)) return false;
  const at = text.indexOf(name);
  const [before, after] = [text.slice(0, at), text.slice(at + name.length)];
  return (
    /^[A-Z]/.test(name) ||
    /\b(?:def|fn|fun|func|function)\s+(?:self\.)?$/.test(before) ||
    /^\s*(?:[(<]|[:=]\s*(?:async\s*)?(?:function\b|\(\s*$|.*=>))/.test(after)
  );
}
