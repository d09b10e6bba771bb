// Runs one program to its end with one input, as a stream of its lines.
import type { FramedLine } from './line-pump.ts';
import { type ProcessEnd, type ProgramOrder, startProgram } from './start-program.ts';

export interface ProcessRequest extends ProgramOrder {
  /** The text for stdin, which is then closed: at once, or when `inputEnd` resolves. */
  readonly input: string;
  readonly inputEnd?: Promise<void>;
}

/**
 * Runs one program and yields its lines in batches as they come; texts passed to `next` are written
 * to its stdin. The run is over only when nothing that came from it is alive any more. Leaving the
 * loop early or aborting `signal` ends the program. Throws `Stopped` if the file for the raw output
 * cannot be made; every other end is a value.
 */
export async function* runProcess(
  request: ProcessRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly FramedLine[], ProcessEnd, string | undefined> {
  const started = await startProgram(request, signal);
  if (!started.ok) return started.failure;
  const program = started.value;
  program.write(request.input);
  const { inputEnd, lingerMs = Infinity } = request;
  void Promise.resolve(inputEnd).then(() => {
    program.endInput();
    if (lingerMs !== Infinity) setTimeout(() => program.stop(), lingerMs).unref();
  });
  try {
    for (;;) {
      const lines = await program.take();
      if (lines === null) return await program.over;
      const reply = yield lines;
      if (reply !== undefined && reply !== '') program.write(reply);
    }
  } finally {
    // This has an effect only if the consumer left the loop early.
    program.stop();
    await program.over;
  }
}
