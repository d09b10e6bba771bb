import type { Readable } from 'node:stream';

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

/** A line that was longer than allowed: only its length in bytes is kept. */
interface OverlongLine {
  readonly overlong: number;
}

export type FramedLine = string | OverlongLine;

/**
 * Cuts a byte stream into lines. Each call returns the lines that became whole by it, and keeps no
 * hold of the chunk.
 */
interface LineFramer {
  push(chunk: Buffer): FramedLine[];
  /** The last line where the stream ended without a line end. */
  end(): FramedLine[];
}

/**
 * Lines end at 0x0A; a CR before it and a byte order mark at the start are dropped. Bytes become
 * text only as whole lines, so no split of the stream can tear a character. Memory is bounded:
 * of a line over `maxLineBytes` only the length survives, and it is never joined to another.
 */
export function lineFramer(maxLineBytes = 1_048_576): LineFramer {
  const open = openLine(maxLineBytes);
  const start = streamStart();

  function push(bytes: Buffer): FramedLine[] {
    const chunk = start.withoutMark(bytes);
    const lines: FramedLine[] = [];
    let from = 0;
    let to = chunk.indexOf(newline);
    if (to !== -1 && open.bytes > 0) {
      open.add(chunk.subarray(0, to));
      lines.push(open.close());
      from = to + 1;
      to = chunk.indexOf(newline, from);
    }
    for (; to !== -1; to = chunk.indexOf(newline, from)) {
      const last = to > from && chunk[to - 1] === carriageReturn ? to - 1 : to;
      lines.push(
        last - from > maxLineBytes ? { overlong: last - from } : chunk.toString('utf8', from, last),
      );
      from = to + 1;
    }
    if (from < chunk.length) open.add(chunk.subarray(from));
    return lines;
  }

  function end(): FramedLine[] {
    open.add(start.rest());
    return open.bytes > 0 ? [open.closeAtEnd()] : [];
  }

  return { push, end };
}

const newline = 0x0a;
const carriageReturn = 0x0d;

// The line that has begun but not ended: its pieces, until they are more than a line may have.
function openLine(maxLineBytes: number) {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let lastByte = 0;

  function finish(length: number): FramedLine {
    const line =
      length > maxLineBytes
        ? { overlong: length }
        : Buffer.concat(pieces, bytes).toString('utf8', 0, length);
    pieces = [];
    bytes = 0;
    return line;
  }

  return {
    get bytes() {
      return bytes;
    },
    add(piece: Buffer): void {
      if (piece.length === 0) return;
      bytes += piece.length;
      lastByte = piece[piece.length - 1] ?? 0;
      // One byte of grace: a CR at the end does not count.
      if (bytes > maxLineBytes + 1) pieces = [];
      else pieces.push(Buffer.from(piece));
    },
    close: () => finish(lastByte === carriageReturn ? bytes - 1 : bytes),
    closeAtEnd: () => finish(bytes),
  };
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

// Holds the first bytes back until it is certain whether they are a byte order mark.
function streamStart() {
  let held = Buffer.alloc(0);
  let passed = false;

  return {
    withoutMark(chunk: Buffer): Buffer {
      if (passed) return chunk;
      const bytes = Buffer.concat([held, chunk]);
      const seen = Math.min(bytes.length, byteOrderMark.length);
      const marked = bytes.compare(byteOrderMark, 0, seen, 0, seen) === 0;
      const undecided = marked && seen < byteOrderMark.length;
      passed = !undecided;
      held = bytes.subarray(0, undecided ? seen : 0);
      return undecided ? held.subarray(seen) : bytes.subarray(marked ? seen : 0);
    },
    rest: () => held,
  };
}

/**
 * Gives the memory of a chunk back at once. Left to the garbage collector, the chunks of a fast
 * stream pile up to some 70 MB first. Nobody may read the chunk afterwards.
 */
export function release(chunk: Buffer): void {
  const { buffer, byteLength } = chunk;
  // A chunk that shares its memory with others (small ones may) stays as it is.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
