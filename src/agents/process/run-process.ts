// Runs one program within its limits of time and yields its lines.
import type { Writable } from 'node:stream';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestTimer } from '../../context/time-limit.ts';
import { counted } from '../../model/wording.ts';
import type { RunLimits } from '../agent.ts';
import { type FramedLine, linePump, type LinePump, release } from './line-pump.ts';
import { endTree } from './process-tree.ts';
import { type OutputRecord, openRecord } from './record.ts';
import {
  type Exit,
  type SpawnedProgram,
  spawnProgram,
  type ProgramCall,
  type SpawnError,
} from './spawn.ts';

/** Which limit of time was used up. */
export type Limit = 'first-output' | 'idle' | 'total';

export interface ProcessRequest extends ProgramCall {
  /** Written to stdin, which is then closed: at once, or when `inputEnd` resolves. */
  readonly input: string;
  readonly inputEnd?: Promise<void>;
  /** Absolute path of the file for stdout, less its secrets, or null; `stderr.log` goes beside it. */
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
  const record = openRecord(request.rawOutput, request.env);
  try {
    const end = signal.aborted
      ? { ...notStarted, cancelled: true }
      : yield* runSupervised(request, { record, signal });
    return {
      ...notStarted,
      ...end,
      stderrTail: record.stderrTail(),
      durationMs: performance.now() - startedAt,
      notes: [...end.notes, ...record.close()],
    };
  } finally {
    record.close();
  }
}

/** The end of a program that was not started. */
export const notStarted: ProcessEnd = {
  exitCode: null,
  signal: null,
  timedOut: null,
  cancelled: false,
  spawnError: null,
  stderrTail: '',
  outputBytes: 0,
  durationMs: 0,
  notes: [],
};

async function* runSupervised(
  request: ProcessRequest,
  { record, signal }: { record: OutputRecord; signal: AbortSignal },
): AsyncGenerator<readonly FramedLine[], Partial<ProcessEnd> & SupervisedEnd, undefined> {
  const spawned = await spawnProgram(request);
  if (!spawned.ok) return { ...notStarted, spawnError: spawned.error };
  const run = supervise(spawned.program, { ...request, record });
  const cancel = () => run.stop('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    for (;;) {
      const lines = await run.lines.take();
      if (lines === null) return await run.over;
      yield lines;
    }
  } finally {
    // Reached early only where the consumer left the loop.
    run.stop('abandoned');
    await run.over;
    signal.removeEventListener('abort', cancel);
  }
}

interface Supervision {
  readonly lines: LinePump;
  /** Ends the program; lines that it prints from now on are not delivered. */
  stop(why: 'cancelled' | 'abandoned'): void;
  /** Resolves when nothing of the program is alive and its pipes are closed. */
  readonly over: Promise<SupervisedEnd>;
}

interface SupervisedEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: Limit | null;
  readonly cancelled: boolean;
  readonly outputBytes: number;
  readonly notes: readonly string[];
}

/** Watches a program that has just been spawned until it, and all it left behind, has ended. */
function supervise(
  program: SpawnedProgram,
  order: {
    readonly input: string;
    readonly inputEnd?: Promise<void>;
    readonly limits: RunLimits;
    readonly record: OutputRecord;
  },
): Supervision {
  const { limits, record } = order;
  const stopping = Promise.withResolvers<Limit | 'cancelled' | 'abandoned'>();

  const lines = linePump(program.stdout, (chunk) => {
    record.stdout(chunk);
    watch.heard('stdout');
  });
  program.stderr.on('data', (chunk: Buffer) => {
    record.stderr(chunk);
    watch.heard('stderr');
    release(chunk);
  });
  const watch = watchLimits(limits, { isHeld: () => lines.held, onLimit: stopping.resolve });
  void feed(program.stdin, order);

  async function untilOver(): Promise<SupervisedEnd> {
    const stopped = await Promise.race([program.exited.then(() => null), stopping.promise]);
    watch.stop();
    if (stopped !== null) lines.mute();
    try {
      const farewellMs = stopped === null ? usualFarewellMs : 0;
      const tree = await endTree({ ...program.root, farewellMs, graceMs: limits.graceMs });
      const exit = await within(program.exited, afterKillMs);
      await drain(program, lines);
      return endOf({ exit, stopped, tree, lines });
    } finally {
      // Whoever still holds the other end must not keep us waiting.
      for (const stream of [program.stdin, program.stdout, program.stderr]) stream.destroy();
    }
  }

  return { lines, stop: stopping.resolve, over: untilOver() };
}

