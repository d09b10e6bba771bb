import type { Readable } from 'node:stream';
import { lineFramer, type FramedLine } from './framing.ts';
import { release } from './release.ts';

// A CLI may end without waiting until what it said is read: what does not fit into the kernel’s
// buffer then, some 200 KB, is lost. So a burst is read even while nobody takes its lines.
const mostAhead = 2 * 1024 * 1024;

/** Reads a stream as batches of lines, up to 2 MB ahead of the consumer. */
export interface LinePump {
  /** The next lines, or null when there will be none. */
  take(): Promise<readonly FramedLine[] | null>;
  /** Reads on, but delivers nothing more than is already waiting. */
  mute(): void;
  readonly bytes: number;
  /** True while reading waits for the consumer. */
  readonly held: boolean;
  readonly closed: Promise<void>;
}

export function linePump(stream: Readable, onChunk: (chunk: Buffer) => void): LinePump {
  const framer = lineFramer();
  const waiting: { lines: FramedLine[]; bytes: number }[] = [];
  const closed = Promise.withResolvers<void>();
  let bytes = 0;
  let delivered = 0;
  let ahead = 0;
  let muted = false;
  let ended = false;
  let more = Promise.withResolvers<void>();

  function deliver(lines: FramedLine[]): void {
    if (muted || lines.length === 0) return;
    const batch = { lines, bytes: bytes - delivered };
    delivered = bytes;
    waiting.push(batch);
    ahead += batch.bytes;
    if (ahead > mostAhead) stream.pause();
    more.resolve();
  }

  async function take(): Promise<readonly FramedLine[] | null> {
    if (waiting.length === 0 && !ended) await more.promise;
    const batch = waiting.shift();
    if (waiting.length === 0) more = Promise.withResolvers<void>();
    if (batch === undefined) return null;
    ahead -= batch.bytes;
    if (ahead <= mostAhead && stream.isPaused()) stream.resume();
    return batch.lines;
  }

  function mute(): void {
    muted = true;
    if (stream.isPaused()) stream.resume();
  }

  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    onChunk(chunk);
    if (!muted) deliver(framer.push(chunk));
    release(chunk);
  });
  stream.once('close', () => {
    deliver(framer.end());
    ended = true;
    more.resolve();
    closed.resolve();
  });

  return {
    take,
    mute,
    get bytes() {
      return bytes;
    },
    get held() {
      return !muted && stream.isPaused();
    },
    closed: closed.promise,
  };
}
