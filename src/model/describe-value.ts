// Describes a value of any kind for people.
import { isObject } from './json.ts';

/** The names of kinds of values, by the words of JSON Schema. */
export type KindNames = Readonly<Record<string, string>>;

/** The names of kinds, in the words of JSON. */
export const kinds = {
  string: 'text',
  number: 'a number',
  int: 'an integer',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
} satisfies KindNames;

/** Describes a value for people: text and numbers as they are, cut at 80 characters, the rest by its kind. */
export function describeValue(value: unknown, names: KindNames = kinds): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value) && !(value instanceof Date)) {
    const [keys, kind] = [Object.keys(value), kindName('object', names)];
    return briefText(
      keys.length === 0 ? kind.replace(/^an? /, 'an empty ') : `${kind} with ${keys.join(', ')}`,
    );
  }
  return briefText(JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value));
}

/** The name of a kind of values. */
export function kindName(kind: string, names: KindNames): string {
  return names[kind] ?? kind;
}

const maxShown = 80;

/** Cuts a text and escapes line breaks and characters that could steer a terminal or reverse the text. */
export function briefText(text: string): string {
  const safe = text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return safe.length > maxShown ? `${safe.slice(0, maxShown - 1)}…` : safe;
}
