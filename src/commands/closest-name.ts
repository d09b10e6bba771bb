/** " Did you mean X?" where one of the names was probably meant; else what is said otherwise. */
export function suggestion(word: string, names: readonly string[], otherwise = ''): string {
  const near = closestName(word, names);
  return near === null ? otherwise : ` Did you mean ${near}?`;
}

/**
 * The name that was probably meant, or null. One slip (a letter more, less, changed or swapped
 * with its neighbour) is forgiven, two in words of seven letters and more.
 */
export function closestName(word: string, names: readonly string[]): string | null {
  for (let slips = 0; slips <= (word.length >= 7 ? 2 : 1); slips += 1) {
    const found = names.find((name) => isWithin(slips, word.toLowerCase(), name.toLowerCase()));
    if (found !== undefined) return found;
  }
  return null;
}

function isWithin(slips: number, one: string, other: string): boolean {
  if (one === other) return true;
  if (slips === 0) return false;
  let same = 0;
  while (one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return (
    isWithin(slips - 1, a.slice(1), b) ||
    isWithin(slips - 1, a, b.slice(1)) ||
    isWithin(slips - 1, a.slice(1), b.slice(1)) ||
    (isSwapped && isWithin(slips - 1, a.slice(2), b.slice(2)))
  );
}
