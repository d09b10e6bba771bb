// Runs a short program, like git, to its end; its exit code is a value.
import type { ChildProcess, StdioOptions } from 'node:child_process';
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
  /** The most output, in bytes: a program that prints more is ended, as a failure. */
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

/** Runs a program out of the user’s sight. It may end without reading all of its input. */
export async function runProgram(
  call: ProgramCall,
): Promise<ProgramEnd & { readonly stdout: Buffer; readonly stderr: Buffer }> {
  const { command, signal, maxOutput, input = null, read } = call;
  signal.throwIfAborted();
  const { child, ended } = begin(call, [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe']);
  let forced: NodeJS.Timeout | undefined;
  const stop = () => {
    child?.kill('SIGTERM');
    forced ??= setTimeout(() => child?.kill('SIGKILL'), forceMs).unref();
  };
  const overflows: Error[] = [];
  const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const keep = (name: 'stdout' | 'stderr') => {
    let length = 0;
    child?.[name]?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxOutput) return kept[name].push(chunk);
      overflows.push(new Error(`${command} printed more than ${maxOutput} bytes on ${name}`));
      return stop();
    });
  };
  keep('stderr');
  if (read === undefined) keep('stdout');
  const stdout = child?.stdout ?? null;
  const reading = read && stdout && Promise.allSettled([read(stdout)]);
  child?.stdin?.on('error', () => undefined).end(input);
  // Processes that the program has started may hold its pipes open, which would be waited for.
  const letGo = () => {
    stop();
    for (const stream of [stdout, child?.stderr]) stream?.destroy();
  };
  signal.addEventListener('abort', letGo, { once: true });
  const end = await ended;
  clearTimeout(forced);
  signal.removeEventListener('abort', letGo);
  signal.throwIfAborted();
  const [unread] = (child?.pid === undefined ? null : await reading) ?? [];
  if (unread?.status === 'rejected') throw unread.reason;
  const [overflow] = overflows;
  return {
    ...(overflow === undefined ? end : { ...end, exitCode: null, fault: overflow }),
    stdout: Buffer.concat(kept.stdout),
    stderr: Buffer.concat(kept.stderr),
  };
}

/** The time for a program to end after it was told to, before it is killed, in ms. */
const forceMs = 5_000;

/** Runs a program, such as an editor, that uses the terminal in the meantime. */
export async function runInTerminal(program: Program): Promise<ProgramEnd> {
  return await begin(program, 'inherit').ended;
}

interface Begun {
  /** The program; null if the system refused the call at once. */
  readonly child: ChildProcess | null;
  /** Resolves when it has ended and its output is read. */
  readonly ended: Promise<ProgramEnd>;
}

function begin({ command, args, env, cwd }: Program, stdio: StdioOptions): Begun {
  // Most commands start no program, and this takes a while to load.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const ended = Promise.withResolvers<ProgramEnd>();
  const fail = (fault: Error) => ended.resolve({ exitCode: null, endedBy: null, fault });
  try {
    const place = cwd === undefined ? {} : { cwd };
    const child = spawn(command, [...args], { env, ...place, stdio });
    child.on('error', (error) => {
      if (child.pid === undefined) fail(error);
    });
    child.once('close', (exitCode, endedBy) => {
      const fault = exitCode === null ? new Error(`${command} was ended by ${endedBy}`) : null;
      ended.resolve({ exitCode, endedBy, fault });
    });
    return { child, ended: ended.promise };
  } catch (error) {
    // Too many words, for example, or a word that no program can be given.
    if (!(error instanceof Error)) throw error;
    fail(error);
    return { child: null, ended: ended.promise };
  }
}
