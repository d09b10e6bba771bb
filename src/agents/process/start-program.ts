// Starts one program under supervision: limits, record, its lines, the end of its tree, its watcher.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../../model/failure.ts';
import { counted } from '../../model/wording.ts';
import type { RunLimits } from '../agent.ts';
import { type FramedLine, type LinePump, linePump, release } from './line-pump.ts';
import { type TreeRoot, endTree } from './process-tree.ts';
import { type OutputRecord, openRecord } from './record.ts';
import { type Limit, watchLimits } from './time-limits.ts';
import { type MarkOf, hasProc, markVariables, startOf } from './process-table.ts';
import { packageRoot } from '../../prompts/package-root.ts';

export interface ProgramOrder extends ProgramCall {
  /** Absolute path of the file for stdout, without its secrets, or null; `stderr.log` is next to it. */
  readonly rawOutput: string | null;
  /** Variables that it may not have, whose secrets are also removed from that file. */
  readonly secrets?: NodeJS.ProcessEnv;
  readonly limits: RunLimits;
  /** The text that asks it to end on its own, written when `signal` is aborted; it then has 1.5 seconds. */
  readonly farewell?: (() => string) | undefined;
  /** The time for it and its helpers to end after its stdin was closed or it has ended, in ms. */
  readonly lingerMs?: number;
  /** A program that prints more than this on stdout is ended; by default there is no limit. */
  readonly maxBytes?: number;
  /** Called with its pid as soon as it runs. */
  readonly started?: (pid: number) => void;
}

/** A program under supervision. It can be written to while its stdin is open. */
export interface Program {
  /** Writes to its stdin; what it does not accept is lost. */
  write(text: string): void;
  /** Closes its stdin. */
  endInput(): void;
  /** The next lines of its stdout as they come, or null at the end. */
  take(): Promise<readonly FramedLine[] | null>;
  /** Its output on stdout so far, in bytes. */
  readonly bytes: number;
  /** The last 64 KB of its stderr so far. */
  stderrTail(): string;
  readonly exited: Promise<Exit>;
  /** Ends it and all that came from it; lines that it prints from now on are not delivered. */
  stop(): void;
  /** Resolves when nothing of it is alive, its pipes are closed and its record is complete. */
  readonly over: Promise<ProcessEnd>;
}

/** The end of a program. Sizes are in bytes, times in ms. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: Limit | null;
  readonly cancelled: boolean;
  readonly spawnError: SpawnError | null;
  /** The last 64 KB of stderr. */
  readonly stderrTail: string;
  readonly outputBytes: number;
  readonly durationMs: number;
  readonly notes: readonly string[];
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

/**
 * Starts a program, or says why that failed. What it prints after it had to stop is kept in the
 * file but not delivered. When it exits, whatever it left running is ended too. Aborting `signal`
 * ends it. Throws `Stopped` if the file for the raw output cannot be made; every other end is a
 * value.
 */
export async function startProgram(
  order: ProgramOrder,
  signal: AbortSignal,
): Promise<Result<Program, ProcessEnd>> {
  const startedAt = performance.now();
  const record = openRecord(order.rawOutput, { ...order.secrets, ...order.env });
  const close = (end: Partial<ProcessEnd>): ProcessEnd => ({
    ...notStarted,
    ...end,
    stderrTail: record.stderrTail(),
    durationMs: performance.now() - startedAt,
    notes: [...(end.notes ?? []), ...record.close()],
  });
  try {
    if (signal.aborted) return { ok: false, failure: close({ cancelled: true }) };
    const spawned = await spawnProgram(order);
    if (!spawned.ok) return { ok: false, failure: close({ spawnError: spawned.error }) };
    order.started?.(spawned.program.root.pid);
    return { ok: true, value: supervise(spawned.program, { ...order, record, signal, close }) };
  } catch (error) {
    record.close();
    throw error;
  }
}

type Stop = Limit | 'cancelled' | 'abandoned';

