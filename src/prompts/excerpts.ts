import type { RelevantFile } from '../model/context.ts';
import { redactedFile } from '../model/secrets.ts';
import { sizeOf } from './render.ts';

/** A piece of a file as it stands at the session's base, with line numbers, without secrets. */
interface Excerpt {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What of the found code is shown, and which places were left out for lack of room. */
export interface Excerpts {
  readonly shown: readonly Excerpt[];
  /** `path:start-end` of each, best first. */
  readonly leftOut: readonly string[];
}

/** Limits of the text of the excerpts of one prompt, in bytes. */
export interface ExcerptLimits {
  readonly eachBytes: number;
  readonly totalBytes: number;
}

/** Gives the whole text of a file, or null where there is none. */
export type ReadText = (path: string) => Promise<string | null>;

/**
 * Reads the best part of each relevant file, best first, until `totalBytes` are used; what is
 * longer is trimmed at a sensible border. A file that cannot be read is neither shown nor left out.
 */
export async function readExcerpts(
  files: readonly RelevantFile[],
  read: ReadText,
  limits: ExcerptLimits,
): Promise<Excerpts> {
  const shown: Excerpt[] = [];
  const leftOut: string[] = [];
  let left = limits.totalBytes;
  for (const file of files) {
    const lines = await linesOf(file, read);
    if (lines === null) continue;
    const excerpt = excerptOf(file, lines, Math.min(left, limits.eachBytes));
    if (excerpt === null) {
      leftOut.push(placeText(file));
      continue;
    }
    left -= sizeOf(excerpt.text);
    shown.push(excerpt);
  }
  return { shown, leftOut };
}

export function placeText({
  path,
  start,
  end,
}: Pick<RelevantFile, 'path' | 'start' | 'end'>): string {
  return `${path}:${start}-${end}`;
}

/** So many lines before and after a range are looked at, so that a key that begins there is seen. */
const around = 120;

async function linesOf(file: RelevantFile, read: ReadText): Promise<readonly string[] | null> {
  const content = await read(file.path);
  if (content === null) return null;
  const from = Math.max(0, file.start - 1 - around);
  const near = content.split(/\r?\n/).slice(from, file.end + around);
  const safe = redactedFile(file.path, near.join('\n')).split('\n');
  const lines = safe.slice(file.start - 1 - from, file.end - from);
  return lines.length === 0 ? null : lines;
}

/** Null where fewer lines fit than would say anything. */
function excerptOf(
  { path, start, end }: RelevantFile,
  lines: readonly string[],
  maxBytes: number,
): Excerpt | null {
  const whole = trimmedRange({ lines, first: start, maxBytes });
  if (whole.missing === 0) return { path, start, end, text: whole.lines.join('\n') };
  const room = maxBytes - sizeOf(cutNote(lines.length)) - 1;
  const part = trimmedRange({ lines, first: start, maxBytes: room });
  if (part.lines.length < leastLines) return null;
  const last = start + part.lines.length - 1;
  const text = [...part.lines, cutNote(part.missing)].join('\n');
  return { path, start, end: last, text };
}

const leastLines = 3;

function cutNote(missing: number): string {
  return `[cut here: ${missing} more ${missing === 1 ? 'line is' : 'lines are'} not shown]`;
}

/** The excerpts as they stand in a prompt, and what was left out. */
export function excerptsText({ shown, leftOut }: Excerpts): string {
  const blocks = shown.map((excerpt) => `--- ${placeText(excerpt)}\n${excerpt.text}`);
  if (leftOut.length > 0) blocks.push(`Not shown for lack of room: ${leftOut.join(', ')}`);
  return blocks.join('\n');
}

/** Part of a range of lines. */
interface TrimmedRange {
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
function trimmedRange(range: {
  readonly lines: readonly string[];
  readonly first: number;
  readonly maxBytes: number;
}): TrimmedRange {
  const numbered = range.lines.map((line, index) => `${range.first + index}: ${line}`);
  const fitting = countFitting(numbered, range.maxBytes);
  const count = fitting === numbered.length ? fitting : borderBefore(range.lines, fitting);
  return { lines: numbered.slice(0, count), missing: numbered.length - count };
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
