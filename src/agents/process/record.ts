import {
  closeSync,
  constants,
  fchmodSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { secretFilter } from '../environment.ts';

/** What is kept of the two output streams of one run. */
export interface OutputRecord {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** The last 64 KB of stderr. */
  stderrTail(): string;
  /** Closes the files; returns what was not kept, in words. May be called again. */
  close(): readonly string[];
}

/**
 * stdout goes to `rawOutput`; stderr to a file beside it, made only if there is any: `stderr.log`
 * beside `events.jsonl`, `stderr-retry.log` beside `events-retry.jsonl`. Once closed they hold
 * nothing secret of the environment.
 * Throws `Stopped` if the file cannot be made. With null only the tail is kept.
 */
export function openRecord(
  rawOutput: string | null,
  environment: NodeJS.ProcessEnv = {},
): OutputRecord {
  const lastOfStderr = byteTail(64 * 1024);
  const stdout =
    rawOutput === null ? null : spoolTo(rawOutput, { name: 'the output', environment });
  const stderr =
    rawOutput === null
      ? null
      : spoolTo(besides(rawOutput), { name: 'the error output', environment });
  stdout?.open();
  stderr?.clear();
  let notes: string[] | null = null;
  return {
    stdout: (chunk) => stdout?.write(chunk),
    stderr(chunk) {
      lastOfStderr.push(chunk);
      stderr?.write(chunk);
    },
    stderrTail: () => lastOfStderr.text(),
    close() {
      notes ??= [stdout?.close(), stderr?.close()].filter((note) => typeof note === 'string');
      return notes;
    },
  };
}

function besides(rawOutput: string): string {
  const [, suffix = ''] = /^events(-.+)\.jsonl$/.exec(basename(rawOutput)) ?? [];
  return join(dirname(rawOutput), `stderr${suffix}.log`);
}

/** Takes one output stream to a file, up to a cap. */
interface Spool {
  /** Throws `Stopped` if the file cannot be made. */
  open(): number;
  /** Removes an earlier file of that name. */
  clear(): void;
  /** Opens the file if need be. Never throws. */
  write(chunk: Buffer): void;
  /** Closes the file. Returns what was not kept, in words, or null. */
  close(): string | null;
}

/** The most that is kept of one stream, in bytes. */
const spoolCap = 10 * 1024 * 1024;

function spoolTo(
  path: string,
  { name, environment }: { readonly name: string; readonly environment: NodeJS.ProcessEnv },
): Spool {
  let file: number | null = null;
  let kept = 0;
  let total = 0;
  let problem: string | null = null;
  const open = () => (file ??= openOwn(path));
  return {
    open,
    clear: () => rmSync(path, { force: true }),
    write(chunk) {
      total += chunk.length;
      if (kept >= spoolCap || problem !== null) return;
      try {
        kept += writeWhole(open(), chunk.subarray(0, spoolCap - kept));
      } catch (error) {
        // A full disk must not cost the answer that is being paid for.
        problem = error instanceof Stopped ? error.message : codeOf(error);
      }
    },
    close() {
      if (file !== null) closeSync(file);
      if (kept > 0) problem ??= takeSecretsOut(path, environment);
      if (problem !== null) return `${name} could not be kept (${problem})`;
      return total > kept
        ? `only the first 10 MB of ${megabytes(total)} of ${name} were kept`
        : null;
    },
  };
}

/** Returns why it could not, or null. What cannot be cleaned is not kept. */
function takeSecretsOut(path: string, environment: NodeJS.ProcessEnv): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    const safe = secretFilter(environment)(text);
    if (safe !== text) writeFileSync(path, safe);
    return null;
  } catch (error) {
    rmSync(path, { force: true });
    return codeOf(error);
  }
}

/** Mode 0600; links are refused, earlier content is dropped. */
function openOwn(path: string): number {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    fchmodSync(file, 0o600);
    ftruncateSync(file, 0);
    return file;
  } catch (error) {
    const code = codeOf(error);
    throw new Stopped(
      code === 'ELOOP' ? { reason: 'link-refused', path } : { reason: 'cannot-write', path, code },
    );
  }
}

function writeWhole(file: number, chunk: Buffer): number {
  let written = 0;
  while (written < chunk.length) written += writeSync(file, chunk, written);
  return written;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}

interface ByteTail {
  push(chunk: Buffer): void;
  text(): string;
}

/** Keeps the last `cap` bytes of a stream, and no hold of its chunks. */
export function byteTail(cap: number): ByteTail {
  let kept = Buffer.alloc(0);
  return {
    push(chunk) {
      kept = Buffer.concat([kept, chunk]).subarray(-cap);
    },
    // The cut may have torn a character: what is left of it goes.
    text: () => kept.toString('utf8').replace(/^\uFFFD+/, ''),
  };
}
