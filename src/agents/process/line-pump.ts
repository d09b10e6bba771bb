// Reads a stream as lines, in bounded memory and no faster than they are consumed.
import type { Readable } from 'node:stream';

// A CLI may end without waiting until its output is read: what does not fit into the kernel’s
// buffer then, some 200 KB, is lost. So a burst is read even while nobody consumes its lines.
const mostAhead = 2 * 1024 * 1024;

/** Reads a stream as batches of lines, up to 2 MB ahead of the consumer. */
export interface LinePump {
  /** The next lines, or null at the end. */
  take(): Promise<readonly FramedLine[] | null>;
  /** Continues reading, but delivers nothing more than is already waiting. */
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
    if (waiting.length === 0 && !ended && !muted) await more.promise;
    const batch = waiting.shift();
    if (waiting.length === 0) more = Promise.withResolvers<void>();
    if (batch === undefined) return null;
    ahead -= batch.bytes;
    if (ahead <= mostAhead && stream.isPaused()) stream.resume();
    return batch.lines;
  }

  function mute(): void {
    muted = true;
    more.resolve();
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

/** A line that was longer than allowed: only its length in bytes is kept. */
interface OverlongLine {
  readonly overlong: number;
}

export type FramedLine = string | OverlongLine;

interface LineFramer {
  /** The lines that a chunk completed; the chunk itself is not kept. */
  push(chunk: Buffer): FramedLine[];
  /** The last line, if the stream ended without a line end. */
  end(): FramedLine[];
}

/**
 * Splits a stream into lines. They end at 0x0A; a CR before it and a byte order mark at the start
 * are dropped. Bytes become text only as whole lines, so no split of the stream can tear a
 * character. Memory is bounded: of a line over `maxLineBytes` only the length is kept, and it is
 * never joined to another.
 */
export function lineFramer(maxLineBytes = 1_048_576): LineFramer {
  let begun: Buffer[] = [];
  let bytes = 0;
  let isFirst = true;

  function lineWith(last: Buffer): FramedLine {
    const line = begun.length === 0 ? last : Buffer.concat([...begun, last]);
    const returns = line.at(-1) === carriageReturn ? 1 : 0;
    const length = bytes + last.length - returns;
    const text = length > maxLineBytes ? '' : line.toString('utf8', 0, line.length - returns);
    const plain = isFirst ? text.replace(/^\uFEFF/, '') : text;
    begun = [];
    bytes = 0;
    isFirst = false;
    return length > maxLineBytes ? { overlong: length } : plain;
  }

  function begin(piece: Buffer): void {
    if (piece.length === 0) return;
    bytes += piece.length;
    // One extra byte is allowed, because a CR at the end does not count.
    if (bytes > maxLineBytes + 1) begun = [Buffer.from(piece.subarray(-1))];
    else begun.push(Buffer.from(piece));
  }

  return {
    push(chunk) {
      const lines: FramedLine[] = [];
      let from = 0;
      for (let to = chunk.indexOf(newline); to !== -1; to = chunk.indexOf(newline, from)) {
        lines.push(lineWith(chunk.subarray(from, to)));
        from = to + 1;
      }
      begin(chunk.subarray(from));
      return lines;
    },
    end: () => (bytes > 0 ? [lineWith(Buffer.alloc(0))] : []),
  };
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Frees the memory of a chunk at once. Left to the garbage collector, the chunks of a fast stream
 * pile up to some 70 MB first. The chunk must not be read afterwards.
 */
export function release(chunk: Buffer): void {
  const { buffer, byteLength } = chunk;
  // A chunk that shares its memory with others (small ones may) is left alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
