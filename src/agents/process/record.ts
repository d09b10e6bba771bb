// Records the output of a run on disk, and holds the last bytes of a stream.
import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { isSystemError } from '../../store/system-error.ts';
import { secretFilter } from './environment.ts';
import { type FramedLine, lineFramer } from './line-pump.ts';

/** The record of the two output streams of one run. */
export interface OutputRecord {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** The last 64 KB of stderr. */
  stderrTail(): string;
  /** Closes the files; returns what was not kept, in words. May be called again. */
  close(): readonly string[];
}

/**
 * Opens the record. stdout goes to `rawOutput`; stderr to a file next to it, made only if there is
 * any: `stderr.log` next to `events.jsonl`, `stderr-retry.log` next to `events-retry.jsonl`. Once
 * closed they contain no secrets of the environment. Throws `Stopped` if the file cannot be made.
 * Keeps only the tail if `rawOutput` is null.
 */
export function openRecord(
  rawOutput: string | null,
  environment: NodeJS.ProcessEnv = {},
): OutputRecord {
  const lastOfStderr = byteTail(64 * 1024);
  const [stdout, stderr] = rawOutput === null ? [] : spoolsFor(rawOutput);
  let notes: readonly string[] | null = null;
  return {
    stdout: (chunk) => stdout?.write(chunk),
    stderr(chunk) {
      lastOfStderr.push(chunk);
      stderr?.write(chunk);
    },
    stderrTail: lastOfStderr.text,
    close() {
      notes ??= [stdout?.close(environment), stderr?.close(environment)].flatMap(
        (note) => note ?? [],
      );
      return notes;
    },
  };
}

/** The stdout of a run that was killed. */
export interface EarlierOutput {
  readonly lines: readonly FramedLine[];
  /** The size of the output in bytes. */
  readonly outputBytes: number;
  /** The time until it last printed anything. */
  readonly durationMs: number;
}

/**
 * Reads what a killed run left in its record, and removes the secrets from that. Null if the record
 * is older than `since`, and so belongs to another run, or cannot be read.
 */
export function rereadRecord(
  rawOutput: string,
  { since, environment }: { readonly since: Date; readonly environment: NodeJS.ProcessEnv },
): EarlierOutput | null {
  const entry = lstatSync(rawOutput, { throwIfNoEntry: false });
  if (entry === undefined || !entry.isFile() || entry.mtimeMs < since.getTime()) return null;
  if (takeSecretsOut(rawOutput, environment) !== null) return null;
  const framer = lineFramer();
  const content = readFileSync(rawOutput);
  const lines = [...framer.push(content), ...framer.end()];
  return { lines, outputBytes: content.length, durationMs: entry.mtimeMs - since.getTime() };
}

function spoolsFor(rawOutput: string): readonly [Spool, Spool] {
  const [, suffix = ''] = /^events(-.+)\.jsonl$/.exec(basename(rawOutput)) ?? [];
  const errors = join(dirname(rawOutput), `stderr${suffix}.log`);
  const stdout = spoolTo(rawOutput, 'the output', openOwn(rawOutput));
  rmSync(errors, { force: true });
  return [stdout, spoolTo(errors, 'the error output', null)];
}

/** Writes one output stream to a file, up to a limit. Never throws. */
interface Spool {
  write(chunk: Buffer): void;
  /** Closes the file. Returns what was not kept, in words, or null. */
  close(environment: NodeJS.ProcessEnv): string | null;
}

/** The most that is kept of one stream, in bytes. */
const spoolCap = 10 * 1024 * 1024;

/** Makes a spool; a file that is not open yet is opened for the first chunk. */
function spoolTo(path: string, name: string, opened: number | null): Spool {
  let file = opened;
  let kept = 0;
  let total = 0;
  let problem: string | null = null;
  return {
    write(chunk) {
      total += chunk.length;
      if (kept >= spoolCap || problem !== null) return;
      const part = chunk.subarray(0, spoolCap - kept);
      try {
        file ??= openOwn(path);
        writeFileSync(file, part);
        kept += part.length;
      } catch (error) {
        // A full disk must not cost the answer that is being paid for.
        problem = error instanceof Stopped ? error.message : codeOf(error);
      }
    },
    close(environment) {
      if (file !== null) {
        closeSync(file);
        const left = takeSecretsOut(path, environment);
        problem ??= left;
      }
      if (problem !== null) return `${name} could not be kept (${problem})`;
      const all = `${Math.round(total / 1_048_576)} MB`;
      return total > kept ? `only the first 10 MB of ${all} of ${name} were kept` : null;
    },
  };
}

/**
 * Removes secrets from a file. Returns why it could not, or null. A file that cannot be cleaned is
 * not kept.
 */
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

/** Opens a file with mode 0600; links are refused, earlier content is dropped. */
function openOwn(path: string): number {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
    fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    const code = codeOf(error);
    throw new Stopped(
      code === 'ELOOP' ? { reason: 'link-refused', path } : { reason: 'cannot-write', path, code },
    );
  }
}

function codeOf(error: unknown): string {
  if (isSystemError(error)) return error.code;
  throw error;
}

/** Keeps the last `cap` bytes of a stream, without keeping its chunks alive. */
export function byteTail(cap: number) {
  let kept = Buffer.alloc(0);
  return {
    push(chunk: Buffer): void {
      kept = Buffer.concat([kept, chunk]).subarray(-cap);
    },
    // The cut may have torn a character, whose rest is dropped.
    text: (): string => kept.toString('utf8').replace(/^\uFFFD+/, ''),
  };
}
