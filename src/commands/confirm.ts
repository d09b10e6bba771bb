import { createInterface } from 'node:readline/promises';
import { cleanText } from '../model/clean-text.ts';
import { Stopped } from '../model/failure.ts';

/**
 * Asks a person for a yes; anything else is a no. Throws `usage` where nobody can answer, and
 * `cancelled` for Ctrl-C or a closed input.
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const message = `${question} Nobody is there to answer; say it with --yes.`;
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
    // What is said next starts on its own line.
    process.stderr.write('\n');
    throw error;
  } finally {
    // Closing would reject, too, and nobody listens any more.
    cancelled.catch(() => undefined);
    terminal.close();
  }
}
