// Prints lines, reads typed ones, and asks for a choice between words.
import { cleanText } from '../../model/clean-text.ts';

/** Reads one typed line at a time; the commands provide it. */
export interface LineReader {
  /** Asks for a line. Rejects with the reason of the signal when that is aborted. */
  ask(prompt: string, signal: AbortSignal): Promise<string>;
}

/** Receives lines: all that a line-based interface needs of a stream. */
export interface LineOutput {
  write(text: string): unknown;
}

/** Writes questions and reads typed answers, until the signal is aborted. */
export interface Dialog {
  say(...lines: readonly string[]): void;
  ask(prompt: string): Promise<string>;
  /** Reads one of the words, in any case; an empty line selects the first. */
  choose(prompt: string, words: readonly string[]): Promise<string>;
  /** Reads lines until an empty one. */
  gather(first: string, more: string): Promise<readonly string[]>;
}

export function openDialog(out: LineOutput, reader: LineReader, signal: AbortSignal): Dialog {
  const say = (...lines: readonly string[]) => {
    for (const line of lines) out.write(`${cleanText(line)}\n`);
  };
  const ask = (prompt: string) => reader.ask(prompt, signal);
  return {
    say,
    ask,
    async choose(prompt, words) {
      const [first = ''] = words;
      for (;;) {
        const typed = (await ask(`${prompt} [${first}]: `)).trim();
        if (typed === '') return first;
        const meant = words.find((word) => word.toLowerCase() === typed.toLowerCase());
        if (meant !== undefined) return meant;
        say(`Please type one of: ${[...new Set(words)].join(', ')}.`);
      }
    },
    async gather(first, more) {
      const given: string[] = [];
      for (;;) {
        const text = (await ask(given.length === 0 ? first : more)).trim();
        if (text === '') return given;
        given.push(text);
      }
    },
  };
}
