/** A line that was longer than allowed: only its length in bytes is kept. */
interface OverlongLine {
  readonly overlong: number;
}

export type FramedLine = string | OverlongLine;

/**
 * Cuts a byte stream into lines. Each call returns the lines that became whole by it, and keeps no
 * hold of the chunk.
 */
export interface LineFramer {
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
