/** The paths that fit what was typed of one, best first, at most `most`. */
export function fileMatches(
  paths: readonly string[],
  typed: string,
  most: number,
): readonly string[] {
  const wanted = typed.toLowerCase();
  return paths
    .map((path) => ({ path, cost: costOf(path, wanted) }))
    .filter(({ cost }) => cost < Infinity)
    .toSorted((a, b) => a.cost - b.cost || a.path.length - b.path.length || order(a.path, b.path))
    .slice(0, most)
    .map(({ path }) => path);
}

/** How far a path is from what was typed; `Infinity` where letters are missing. */
function costOf(path: string, wanted: string): number {
  const lower = path.toLowerCase();
  const nameAt = lower.lastIndexOf('/') + 1;
  const inName = lower.indexOf(wanted, nameAt);
  if (inName === nameAt) return 0;
  if (inName !== -1) return isWordStart(lower, inName) ? 1 : 2;
  if (lower.startsWith(wanted)) return 1;
  const inPath = lower.indexOf(wanted);
  if (inPath !== -1) return isWordStart(lower, inPath) ? 3 : 4;
  return 5 + gapsIn(lower, wanted);
}

function isWordStart(path: string, index: number): boolean {
  return index === 0 || /[^a-z0-9]/.test(path.charAt(index - 1));
}

/** Letters between those that were typed, looked for from the end, where the name is. */
function gapsIn(path: string, wanted: string): number {
  let at = path.length;
  let last = path.length;
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    at = at === 0 ? -1 : path.lastIndexOf(wanted.charAt(index), at - 1);
    if (at === -1) return Infinity;
    if (index === wanted.length - 1) last = at;
  }
  return last - at + 1 - wanted.length;
}

function order(a: string, b: string): number {
  return a < b ? -1 : 1;
}
