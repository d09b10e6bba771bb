/**
 * The line (from 1) on which a TOML file sets a key, or else opens the table or list around it;
 * null where that is not plain to see.
 */
export function lineOf(text: string, path: readonly string[]): number | null {
  // Lines of a multi-line text could look like keys.
  if (text.includes('"""') || text.includes("'''")) return null;
  let table: readonly string[] = [];
  let best = { depth: 0, line: 0 };
  for (const [index, whole] of text.split('\n').entries()) {
    // No key is that long, and matching takes longer than the line.
    const line = whole.slice(0, 200);
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) table = partsOf(header);
    const key = /^\s*((?:[A-Za-z0-9_.\s-]|"[^"]*"|'[^']*')+?)\s*=/.exec(line)?.[1];
    if (header === undefined && key === undefined) continue;
    const found = key === undefined ? table : [...table, ...partsOf(key)];
    // The table or the list around it is better than no line.
    const isOnTheWay = found.every((part, depth) => part === path[depth]);
    if (isOnTheWay && found.length > best.depth) best = { depth: found.length, line: index + 1 };
  }
  return best.depth === 0 ? null : best.line;
}

function partsOf(key: string): readonly string[] {
  const parts = key.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [];
  return parts.map((part) => part.replace(/^(["'])(.*)\1$/, '$2'));
}
