import type { Readable } from 'node:stream';
import { lineFramer, type FramedLine } from './framing.ts';
import { release } from './release.ts';

/** Reads a stream as batches of lines, one chunk ahead of the consumer. */
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
  const waiting: FramedLine[][] = [];
  const closed = Promise.withResolvers<void>();
  let bytes = 0;
  let muted = false;
  let ended = false;
  let more = Promise.withResolvers<void>();

  function deliver(lines: FramedLine[]): void {
    if (muted || lines.length === 0) return;
    waiting.push(lines);
    stream.pause();
    more.resolve();
  }

  async function take(): Promise<readonly FramedLine[] | null> {
    if (waiting.length === 0 && !ended) await more.promise;
    const lines = waiting.shift() ?? null;
    if (waiting.length === 0) {
      more = Promise.withResolvers<void>();
      if (stream.isPaused()) stream.resume();
    }
    return lines;
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
