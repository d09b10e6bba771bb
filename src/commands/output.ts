// Prints JSON, lines, tables and warnings; asks for a yes or a line; shows one line of progress for long work.
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

/** True where a person can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks a person for a yes; anything else is a no. Throws `usage` where nobody can answer, and
 * `cancelled` for Ctrl-C or a closed input.
 */
export async function confirm(
  question: string,
  otherwise = 'There is no terminal to ask in; add -y.',
): Promise<boolean> {
  if (!canAsk()) throw wrongUsage(`${question} ${otherwise}`);
  return /^y(es)?$/i.test((await askForLine(`${question} [y/N]`)).trim());
}

/** The line that a person types. Throws `cancelled` for Ctrl-C or a closed input. */
export async function askForLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const cancelled = new Promise<never>((_, reject) => {
    const cancel = (): void => reject(new Stopped({ reason: 'cancelled', session: null }));
    terminal.once('SIGINT', cancel).once('close', cancel);
  });
  try {
    return await Promise.race([terminal.question(`${cleanText(question)} `), cancelled]);
  } catch (error) {
    // The next message starts on a line of its own.
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
 * Aligned columns under a heading. Where they are wider than `width`, the last one wraps; where it
 * would get too narrow for that, each row becomes a block with a line for each column.
 */
export function tableText({ head, rows, width = Infinity }: Table): string {
  const [titles = [], ...body] = [head, ...rows].map((row) =>
    row.map((cell) => oneLine(cleanText(cell))),
  );
  const table = [titles, ...body];
  const widths = widthsOf(table);
  const last = widths.pop() ?? 0;
  const room = widths.reduce((rest, column) => rest - column - gap.length, width);
  const blocks = body.map(([name = '', ...facts]) => {
    const lines = facts.map((fact, at) => [`  ${titles[at + 1]}`, fact]);
    return [...wrapAnsi(name, width, { hard: true }).split('\n'), ...alignColumns(lines, width)];
  });
  const parts = room >= Math.min(last, narrowest) ? [alignColumns(table, width)] : blocks;
  return parts
    .flatMap(([first = '', ...lines]) => [bold(first), ...lines])
    .map((line) => `${line}\n`)
    .join('');
}

const gap = '  ';
/** In columns. */
const narrowest = 20;

/** Rows of aligned cells, of which the last wraps at words to keep within `width`. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const others = widthsOf(rows).slice(0, -1);
  const indent = others.reduce((sum, column) => sum + column + gap.length, 0);
  return rows.flatMap((row) => {
    const cells = others.map((column, at) => padded(row[at] ?? '', column) + gap);
    const [first = '', ...more] = wrapLast(row.at(-1) ?? '', width - indent);
    return [cells.join('') + first, ...more.map((line) => ' '.repeat(indent) + line)].map((line) =>
      line.trimEnd(),
    );
  });
}

/** A thousand rows that need no wrapping are not looked through for it. */
function wrapLast(text: string, room: number): readonly string[] {
  if (room === Infinity) return [text];
  return wrapAnsi(text, Math.max(narrowest, room), { hard: true }).split('\n');
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const [first = []] = rows;
  return first.map((_, at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? ''))));
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - stringWidth(text));
}

/** Marked on a terminal that wants it. */
export function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}

type Terminal = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

/** One line on a terminal that says how far long work is, and is gone when it ends. */
export function progressLine(terminal: Terminal = process.stderr) {
  const show = (text: string): void => {
    // It must not wrap, not even when the terminal adds ^C to it.
    if (terminal.isTTY) terminal.write(`\r${text.slice(0, terminal.columns - 5)}\u001b[K`);
  };
  return { say: show, end: () => show('') };
}

/** The words of a command as a shell reads them. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
