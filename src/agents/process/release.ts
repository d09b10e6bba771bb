/**
 * Gives the memory of a chunk back at once. Left to the garbage collector, the chunks of a fast
 * stream pile up to some 70 MB first. Nobody may read the chunk afterwards.
 */
export function release(chunk: Buffer): void {
  const { buffer, byteLength } = chunk;
  // A chunk that shares its memory with others (small ones may) stays as it is.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