interface LimitWatch {
  /** To be told of every byte; `stdout` counts as the first output. */
  heard(stream: 'stdout' | 'stderr'): void;
  stop(): void;
}

/**
 * Calls `onLimit` once, when the first of the limits is used up. All clocks are monotonic.
 * While `isHeld` (we do not read, because nobody takes our lines) silence is not the program’s.
 */
function watchLimits(
  limits: RunLimits,
  { isHeld, onLimit }: { isHeld: () => boolean; onLimit: (limit: Limit) => void },
): LimitWatch {
  const startedAt = performance.now();
  let lastHeard: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function deadlines(): { limit: Limit; at: number }[] {
    return [
      { limit: 'total', at: startedAt + limits.totalMs },
      lastHeard === null
        ? { limit: 'first-output', at: startedAt + limits.firstOutputMs }
        : { limit: 'idle', at: lastHeard + limits.idleMs },
    ];
  }

  function check(): void {
    if (isHeld()) lastHeard = performance.now();
    const next = deadlines().reduce((first, other) => (other.at < first.at ? other : first));
    const left = next.at - performance.now();
    clearTimeout(timer);
    if (left <= 0) onLimit(next.limit);
    else if (left !== Infinity) timer = setTimeout(check, Math.min(Math.ceil(left), longestTimer));
  }

  check();
  return {
    heard(stream) {
      if (lastHeard !== null) lastHeard = performance.now();
      else if (stream === 'stdout') {
        lastHeard = performance.now();
        check();
      }
    },
    stop: () => clearTimeout(timer),
  };
}

// A program that ends or closes stdin without reading it all is within its rights (EPIPE); what
// it makes of that shows in its output.
async function feed(
  stdin: Writable,
  { input, inputEnd }: { readonly input: string; readonly inputEnd?: Promise<void> },
): Promise<void> {
  stdin.on('error', () => stdin.destroy());
  stdin.write(input);
  if (inputEnd !== undefined) await inputEnd;
  stdin.end();
}

/** A helper of a program that has ended may still be on its way out. */
const usualFarewellMs = 500;
const afterKillMs = 1_000;
const quietMs = 100;
const mostQuietChecks = 20;

// What the dead left in the pipes is read to its end. A pipe that is still open then is held by a
// stranger: it is given up once it is silent, or after two seconds.
async function drain(program: SpawnedProgram, lines: LinePump): Promise<void> {
  const closed = Promise.all([
    lines.closed,
    program.stderr.closed ? null : once(program.stderr, 'close'),
  ]);
  for (let checks = 0; checks < mostQuietChecks;) {
    const before = lines.bytes;
    if ((await within(closed, quietMs)) !== null) return;
    if (lines.held) continue;
    if (lines.bytes === before) return;
    checks += 1;
  }
}

function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  return Promise.race([promise, sleep(ms, null, { ref: false })]);
}

function endOf(run: {
  exit: Exit | null;
  stopped: Limit | 'cancelled' | 'abandoned' | null;
  tree: { ended: number; survivors: readonly number[] };
  lines: LinePump;
}): SupervisedEnd {
  const { exit, stopped, tree, lines } = run;
  const notes: string[] = [];
  if (stopped === null && tree.ended > 0) {
    notes.push(
      `${counted(tree.ended, 'process', 'processes')} that it left running had to be ended`,
    );
  }
  if (tree.survivors.length > 0) {
    notes.push(`could not be ended: process ${tree.survivors.join(', ')}`);
  }
  return {
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    timedOut: stopped === 'cancelled' || stopped === 'abandoned' ? null : stopped,
    cancelled: stopped === 'cancelled',
    outputBytes: lines.bytes,
    notes,
  };
}
