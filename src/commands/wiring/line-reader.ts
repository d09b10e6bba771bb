import { createInterface } from 'node:readline';
import type { LineReader } from '../../faces/lines/reader.ts';
import { cleanText } from '../../model/clean-text.ts';
import { oneLine } from '../../model/wording.ts';

/**
 * Reads lines as the terminal hands them over, which echoes and edits them itself: nothing but
 * text is written. What is typed while nothing is asked answers no later question.
 */
export function lineReader({
  input,
  output,
  ended,
}: {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Called once when there is no more input. */
  readonly ended: () => void;
}): LineReader & { close(): void } {
  const lines = createInterface({ input, terminal: false });
  let take: ((line: string) => void) | null = null;
  lines.on('line', (line) => {
    const text = cleanText(line);
    if (take !== null) take(text);
    else if (text.trim() !== '')
      output.write(`Nothing was asked, so this was not taken: ${oneLine(text)}\n`);
  });
  lines.once('close', ended);
  return {
    async ask(prompt, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const withdraw = () => {
        output.write('\n');
        reject(signal.reason);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      output.write(prompt);
      take = resolve;
      try {
        return await promise;
      } finally {
        take = null;
        signal.removeEventListener('abort', withdraw);
      }
    },
    close() {
      lines.off('close', ended);
      lines.close();
    },
  };
}
