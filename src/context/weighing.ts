import { isNamedIn, type Needle } from './needles.ts';

/** 1 where the definition has the needle’s name, less where it only holds the word. */
export function definitionMatch(name: string, needle: Needle): number {
  const lower = name.toLowerCase();
  if (needle.texts.some((text) => text === lower || text.endsWith(`.${lower}`))) return 1;
  return isNamedIn(name, needle) ? 0.4 : 0;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
