// Suggests the name that was probably meant.

/** The text " Did you mean X?" if one of the names was probably meant; otherwise `otherwise`. */
export function suggestion(word: string, names: readonly string[], otherwise = ''): string {
  const near = closestName(word, names);
  return near === null ? otherwise : ` Did you mean ${near}?`;
}

/** The name that was probably meant, which differs by one typing error, ignoring case; null if there is none. */
export function closestName(word: string, names: readonly string[]): string | null {
  return closestNames(word, names)[0] ?? null;
}

/** The names that were probably meant; see `closestName`. */
export function closestNames(word: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => isOneSlip(word.toLowerCase(), name.toLowerCase()));
}

/** True if a letter is missing, added or changed, or two neighbouring letters are swapped. */
function isOneSlip(word: string, name: string): boolean {
  let same = 0;
  while (same < word.length && word[same] === name[same]) same += 1;
  const [a, b] = [word.slice(same), name.slice(same)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a === b.slice(1) || a.slice(1) === b || a.slice(1) === b.slice(1);
}
