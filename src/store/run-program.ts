// Runs a short program, like git, to its end; its exit code is a value.
import type { Readable } from 'node:stream';
import type { Options } from 'execa';

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
  const { command, args, signal, maxOutput, input = null, read } = call;
  signal.throwIfAborted();
  // Loading execa takes longer than many a command needs in total.
  const { execa } = await import('execa');
  const child = execa(command, [...args], {
    ...plain(call),
    ...(input === null ? { stdin: 'ignore' } : { input }),
    buffer: { stdout: read === undefined, stderr: true },
    maxBuffer: maxOutput,
    cancelSignal: signal,
    encoding: 'buffer',
    stripFinalNewline: false,
  });
  // Processes that the program has started may hold its pipes open, which would be waited for.
  const letGo = () => [child.stdout, child.stderr].forEach((stream) => stream?.destroy());
  signal.addEventListener('abort', letGo, { once: true });
  const reading = read === undefined ? null : Promise.allSettled([read(child.stdout)]);
  const end = await child;
  signal.removeEventListener('abort', letGo);
  signal.throwIfAborted();
  const [unread] = (child.pid === undefined ? null : await reading) ?? [];
  if (unread?.status === 'rejected') throw unread.reason;
  return { ...programEnd(end), stdout: bytesOf(end.stdout), stderr: bytesOf(end.stderr) };
}

/** Runs a program, such as an editor, that uses the terminal in the meantime. */
export async function runInTerminal(program: Program): Promise<ProgramEnd> {
  const { execa } = await import('execa');
  return programEnd(
    await execa(program.command, [...program.args], { ...plain(program), stdio: 'inherit' }),
  );
}

function plain({ env, cwd }: Program) {
  return {
    env,
    ...(cwd !== undefined && { cwd }),
    extendEnv: false,
    preferLocal: false,
    shell: false,
    reject: false,
    // Its listeners would take the signals that this process listens to itself.
    cleanup: false,
    verbose: 'none',
  } as const satisfies Options;
}

interface SpawnerEnd {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly failed: boolean;
  readonly isMaxBuffer: boolean;
  readonly shortMessage?: string | undefined;
  readonly cause?: unknown;
}

function programEnd(end: SpawnerEnd): ProgramEnd {
  const { exitCode, signal, failed, isMaxBuffer, cause, shortMessage } = end;
  const isOver = !failed || (exitCode !== undefined && !isMaxBuffer);
  const fault = cause instanceof Error ? cause : new Error(shortMessage);
  return { exitCode: exitCode ?? null, endedBy: signal ?? null, fault: isOver ? null : fault };
}

function bytesOf(output: Uint8Array | undefined): Buffer {
  return output === undefined
    ? Buffer.alloc(0)
    : Buffer.from(output.buffer, output.byteOffset, output.byteLength);
}
