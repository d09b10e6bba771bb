// Lists all living processes, and finds those that carry our mark.
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { runProgram } from '../../store/run-program.ts';
import { isSystemError } from '../../store/system-error.ts';

/** The variables that identify the descendants of an agent run, and those of a check. */
export const markVariables = { agent: 'CONCLAVE_RUN', check: 'CONCLAVE_CHECK' } as const;
/** The kinds of marked runs. */
export type MarkOf = keyof typeof markVariables;

/** A living process. A pid can be reused; `start` tells the processes apart. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The session id; null if the system does not tell. */
  readonly session: number | null;
  readonly start: number;
}

export interface ProcessTable {
  readonly entries: readonly ProcessEntry[];
  /** The mark in the environment of a process, or null. Without /proc it is always null. */
  markOf(pid: number): string | null;
}

/**
 * All living processes at a moment after the call. Reading them opens a file for each, so calls
 * share one reading: those of the same turn of the event loop, or of `patienceMs` after the first.
 */
export function readProcessTable(patienceMs = 0): Promise<ProcessTable> {
  shared ??= new Promise<ProcessTable>((resolve, reject) => {
    const begin = () => {
      shared = null;
      (hasProc ? Promise.resolve().then(tableFromProc) : tableFromPs()).then(resolve, reject);
    };
    if (patienceMs <= 0) setImmediate(begin);
    else setTimeout(begin, patienceMs);
  });
  return shared;
}

/** The start of a living process or zombie at this moment; null without one or without /proc. */
export function startOf(pid: number): number | null {
  return hasProc ? (readStat(String(pid))?.start ?? null) : null;
}

/** The marks of the runs that this process is inside of: in its environment, and in its ancestors’. */
export function marksAround(
  environment: NodeJS.ProcessEnv,
): readonly { readonly of: MarkOf; readonly mark: string }[] {
  const own = Object.entries(environment).map(([name, text]) => `${name}=${text}\0`);
  const found = marksIn(Buffer.from(own.join('')));
  // A system without /proc has no such ancestors.
  for (let at = process.ppid; at > 1; at = parentOf(at))
    found.push(...marksIn(readProcFile(`/proc/${at}/environ`)));
  return found;
}

function marksIn(environ: Buffer | null) {
  return kinds.flatMap((of) => {
    const mark = markIn(environ, of);
    return mark === null ? [] : { of, mark };
  });
}

const kinds = ['agent', 'check'] as const;

const parentOf = (pid: number): number => (hasProc ? (readStat(String(pid))?.parent ?? 0) : 0);

/** False if descendants can only be found by parent and group. */
export const hasProc = existsSync('/proc/self/stat');

let shared: Promise<ProcessTable> | null = null;

function tableFromProc(): ProcessTable {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    const first = name.charCodeAt(0);
    if (first < 0x30 || first > 0x39) continue;
    const stat = readStat(name);
    if (stat?.living === true) entries.push(stat);
  }
  const marks = new Map<number, string | null>();
  return {
    entries,
    markOf(pid) {
      const known = marks.get(pid);
      if (known !== undefined) return known;
      const environ = readProcFile(`/proc/${pid}/environ`);
      const mark = markIn(environ, 'agent') ?? markIn(environ, 'check');
      marks.set(pid, mark);
      return mark;
    },
  };
}

// The name in brackets may contain anything, even brackets: the fields are counted from the last one.
function readStat(pid: string): (ProcessEntry & { living: boolean }) | null {
  const text = readProcFile(`/proc/${pid}/stat`)?.toString('latin1');
  if (text === undefined) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid: Number(pid),
    living: fields[0] !== 'Z' && fields[0] !== 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    start: Number(fields[19]),
  };
}

function markIn(environ: Buffer | null, of: MarkOf): string | null {
  if (environ === null) return null;
  const start = Buffer.from(`${markVariables[of]}=`);
  let at = environ.indexOf(start);
  while (at > 0 && environ[at - 1] !== 0) at = environ.indexOf(start, at + 1);
  if (at === -1) return null;
  const from = at + start.length;
  const end = environ.indexOf(0, from);
  return environ.toString('utf8', from, end === -1 ? environ.length : end);
}

let scratch = Buffer.allocUnsafe(65_536);

// This takes one open, one or two reads and one close: several times cheaper than readFileSync,
// which asks for the size of a file that has none. The result is only valid until the next call.
function readProcFile(path: string): Buffer | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    let length = 0;
    for (;;) {
      const read = readSync(file, scratch, length, scratch.length - length, null);
      if (read === 0) return scratch.subarray(0, length);
      length += read;
      if (length === scratch.length) {
        scratch = Buffer.concat([scratch, Buffer.allocUnsafe(scratch.length)]);
      }
    }
  } catch (error) {
    if (isGoneOrForeign(error)) return null;
    throw error;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function isGoneOrForeign(error: unknown): boolean {
  return isSystemError(error) && ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code);
}

/** Lists parent, group and start of every process from `ps`, for systems without /proc. */
export async function tableFromPs(): Promise<ProcessTable> {
  const { exitCode, fault, stdout } = await runProgram({
    command: 'ps',
    args: ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='],
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
    maxOutput: 64 * 1024 * 1024,
    signal: new AbortController().signal,
  });
  if (exitCode !== 0) throw fault ?? new Error(`ps ended with exit code ${exitCode}`);
  const entries: ProcessEntry[] = [];
  for (const line of stdout.toString().split('\n')) {
    const [, pid, parent, group, state, start] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (start === undefined || state?.startsWith('Z') === true) continue;
    entries.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: null,
      start: Date.parse(start),
    });
  }
  return { entries, markOf: () => null };
}
