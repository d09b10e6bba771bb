import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { cleanText } from '../model/clean-text.ts';
import { Stopped } from '../model/failure.ts';
import { oneLine } from '../model/wording.ts';

/** Prints one JSON document on stdout. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints lines on stdout, safe to show. */
export function printLines(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${cleanText(line)}\n`).join(''));
}

/** Prints lines on stdout that are safe already and may carry our own styles. */
export function printPage(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** Columns for text that is read: those of the terminal up to 120, and 80 in a pipe. */
export function pageWidth(): number {
  const { columns, isTTY } = process.stdout;
  return isTTY ? Math.min(columns, 120) : 80;
}

/** Prints a table on stdout; `cut` keeps its rows within a terminal, never in a pipe. */
export function printTable(rows: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly cut?: boolean;
}): void {
  const { columns, isTTY } = process.stdout;
  const width = rows.cut === true && isTTY ? columns : Infinity;
  process.stdout.write(tableText({ head: rows.head, rows: rows.rows, width }));
}

/** Says on stderr what the user should know but what stops nothing. */
export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`conclave: ${cleanText(warning)}\n`);
}

/**
 * Asks a person for a yes; anything else is a no. Throws `usage` where nobody can answer, and
 * `cancelled` for Ctrl-C or a closed input.
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const message = `${question} No terminal to ask in; use --yes.`;
    throw new Stopped({ reason: 'usage', message });
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const cancelled = new Promise<never>((_, reject) => {
    const cancel = (): void => reject(new Stopped({ reason: 'cancelled', session: null }));
    terminal.once('SIGINT', cancel).once('close', cancel);
  });
  try {
    const answer = await Promise.race([
      terminal.question(`${cleanText(question)} [y/N] `),
      cancelled,
    ]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    // What is said next starts on a line of its own.
    process.stderr.write('\n');
    throw error;
  } finally {
    // Closing rejects too, and nobody listens any more.
    cancelled.catch(() => undefined);
    terminal.close();
  }
}

/**
 * Columns under a heading, aligned by how wide terminals show the text. Cells become one safe
 * line each; the last one is cut where the row would be longer than `width` columns.
 */
export function tableText(rows: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly width?: number;
}): string {
  const cells = [rows.head, ...rows.rows].map((row) => row.map((cell) => oneLine(cleanText(cell))));
  const widths = rows.head.map((_, column) =>
    Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))),
  );
  const lines = cells.map((row) => aligned(row, { widths, width: rows.width ?? Infinity }));
  const [head = '', ...body] = lines;
  return [styleText('bold', head, { stream: process.stdout }), ...body]
    .map((line) => `${line}\n`)
    .join('');
}

const gap = '  ';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function aligned(
  row: readonly string[],
  { widths, width }: { widths: readonly number[]; width: number },
): string {
  const before = row.slice(0, -1).map((cell, column) => {
    return cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)) + gap;
  });
  const start = before.join('');
  const room = Math.max(8, width - stringWidth(start));
  return (start + cut(row.at(-1) ?? '', room)).trimEnd();
}

function cut(text: string, room: number): string {
  if (stringWidth(text) <= room) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > room) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** One line on a terminal that says how far long work is, and is gone when it ends. */
export interface ProgressLine {
  readonly say: (text: string) => void;
  readonly end: () => void;
}

type Terminal = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

/** Nothing is shown where no person looks, nor before the program has run for `patience` ms. */
export function progressLine(terminal: Terminal = process.stderr, patience = 1000): ProgressLine {
  const { isTTY = false } = terminal;
  let latest = '';
  let isShown = false;
  let timer: NodeJS.Timeout | null = null;
  const show = (): void => {
    isShown = true;
    const { columns = 80 } = terminal;
    const room = Math.max(0, columns - echoed.length - 1);
    terminal.write(`${toStart}${latest.slice(0, room)}${clearRest}`);
  };
  return {
    say(text) {
      if (!isTTY) return;
      latest = text;
      const early = patience - process.uptime() * 1000;
      if (early <= 0) show();
      else if (Number.isFinite(early)) timer ??= setTimeout(show, early).unref();
    },
    end() {
      if (timer !== null) clearTimeout(timer);
      if (isShown) terminal.write(`${toStart}${clearRest}`);
      isShown = false;
    },
  };
}

/** What terminals add to the line when Ctrl-C is pressed: it must not break it. */
const echoed = '^C^C';
const toStart = '\r';
const clearRest = '\x1b[K';
