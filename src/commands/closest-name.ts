/**
 * The name that was probably meant, or null. One slip (a letter more, less, changed or swapped
 * with its neighbour) is forgiven, two in words of seven letters and more.
 */
export function closestName(word: string, names: readonly string[]): string | null {
  const allowed = word.length >= 7 ? 2 : 1;
  const close = names
    .map((name) => ({ name, slips: slipsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ slips }) => slips <= allowed)
    .toSorted((a, b) => a.slips - b.slips);
  return close[0]?.name ?? null;
}

// Optimal string alignment: three rows are enough, as a swap looks two rows back.
function slipsBetween(a: string, b: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(row, j - 1) + 1,
          at(last, j) + 1,
          at(last, j - 1) + Number(a[i - 1] !== b[j - 1]),
          swapped ? at(before, j - 2) + 1 : Infinity,
        ),
      );
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
