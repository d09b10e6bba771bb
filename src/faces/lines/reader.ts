import { cleanText } from '../../model/clean-text.ts';

/** Takes one typed line at a time; the commands hand it in. */
export interface LineReader {
  /** Rejects with the reason of the signal when that is aborted. */
  ask(prompt: string, signal: AbortSignal): Promise<string>;
}

/** Where the questions are written and the answers are typed. */
export interface Dialog {
  readonly reader: LineReader;
  readonly say: (...lines: readonly string[]) => void;
}

/** Where lines go: all that a face of plain lines needs of a stream. */
export interface LineOutput {
  write(text: string): unknown;
}

export function dialogOn(out: LineOutput, reader: LineReader): Dialog {
  return {
    reader,
    say(...lines) {
      for (const line of lines) out.write(`${cleanText(line)}\n`);
    },
  };
}

interface Choice {
  readonly prompt: string;
  /** What may be typed; the first is what Enter alone means. */
  readonly words: readonly string[];
}

/** Asks until one of the words was typed, in any case; an empty line is the first of them. */
export async function choose(
  { reader, say }: Dialog,
  { prompt, words }: Choice,
  signal: AbortSignal,
): Promise<string> {
  const [first = ''] = words;
  for (;;) {
    const typed = (await reader.ask(`${prompt} [${first}]: `, signal)).trim();
    if (typed === '') return first;
    const meant = words.find((word) => word.toLowerCase() === typed.toLowerCase());
    if (meant !== undefined) return meant;
    say(`Please type one of: ${words.join(', ')}.`);
  }
}

/** Asks for lines until an empty one. */
export async function gather(
  { reader }: Dialog,
  { first, more }: { readonly first: string; readonly more: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const given: string[] = [];
  for (;;) {
    const text = (await reader.ask(given.length === 0 ? first : more, signal)).trim();
    if (text === '') return given;
    given.push(text);
  }
}
