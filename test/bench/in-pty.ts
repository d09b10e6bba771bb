import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';

/** A program in a terminal of its own, as it is measured from outside. */
export interface Measured {
  readonly pid: number;
  /** Waits until so many letters are to be seen; ms since the program was started. */
  letters(count: number): Promise<number>;
  /** Lets it run for some ms: CPU time in ms, and bytes written meanwhile. */
  watch(ms: number): Promise<{ readonly cpuMs: number; readonly bytes: number }>;
  end(): Promise<void>;
}

const patience = 20_000;

/** Starts `node` with arguments in a pty of 120 × 45. */
export function inPty(
  args: readonly string[],
  { cwd, environment }: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
): Measured {
  const start = performance.now();
  const env = { ...environment, TERM: 'xterm-256color', NODE_ENV: 'production' };
  const pty = spawn(process.execPath, [...args], { cols: 120, rows: 45, cwd, env });
  let text = '';
  let bytes = 0;
  let lettersAt = Infinity;
  let wanted = Infinity;
  pty.onData((data) => {
    bytes += Buffer.byteLength(data);
    // What is waited for comes early.
    if (text.length < 4_000_000) text += data;
    if (lettersAt === Infinity && lettersIn(text) >= wanted) lettersAt = performance.now() - start;
  });
  const gone = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  return {
    pid: pty.pid,
    async letters(count) {
      wanted = count;
      await until(
        () => lettersAt < Infinity,
        () => text,
      );
      return lettersAt;
    },
    async watch(ms) {
      const before = { cpuMs: cpuMs(pty.pid), bytes };
      await sleep(ms);
      return { cpuMs: cpuMs(pty.pid) - before.cpuMs, bytes: bytes - before.bytes };
    },
    async end() {
      pty.kill('SIGINT');
      const late = setTimeout(() => pty.kill('SIGKILL'), 3_000);
      await gone;
      clearTimeout(late);
    },
  };
}

/** Memory of a process now, in MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

function lettersIn(text: string): number {
  return stripVTControlCharacters(text).match(/\p{Letter}/gu)?.length ?? 0;
}

/** User and system time of a process in ms; Linux counts it in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /su, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function until(isSo: () => boolean, seen: () => string): Promise<void> {
  for (const deadline = Date.now() + patience; Date.now() < deadline;) {
    if (isSo()) return;
    await sleep(2);
  }
  throw new Error(`the terminal never showed it: ${stripVTControlCharacters(seen()).slice(-500)}`);
}
