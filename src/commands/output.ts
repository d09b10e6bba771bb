// Prints JSON, lines and warnings; asks for a yes or a line; shows one line of progress for long work.
import { styleText } from 'node:util';
import { cleanText } from '../model/clean-text.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { quoteForShell } from '../model/wording.ts';

/** Prints one JSON document on stdout. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints lines on stdout, safe to show. */
export function printLines(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${cleanText(line)}\n`).join(''));
}

/** Prints lines on stdout that are already safe and may contain our own styles. */
export function printPage(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** The width of text for reading, in columns: that of the terminal up to 120, and 80 in a pipe. */
export function pageWidth(): number {
  const { columns, isTTY } = process.stdout;
  return isTTY ? Math.min(columns, 120) : 80;
}

/** Prints on stderr what the user should know but what prevents nothing. */
export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`conclave: ${cleanText(warning)}\n`);
}

/** True if a person can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks a person for a yes; any other answer is a no. Throws `usage` if nobody can answer, and `cancelled` for
 * Ctrl-C or a closed input.
 */
export async function confirm(
  question: string,
  otherwise = 'There is no terminal to ask in; add -y.',
): Promise<boolean> {
  if (!canAsk()) throw wrongUsage(`${question} ${otherwise}`);
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const cancelled = new Promise<never>((_, reject) => {
    const cancel = (): void => reject(new Stopped({ reason: 'cancelled', session: null }));
    terminal.once('SIGINT', cancel).once('close', cancel);
  });
  try {
    const asked = terminal.question(`${cleanText(question)} [y/N] `);
    return /^y(es)?$/i.test((await Promise.race([asked, cancelled])).trim());
  } catch (error) {
    // The next message starts on a line of its own.
    process.stderr.write('\n');
    throw error;
  } finally {
    // Closing rejects as well, and nobody listens any more.
    cancelled.catch(() => undefined);
    terminal.close();
  }
}

/** Bold text on a terminal that supports it. */
export function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}

type Terminal = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

/** Shows the progress of long work in one line of the terminal, which disappears at the end. */
export function progressLine(terminal: Terminal = process.stderr) {
  const show = (text: string): void => {
    // The line must not wrap, not even when the terminal adds ^C to it.
    if (terminal.isTTY) terminal.write(`\r${text.slice(0, terminal.columns - 5)}\u001b[K`);
  };
  return { say: show, end: () => show('') };
}

/** The words of a command as a shell reads them. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : quoteForShell(word))).join(' ');
}