/** Watches a program that has just been spawned until it, and all it left behind, has ended. */
function supervise(
  program: SpawnedProgram,
  order: Pick<ProgramOrder, 'limits' | 'maxBytes' | 'farewell' | 'lingerMs'> & {
    readonly record: OutputRecord;
    readonly signal: AbortSignal;
    readonly close: (end: Partial<ProcessEnd>) => ProcessEnd;
  },
): Program {
  const { limits, maxBytes = Infinity, record, signal, farewell } = order;
  const { lingerMs = usualFarewellMs } = order;
  const { stdin, stdout, stderr, exited } = program;
  const stopping = Promise.withResolvers<Stop>();

  const lines = linePump(stdout, (chunk) => {
    record.stdout(chunk);
    watch.noteOutput('stdout');
    // A line that never ends is never delivered, so the bytes are watched instead.
    if (lines.bytes > maxBytes) stopping.resolve('abandoned');
  });
  stderr.on('data', (chunk: Buffer) => {
    record.stderr(chunk);
    watch.noteOutput('stderr');
    release(chunk);
  });
  // A program may end or close stdin without reading it all (EPIPE); its output shows what follows
  // from that.
  stdin.on('error', () => stdin.destroy());
  const watch = watchLimits(limits, { isHeld: () => lines.held, onLimit: stopping.resolve });
  const write = (text: string) => void (stdin.writable && stdin.write(text));
  const cancel = () => {
    if (farewell === undefined) return stopping.resolve('cancelled');
    write(farewell());
    setTimeout(() => stopping.resolve('cancelled'), leaveMs).unref();
  };
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();

  async function untilOver(): Promise<ProcessEnd> {
    const first = await Promise.race([exited.then(() => null), stopping.promise]);
    const isAsked = first === null || first === 'abandoned';
    const stopped = isAsked && signal.aborted && farewell !== undefined ? 'cancelled' : first;
    watch.stop();
    if (stopped !== null) lines.mute();
    try {
      const farewellMs = stopped === null ? lingerMs : 0;
      const tree = await endTree({ ...program.root, farewellMs, graceMs: limits.graceMs });
      // The exit of what is gone always comes, late on a busy machine.
      const isGone = !tree.survivors.includes(program.root.pid);
      const exit = isGone ? await within(exited, mostReportMs) : null;
      await drain(program, lines);
      return order.close(endOf({ exit, stopped, tree, lines }));
    } finally {
      signal.removeEventListener('abort', cancel);
      // A process that still holds the other end must not delay us.
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
      record.close();
    }
  }

  return {
    write,
    endInput: () => void stdin.end(),
    take: () => lines.take(),
    get bytes() {
      return lines.bytes;
    },
    stderrTail: () => record.stderrTail(),
    exited,
    stop: () => stopping.resolve('abandoned'),
    over: untilOver(),
  };
}

/** The time to end after a farewell, in ms. */
const leaveMs = 1_500;
/** The usual time for helpers of a program that has ended to end themselves, in ms. */
const usualFarewellMs = 500;
/** The longest time until the system reports the exit of a program that is gone, in ms. */
const mostReportMs = 30_000;
const quietMs = 100;
const mostQuietChecks = 20;

// The dead may have left output in the pipes, which is read to its end. A pipe that is still open
// then is held by a stranger: it is given up once it is silent, or after two seconds.
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
  stopped: Stop | null;
  tree: { ended: number; survivors: readonly number[] };
  lines: LinePump;
}): Partial<ProcessEnd> {
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

interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; only the mark is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly mark: string;
  /** The kind of mark; an agent’s by default. */
  readonly markOf?: MarkOf;
}

/** Why a program could not be started. `code` is that of the system, e.g. `ENOENT`. */
interface SpawnError {
  readonly code: string;
  readonly message: string;
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

interface SpawnedProgram {
  readonly root: TreeRoot;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<Exit>;
}

type Spawned =
  | { readonly ok: true; readonly program: SpawnedProgram }
  | { readonly ok: false; readonly error: SpawnError };

/**
 * Starts a program in its own group and session. Its streams must be listened to in the same turn
 * of the event loop in which the promise resolves, or else the spawner discards them.
 */
async function spawnProgram(call: ProgramCall): Promise<Spawned> {
  // It is loaded only when an agent really runs, because most commands never start one.
  const { execa } = await import('execa');
  if (!isFolder(call.cwd)) {
    return spawnFailure('ENOTDIR', `the folder ${call.cwd} does not exist`);
  }
  if ([call.command, ...call.args].some((word) => word.includes('\0'))) {
    return spawnFailure('EINVAL', 'no word of a command can hold a NUL');
  }
  watchRun(call.mark);
  const child = execa(call.command, [...call.args], {
    cwd: call.cwd,
    env: { ...call.env, [markVariables[call.markOf ?? 'agent']]: call.mark },
    extendEnv: false,
    detached: true,
    // We end the program ourselves, including its descendants.
    cleanup: false,
    shell: false,
    buffer: false,
    reject: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    encoding: 'buffer',
    verbose: 'none',
  });
  const { pid } = child;
  if (pid === undefined) {
    const { code, originalMessage } = await child;
    return spawnFailure(code ?? 'UNKNOWN', originalMessage ?? 'it could not be started');
  }
  const exited = new Promise<Exit>((resolve) => {
    child.nodeChildProcess.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const { stdin, stdout, stderr } = child;
  const root = { pid, start: startOf(pid), mark: call.mark };
  return { ok: true, program: { root, stdin, stdout, stderr, exited } };
}

function spawnFailure(code: string, message: string): Spawned {
  return { ok: false, error: { code, message } };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The time between TERM and KILL, in ms. */
const grace = '5000';

const watchers = new Map<string, ChildProcess>();

/**
 * Starts the watcher of the run that a mark belongs to, unless it exists: a run is its mark up to
 * the last dot. Without /proc nothing can be found by a mark, so no watcher is started.
 */
export function watchRun(mark: string): void {
  const run = mark.slice(0, mark.lastIndexOf('.') + 1);
  if (run === '' || !hasProc || watchers.has(run)) return;
  const program = join(packageRoot(), 'dist/agents/process/run-watcher.js');
  const watcher = spawn(process.execPath, ['--max-old-space-size=32', program, run, grace], {
    // This keeps a terminal from ending it together with this process.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: {},
  });
  watchers.set(run, watcher);
  // The run continues without it if it cannot be started or is ended from outside.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  if (watcher.stdin instanceof Socket) watcher.stdin.unref();
}

/** Releases the watcher of a run, once its programs have ended. */
export function leaveRun(run: string): void {
  watchers.get(run)?.stdin?.end();
  watchers.delete(run);
}

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
