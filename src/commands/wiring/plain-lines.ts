// Gives a person plain lines, with answers typed one at a time.
import { createInterface } from 'node:readline/promises';
import { askByLines } from '../../faces/lines/begin.ts';
import { type LineReader, openDialog } from '../../faces/lines/reader.ts';
import { linesView } from '../../faces/lines/lines-view.ts';
import type { FirstScreen, Tui } from '../../faces/tui/open-screens.tsx';
import type { TuiPorts } from '../../faces/tui/ports.ts';
import { cleanText } from '../../model/clean-text.ts';
import { Stopped } from '../../model/failure.ts';
import { oneLine } from '../../model/wording.ts';
import { interruptible } from './interruptions.ts';

/** Opens a person’s face as plain lines that a screen reader can follow. */
export function openLines({
  ports,
  opens,
}: {
  readonly ports: TuiPorts;
  readonly opens: FirstScreen;
}): Tui {
  const { stdin: input, stdout: output } = process;
  // The end of the input means a closed terminal or Ctrl-D: both interrupt and save.
  const reader = lineReader({ input, output, ended: () => process.emit('SIGHUP') });
  return {
    view: linesView(output, reader),
    async chosen(again) {
      if (opens === 'run' && again === undefined) return null;
      try {
        return await interruptible(({ signal }) => {
          const lines = openDialog(output, reader, signal);
          if (again !== undefined) lines.say(again.note);
          const begin = opens === 'run' || again !== undefined ? 'start' : opens;
          return askByLines(lines, ports, begin);
        });
      } catch (error) {
        if (!(error instanceof Stopped) || error.failure.reason !== 'cancelled') throw error;
        if (reader.isOver()) output.write('The input has ended; nothing was started.\n');
        return null;
      }
    },
    showEnd: () => Promise.resolve(),
    close() {
      reader.close();
      return Promise.resolve();
    },
    failed: Promise.withResolvers<never>().promise,
  };
}

/**
 * Reads lines as the terminal delivers them; the terminal itself echoes and edits them, so only text is
 * written. Lines typed while nothing is asked do not answer a later question.
 */
function lineReader({
  input,
  output,
  ended,
}: {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Called when the input ends, and for each later question. */
  readonly ended: () => void;
}): LineReader & { isOver(): boolean; close(): void } {
  const lines = createInterface({ input, output, terminal: false });
  let isOver = false;
  lines.on('line', (line) => {
    const text = oneLine(cleanText(line));
    if (text !== '') output.write(`Ignored, as nothing was asked: ${text}\n`);
  });
  const end = () => {
    isOver = true;
    ended();
  };
  lines.once('close', end);
  return {
    isOver: () => isOver,
    async ask(prompt, signal) {
      // Nobody may have been listening when the input ended.
      if (isOver) ended();
      signal.throwIfAborted();
      try {
        return cleanText(await lines.question(prompt, { signal }));
      } catch (error) {
        output.write('\n');
        signal.throwIfAborted();
        throw error;
      }
    },
    close() {
      lines.off('close', end);
      lines.close();
    },
  };
}
