// Prints tables and aligned columns by the display width of their characters; takes a while to load.
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { cleanText } from '../model/clean-text.ts';
import { oneLine } from '../model/wording.ts';
import { bold } from './output.ts';

/** Prints a table on stdout; its rows are fitted to a terminal, and are single lines in a pipe. */
export function printTable(table: Table): void {
  const { columns, isTTY } = process.stdout;
  process.stdout.write(tableText({ width: isTTY ? columns : Infinity, ...table }));
}

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly width?: number;
}

/**
 * Aligned columns under a heading. If they are wider than `width`, the last one wraps; if it would become too
 * narrow for that, each row becomes a block with a line for each column that says something.
 */
export function tableText({ head, rows, width = Infinity }: Table): string {
  const [titles = [], ...body] = [head, ...rows].map((row) =>
    row.map((cell) => oneLine(cleanText(cell))),
  );
  const table = [titles, ...body];
  const widths = widthsOf(table);
  const last = widths.pop() ?? 0;
  const room = widths.reduce((rest, column) => rest - column - gap.length, width);
  const blockOf = ([name = '', ...facts]: readonly string[]) => {
    const lines = facts.flatMap((fact, at) =>
      fact === '-' ? [] : [[`  ${titles[at + 1]}`, fact]],
    );
    return [...wrapAnsi(name, width, { hard: true }).split('\n'), ...alignColumns(lines, width)];
  };
  const fits = room >= Math.min(last, narrowest);
  const parts = fits ? [alignColumns(table, width)] : body.map(blockOf);
  return parts
    .flatMap(([first = '', ...lines]) => [bold(first), ...lines])
    .map((line) => `${line}\n`)
    .join('');
}

const gap = '  ';
/** The narrowest last column, in terminal columns. */
const narrowest = 20;

/** Rows of aligned cells, of which the last wraps at words to stay within `width`. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const others = widthsOf(rows).slice(0, -1);
  const indent = others.reduce((sum, column) => sum + column + gap.length, 0);
  return rows.flatMap((row) => {
    const cells = others.map((column, at) => padText(row[at] ?? '', column) + gap);
    const [first = '', ...more] = wrapLast(row.at(-1) ?? '', width - indent);
    return [cells.join('') + first, ...more.map((line) => ' '.repeat(indent) + line)].map((line) =>
      line.trimEnd(),
    );
  });
}

/** Wraps only if necessary, so that a thousand rows that fit are not searched. */
function wrapLast(text: string, room: number): readonly string[] {
  if (room === Infinity) return [text];
  return wrapAnsi(text, Math.max(narrowest, room), { hard: true }).split('\n');
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const [first = []] = rows;
  return first.map((_, at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? ''))));
}

function padText(text: string, width: number): string {
  return text + ' '.repeat(width - stringWidth(text));
}
