// Shows files whole if they fit, else in parts, trimmed where a reader would trim them.
import type { RelevantFile } from '../model/context.ts';
import { redactFile } from '../model/secrets.ts';
import { counted } from '../model/wording.ts';
import { sizeOf } from './render.ts';

/** A piece of a file at the session's base, with line numbers, without secrets. */
interface Excerpt {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The code that is shown, and the locations left out for lack of room. */
export interface Excerpts {
  readonly shown: readonly Excerpt[];
  /** The locations as `path:start-end`, best first. */
  readonly leftOut: readonly string[];
}

/** A file to show in part or whole, and its lines that matter. */
export interface WantedFile {
  readonly path: string;
  /** Whether to show the whole file if it fits. */
  readonly whole: boolean;
  readonly parts: readonly Range[];
}

/** Lines, counted from 1. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Limits of the text of the excerpts of one prompt, in bytes. */
export interface ExcerptLimits {
  /** A file up to this size is shown whole. */
  readonly wholeBytes: number;
  /** The size limit of each part of a larger file. */
  readonly partBytes: number;
  readonly totalBytes: number;
}

/** Returns the whole text of a file, or null if it does not exist. */
export type ReadText = (path: string) => Promise<string | null>;

/**
 * Reads the files, best first, until `totalBytes` are used: whole if that is wanted and fits, else
 * their parts; longer parts are cut. A file that cannot be read is neither shown nor listed as left
 * out.
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
    const isWhole = whole && sizeOf(lines.join('\n')) < Math.min(left, limits.wholeBytes);
    const wanted = isWhole ? [{ start: 1, end: lines.length }] : parts;
    for (const range of joinedRanges(wanted, lines.length)) {
      const room = isWhole ? left : Math.min(left, limits.partBytes);
      const excerpt = excerptOf({ path, ...range }, lines, room);
      if (excerpt === null) {
        leftOut.push(locationText({ path, ...range }));
        continue;
      }
      left -= sizeOf(excerpt.text);
      shown.push(excerpt);
    }
  }
  return { shown, leftOut };
}

/** Writes a location on one line, even if the file name contains line breaks. */
export function locationText({
  path,
  start,
  end,
}: Pick<RelevantFile, 'path' | 'start' | 'end'>): string {
  const name = /[\n\r]/.test(path) ? JSON.stringify(path) : path;
  return `${name}:${start}-${end}`;
}

/** The lines of a file with their numbers, without secrets. */
async function linesOf(path: string, read: ReadText): Promise<readonly string[] | null> {
  const content = await read(path);
  if (content === null || content === '') return null;
  const lines = redactFile(path, content.replaceAll('\r\n', '\n')).split('\n');
  const all = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  return all.map((line, at) => `${at + 1}: ${line}`);
}

/** The parts within the file, in order; parts that overlap or touch are joined. */
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

/** The lines that fit; null if they are too few to be informative. */
function excerptOf(
  { path, start, end }: Range & { readonly path: string },
  file: readonly string[],
  maxBytes: number,
): Excerpt | null {
  const lines = file.slice(start - 1, end);
  if (countFitting(lines, maxBytes) === lines.length) {
    return { path, start, end, text: lines.join('\n') };
  }
  const count = countFitting(lines, maxBytes - sizeOf(cutNote(lines.length)) - 1);
  if (count < leastLines) return null;
  const text = [...lines.slice(0, count), cutNote(lines.length - count)].join('\n');
  return { path, start, end: start + count - 1, text };
}

const leastLines = 3;

/** Counts the lines that fit, each with a line end. */
function countFitting(lines: readonly string[], maxBytes: number): number {
  let used = 0;
  for (const [index, line] of lines.entries()) {
    used += sizeOf(line) + 1;
    if (used > maxBytes) return index;
  }
  return lines.length;
}

function cutNote(missing: number): string {
  return `[cut here: ${counted(missing, 'more line')} not shown]`;
}

/** The excerpts as they appear in a prompt, and what was left out. */
export function excerptsText({ shown, leftOut }: Excerpts): string {
  const blocks = shown.map((excerpt) => `--- ${locationText(excerpt)}\n${excerpt.text}`);
  if (leftOut.length > 0) blocks.push(`Not shown for lack of room: ${leftOut.join(', ')}`);
  return blocks.join('\n');
}
