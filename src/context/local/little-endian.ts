import { endianness } from 'node:os';

/** Numbers of 32 bits as they stand in a file; a copy. */
export function bytesOf(numbers: Uint32Array): Buffer {
  return ordered(Buffer.from(Uint32Array.from(numbers).buffer));
}

/** The numbers that such bytes stand for; a copy. */
export function numbersIn(bytes: Buffer): Uint32Array {
  const copy = ordered(Buffer.from(Uint8Array.from(bytes).buffer));
  return new Uint32Array(copy.buffer, copy.byteOffset, copy.length / 4);
}

/** The same bytes, of which each four are turned around where the machine has them otherwise. */
function ordered(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  return endianness() === 'LE' ? bytes : bytes.swap32();
}
