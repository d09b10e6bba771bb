import { beginByLines } from '../faces/lines/begin.ts';
import { dialogOn } from '../faces/lines/reader.ts';
import { linesView } from '../faces/lines/view.ts';
import { Stopped } from '../model/failure.ts';
import { type OpenFace, attendedBy } from './attended.ts';
import { interruptible } from './wiring/interruptible.ts';
import { lineReader } from './wiring/line-reader.ts';

/** The commands of a session before a person, as plain lines that a screen reader can follow. */
export const byLines = attendedBy(openLines);

function openLines({ ports, opens }: Parameters<OpenFace>[0]): ReturnType<OpenFace> {
  const { stdin: input, stdout: output } = process;
  // The end of the input is a terminal that is gone, or Ctrl-D: both interrupt and save.
  const reader = lineReader({ input, output, ended: () => process.emit('SIGHUP') });
  return {
    view: linesView(output, reader),
    async chosen() {
      if (opens === 'run') return null;
      const lines = dialogOn(output, reader);
      try {
        return await interruptible(({ signal }) => beginByLines(lines, { opens, ports }, signal));
      } catch (error) {
        // Nothing was begun, so that there is nothing to say about it.
        if (error instanceof Stopped && error.failure.reason === 'cancelled') return null;
        throw error;
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
