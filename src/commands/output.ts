import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { cleanText } from '../model/clean-text.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
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

/** Prints a table on stdout; its rows fit a terminal, and are whole lines in a pipe. */
export function printTable(table: Table): void {
  const { columns, isTTY } = process.stdout;
  process.stdout.write(tableText({ width: isTTY ? columns : Infinity, ...table }));
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
    throw wrongUsage(`${question} No terminal to ask in; use --yes.`);
  }
  return /^y(es)?$/i.test((await typedLine(`${question} [y/N]`)).trim());
}

/** The line that a person types. Throws `cancelled` for Ctrl-C or a closed input. */
export async function typedLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const cancelled = new Promise<never>((_, reject) => {
    const cancel = (): void => reject(new Stopped({ reason: 'cancelled', session: null }));
    terminal.once('SIGINT', cancel).once('close', cancel);
  });
  try {
    return await Promise.race([terminal.question(`${cleanText(question)} `), cancelled]);
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

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly width?: number;
}

/**
 * Columns under a heading, aligned by how wide terminals show the text. Where a row would be wider
 * than `width`, its cells wrap at words, and columns that find no room go on below it.
 */
export function tableText({ head, rows, width = Infinity }: Table): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => oneLine(cleanText(cell))));
  const columns = head.map((_, at) => columnOf(cells, { at, width }));
  const bands = bandsOf(columns, width);
  const lines = cells.map((row) =>
    bands.flatMap((band, at) => bandLines(row, band, at)).join('\n'),
  );
  const [first = '', ...body] = lines;
  return [styleText('bold', first, { stream: process.stdout }), ...body]
    .map((line) => `${line}\n`)
    .join('');
}

interface Column {
  readonly at: number;
  readonly width: number;
  /** It gets no narrower: words stay whole where they can. */
  readonly least: number;
}

const gap = '  ';
const indent = '    ';
/** A column of text is not made narrower. */
const narrowest = 20;

function columnOf(
  cells: readonly (readonly string[])[],
  { at, width: most }: { at: number; width: number },
): Column {
  const texts = cells.map((row) => row[at] ?? '');
  const width = Math.max(...texts.map((text) => stringWidth(text)));
  const word = Math.max(...texts.flatMap((text) => text.split(' ').map((one) => stringWidth(one))));
  const least = Math.max(Math.min(word, most - indent.length), Math.min(width, narrowest));
  return { at, width, least };
}

/** The columns that stand side by side, at most `width` wide together. */
function bandsOf(columns: readonly Column[], width: number): readonly (readonly Column[])[] {
  const bands: Column[][] = [];
  for (const column of columns) {
    const room = bands.length > 1 ? width - indent.length : width;
    const band = bands.at(-1);
    const least = [...(band ?? []), column].reduce((sum, one) => sum + one.least + gap.length, 0);
    if (band === undefined || least - gap.length > room) bands.push([column]);
    else band.push(column);
  }
  return bands.map((band, at) => narrowed(band, at > 0 ? width - indent.length : width));
}

/** Takes from the column that has the most to give until they fit. */
function narrowed(band: readonly Column[], room: number): readonly Column[] {
  const over = band.reduce((sum, { width }) => sum + width + gap.length, -gap.length) - room;
  const [widest] = band.toSorted((a, b) => b.width - b.least - (a.width - a.least));
  if (over <= 0 || widest === undefined || widest.width <= widest.least) return band;
  const width = Math.max(widest.least, widest.width - over);
  return narrowed(
    band.map((one) => (one === widest ? { ...one, width } : one)),
    room,
  );
}

function bandLines(row: readonly string[], band: readonly Column[], at: number): readonly string[] {
  const cells = band.map((column) => {
    const lines = wrapAnsi(row[column.at] ?? '', column.width, { hard: true }).split('\n');
    return { lines, width: column.width };
  });
  const height = Math.max(...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const texts = cells.map(({ lines, width }) => padded(lines[line] ?? '', width));
    return ((at > 0 ? indent : '') + texts.join(gap)).trimEnd();
  }).filter((line, index) => at + index === 0 || line !== '');
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
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
