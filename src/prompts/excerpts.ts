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

/** What of the code is shown, and which places were left out for lack of room. */
export interface Excerpts {
  readonly shown: readonly Excerpt[];
  /** `path:start-end` of each, best first. */
  readonly leftOut: readonly string[];
}

/** A file of which something is to be shown, and its lines that matter. */
export interface WantedFile {
  readonly path: string;
  /** All of it, where it fits. */
  readonly whole: boolean;
  readonly parts: readonly Range[];
}

/** Lines counted from 1. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Limits of the text of the excerpts of one prompt, in bytes. */
export interface ExcerptLimits {
  /** A file up to this size is shown whole. */
  readonly wholeBytes: number;
  /** Of a larger one, each part. */
  readonly partBytes: number;
  readonly totalBytes: number;
}

/** Gives the whole text of a file, or null where there is none. */
export type ReadText = (path: string) => Promise<string | null>;

/**
 * Reads the files, best first, until `totalBytes` are used: whole where that is wanted and fits,
 * else their parts; what is longer is trimmed at a sensible border. A file that cannot be read is neither shown nor
 * left out.
 */
export async function readExcerpts(
  files: readonly WantedFile[],
  read: ReadText,
  limits: ExcerptLimits,
): Promise<Excerpts> {
  const shown: Excerpt[] = [];
  const leftOut: string[] = [];
  let left = limits.totalBytes;
  for (const { path, whole, parts } of files) {
    const lines = await linesOf(path, read);
    if (lines === null) continue;
    const isWhole = whole && numberedSize(lines) <= Math.min(left, limits.wholeBytes);
    const wanted = isWhole ? [{ start: 1, end: lines.length }] : parts;
    for (const range of joinedRanges(wanted, lines.length)) {
      const room = isWhole ? left : Math.min(left, limits.partBytes);
      const excerpt = excerptOf({ path, ...range }, lines, room);
      if (excerpt === null) {
        leftOut.push(placeText({ path, ...range }));
        continue;
      }
      left -= sizeOf(excerpt.text);
      shown.push(excerpt);
    }
  }
  return { shown, leftOut };
}

/** On one line, whatever the file is called. */
export function placeText({
  path,
  start,
  end,
}: Pick<RelevantFile, 'path' | 'start' | 'end'>): string {
  const name = /[\n\r]/.test(path) ? JSON.stringify(path) : path;
  return `${name}:${start}-${end}`;
}

async function linesOf(path: string, read: ReadText): Promise<readonly string[] | null> {
  const content = await read(path);
  if (content === null || content === '') return null;
  const lines = redactedFile(path, content.replaceAll('\r\n', '\n')).split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function numberedSize(lines: readonly string[]): number {
  return lines.reduce((sum, line, at) => sum + sizeOf(numbered(line, at + 1)) + 1, 0);
}

function numbered(line: string, number: number): string {
  return `${number}: ${line}`;
}

/** Those that the file has, in their order; what overlaps or touches is one. */
function joinedRanges(parts: readonly Range[], last: number): readonly Range[] {
  const joined: Range[] = [];
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    const before = joined.at(-1);
    if (start > last) continue;
    if (before !== undefined && start <= before.end + 1) {
      joined.splice(-1, 1, { ...before, end: Math.min(last, Math.max(before.end, end)) });
    } else joined.push({ start: Math.max(1, start), end: Math.min(last, end) });
  }
  return joined;
}

/** Null where fewer lines fit than would say anything. */
function excerptOf(
  { path, start, end }: Range & { readonly path: string },
  file: readonly string[],
  maxBytes: number,
): Excerpt | null {
  const lines = file.slice(start - 1, end);
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
  const all = range.lines.map((line, index) => numbered(line, range.first + index));
  const fitting = countFitting(all, range.maxBytes);
  const count = fitting === all.length ? fitting : borderBefore(range.lines, fitting);
  return { lines: all.slice(0, count), missing: all.length - count };
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
