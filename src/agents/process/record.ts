import { basename, dirname, join } from 'node:path';
import { lazySpool, openSpool } from './spool.ts';
import { tail } from './tail.ts';

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
 * beside `events.jsonl`, `stderr-retry.log` beside `events-retry.jsonl`.
 * Throws `Stopped` if the file cannot be made. With null only the tail is kept.
 */
export function openRecord(rawOutput: string | null): OutputRecord {
  const lastOfStderr = tail(64 * 1024);
  const spools =
    rawOutput === null
      ? null
      : {
          stdout: openSpool(rawOutput, 'the output'),
          stderr: lazySpool(besides(rawOutput), 'the error output'),
        };
  let notes: string[] | null = null;
  return {
    stdout: (chunk) => spools?.stdout.write(chunk),
    stderr(chunk) {
      lastOfStderr.push(chunk);
      spools?.stderr.write(chunk);
    },
    stderrTail: () => lastOfStderr.text(),
    close() {
      notes ??= [spools?.stdout.close(), spools?.stderr.close()].filter(
        (note) => typeof note === 'string',
      );
      return notes;
    },
  };
}

function besides(rawOutput: string): string {
  const [, suffix = ''] = /^events(-.+)\.jsonl$/.exec(basename(rawOutput)) ?? [];
  return join(dirname(rawOutput), `stderr${suffix}.log`);
}
