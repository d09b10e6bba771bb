import { createInterface } from 'node:readline/promises';
import { cleanText } from '../model/clean-text.ts';
import { Stopped } from '../model/failure.ts';
import { table } from './table.ts';

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
  process.stdout.write(table({ head: rows.head, rows: rows.rows, width }));
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
