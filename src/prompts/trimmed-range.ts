/** Part of a range of lines. */
export interface TrimmedRange {
  /** The lines as they are shown, with their numbers. */
  readonly lines: readonly string[];
  /** Lines of the range that are not shown. */
  readonly missing: number;
}

/**
 * As many lines of a range as fit into `maxBytes` when each gets its number and a line end; `first`
 * is the number of the first. Where not all fit, it ends before a blank line or after what closes
 * a block, unless that would throw away more than half of what fits.
 */
export function trimmedRange(range: {
  readonly lines: readonly string[];
  readonly first: number;
  readonly maxBytes: number;
}): TrimmedRange {
  const numbered = range.lines.map((line, index) => `${range.first + index}: ${line}`);
  const fitting = countFitting(numbered, range.maxBytes);
  const kept = fitting === numbered.length ? fitting : borderBefore(range.lines, fitting);
  return { lines: numbered.slice(0, kept), missing: numbered.length - kept };
}

function countFitting(lines: readonly string[], maxBytes: number): number {
  let used = 0;
  for (const [index, line] of lines.entries()) {
    used += Buffer.byteLength(line, 'utf8') + 1;
    if (used > maxBytes) return index;
  }
  return lines.length;
}

function borderBefore(lines: readonly string[], fitting: number): number {
  const least = Math.ceil(fitting / 2);
  for (let count = fitting; count > least; count--) {
    if ((lines[count] ?? '').trim() === '' && count < lines.length) return count;
    if (closing.test(lines[count - 1] ?? '')) return count;
  }
  return fitting;
}

/** A line that only closes what lines above it opened. */
const closing = /^\s{0,4}(?:[\])}]+[;,)]*|end|fi|done|esac)\s*$/;
