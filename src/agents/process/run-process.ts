import type { RunLimits } from '../agent.ts';
import type { FramedLine } from './framing.ts';
import { openRecord, type OutputRecord } from './record.ts';
import { spawnProgram, type ProgramCall, type SpawnError } from './spawn.ts';
import { supervise, type SupervisedEnd } from './supervise.ts';

export interface ProcessRequest extends ProgramCall {
  /** Written to stdin, which is then closed: at once, or when `inputEnd` resolves. */
  readonly input: string;
  readonly inputEnd?: Promise<void>;
  /** Absolute path of the file for stdout as it comes, or null; `stderr.log` goes beside it. */
  readonly rawOutput: string | null;
  readonly limits: RunLimits;
}

/** How a process ended. Sizes in bytes, times in ms. */
export interface ProcessEnd extends SupervisedEnd {
  readonly spawnError: SpawnError | null;
  /** The last 64 KB. */
  readonly stderrTail: string;
  readonly durationMs: number;
}

/**
 * Runs one program and yields its lines in batches as they come; what it prints after it was told
 * to stop is kept in the file but not yielded. The run is over only when nothing that came from it
 * is alive any more. Leaving the loop early or aborting `signal` ends the program.
 * Throws `Stopped` where the file for the raw output cannot be made; every other end is a value.
 */
export async function* runProcess(
  request: ProcessRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly FramedLine[], ProcessEnd, undefined> {
  const startedAt = performance.now();
  const record = openRecord(request.rawOutput);
  try {
    const end = signal.aborted ? cancelledEarly : yield* runSupervised(request, { record, signal });
    return {
      ...end,
      stderrTail: record.stderrTail(),
      durationMs: performance.now() - startedAt,
      notes: [...end.notes, ...record.close()],
    };
  } finally {
    record.close();
  }
}

type Ending = SupervisedEnd & Pick<ProcessEnd, 'spawnError'>;

const noProcess: Ending = {
  exitCode: null,
  signal: null,
  timedOut: null,
  cancelled: false,
  spawnError: null,
  outputBytes: 0,
  notes: [],
};
const cancelledEarly: Ending = { ...noProcess, cancelled: true };

async function* runSupervised(
  request: ProcessRequest,
  { record, signal }: { record: OutputRecord; signal: AbortSignal },
): AsyncGenerator<readonly FramedLine[], Ending, undefined> {
  const spawned = await spawnProgram(request);
  if (!spawned.ok) return { ...noProcess, spawnError: spawned.error };
  const run = supervise(spawned.program, { ...request, record });
  const cancel = () => run.stop('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    for (;;) {
      const lines = await run.lines.take();
      if (lines === null) return { ...(await run.over), spawnError: null };
      yield lines;
    }
  } finally {
    // Reached early only where the consumer left the loop.
    run.stop('abandoned');
    await run.over;
    signal.removeEventListener('abort', cancel);
  }
}
