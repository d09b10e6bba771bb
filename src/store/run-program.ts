// Runs a short program, like git, to its end; its exit code is a value.
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A program, given by its path or by its name on the PATH of this process. No shell is involved. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment; nothing of this process is added. */
  readonly env: NodeJS.ProcessEnv;
  /** An absolute folder; that of this process by default. */
  readonly cwd?: string;
}

interface ProgramCall extends Program {
  /** Ends the program, and then makes the call reject with its reason. */
  readonly signal: AbortSignal;
  /** The most output of each kind, in bytes: a program that prints more is ended, as a failure. */
  readonly maxOutput: number;
  /** The standard input, empty by default. */
  readonly input?: string | Buffer | null;
  /** Reads standard output as it comes; it is then not kept. */
  readonly read?: (stdout: Readable) => Promise<void>;
}

/** How a program ended. */
interface ProgramEnd {
  /** The exit code; null if the program was not started, or did not end by itself. */
  readonly exitCode: number | null;
  /** The signal that ended it, e.g. `SIGTERM`. */
  readonly endedBy: string | null;
  /** Why it did not run to its end, or null; has the system’s `code` if the program could not be started. */
  readonly fault: Error | null;
}

/** The time until a program that is to end is killed, in ms. */
const untilKilled = 5_000;

/** Runs a program out of the user’s sight. It may end without reading all of its input. */
export async function runProgram(
  call: ProgramCall,
): Promise<ProgramEnd & { readonly stdout: Buffer; readonly stderr: Buffer }> {
  const { signal, maxOutput, input = null, read } = call;
  signal.throwIfAborted();
  const { child, end } = start(call, [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe']);
  const { stdin = null, stdout = null, stderr = null } = child ?? {};
  let tooMuch: Error | null = null;
  const stop = () => {
    child?.kill();
    setTimeout(() => child?.kill('SIGKILL'), untilKilled).unref();
    // Processes that the program has started may hold its pipes open, which would be waited for.
    for (const stream of [stdout, stderr]) stream?.destroy();
  };
  const keep = (stream: Readable | null) => {
    const parts: Buffer[] = [];
    let size = 0;
    stream?.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size <= maxOutput) return;
      tooMuch = new Error(`it printed more than ${maxOutput} bytes`);
      stop();
    });
    return parts;
  };
  signal.addEventListener('abort', stop, { once: true });
  stdin?.on('error', () => {}).end(input);
  const isRead = read !== undefined && stdout !== null && child?.pid !== undefined;
  const reading = isRead ? Promise.allSettled([read(stdout)]) : [];
  const kept = [read === undefined ? stdout : null, stderr].map(keep);
  const ended = await end;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  const [unread] = await reading;
  if (unread?.status === 'rejected') throw unread.reason;
  const [out = none, errors = none] = kept.map((parts) => Buffer.concat(parts));
  return { ...ended, fault: tooMuch ?? ended.fault, stdout: out, stderr: errors };
}

const none = Buffer.alloc(0);

/** Runs a program, such as an editor, that uses the terminal in the meantime. */
export function runInTerminal(program: Program): Promise<ProgramEnd> {
  return start(program, 'inherit').end;
}

function start({ command, args, env, cwd }: Program, stdio: StdioOptions) {
  const { promise: end, resolve } = Promise.withResolvers<ProgramEnd>();
  const fail = (fault: unknown) =>
    resolve({ exitCode: null, endedBy: null, fault: fault instanceof Error ? fault : null });
  try {
    const child: ChildProcess = spawn(command, [...args], { env, cwd, stdio });
    child.on('error', (fault) => (child.pid === undefined ? fail(fault) : null));
    child.on('close', (exitCode, endedBy) => {
      const fault = endedBy === null ? null : new Error(`${command} was ended by ${endedBy}`);
      resolve({ exitCode, endedBy, fault });
    });
    return { child, end };
  } catch (fault) {
    // The system refuses words that are too long, or that hold a NUL.
    fail(fault);
    return { child: null, end };
  }
}
