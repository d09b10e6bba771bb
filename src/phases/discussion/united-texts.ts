import { wordsOf } from './words.ts';

/** All texts of the lists in their order, each once; another wording of the same words is dropped. */
export function unitedTexts(lists: readonly (readonly string[])[]): string[] {
  const kept: string[] = [];
  for (const text of lists.flat()) {
    const trimmed = text.trim();
    if (trimmed !== '' && !kept.some((other) => saySame(other, trimmed))) kept.push(trimmed);
  }
  return kept;
}

/** True where two short texts use nearly the same words. */
export function saySame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase() || wordOverlap(a, b) >= 0.8;
}

/** How many words two texts share, from 0 to 1: twice the common ones by all (Dice). */
export function wordOverlap(a: string, b: string): number {
  const [ours, theirs] = [new Set(wordsOf(a)), new Set(wordsOf(b))];
  if (ours.size === 0 || theirs.size === 0) return 0;
  return (2 * [...ours].filter((word) => theirs.has(word)).length) / (ours.size + theirs.size);
}
