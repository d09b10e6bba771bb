/**
 * The line (from 1) on which a TOML file sets a key or opens its table, or null where that is
 * not plain to see, e.g. inside an inline table.
 */
export function lineOf(text: string, path: readonly string[]): number | null {
  // Lines of a multi-line text could look like keys.
  if (text.includes('"""') || text.includes("'''")) return null;
  let table: readonly string[] = [];
  let best: number | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) table = partsOf(header);
    const key = /^\s*((?:[A-Za-z0-9_.\s-]|"[^"]*"|'[^']*')+?)\s*=/.exec(line)?.[1];
    const found = key === undefined ? table : [...table, ...partsOf(key)];
    const isSaid = header !== undefined || key !== undefined;
    if (isSaid && isSame(found, path)) return index + 1;
    // The table or inline table around it is better than no line.
    if (isSaid && found.length > 0 && isSame(found, path.slice(0, found.length)))
      best ??= index + 1;
  }
  return best;
}

function partsOf(key: string): readonly string[] {
  const parts = key.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [];
  return parts.map((part) => part.replace(/^(["'])(.*)\1$/, '$2'));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
