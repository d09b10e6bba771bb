/** Keeps the last `cap` bytes of a stream in one fixed piece of memory, and no hold of its chunks. */
export interface ByteTail {
  push(chunk: Buffer): void;
  text(): string;
}

export function byteTail(cap: number): ByteTail {
  let ring: Buffer | null = null;
  let total = 0;

  function push(chunk: Buffer): void {
    ring ??= Buffer.alloc(cap);
    const last = chunk.subarray(Math.max(0, chunk.length - cap));
    total += chunk.length - last.length;
    const at = total % cap;
    const fits = last.copy(ring, at);
    last.copy(ring, 0, fits);
    total += last.length;
  }

  function text(): string {
    if (ring === null) return '';
    if (total <= cap) return ring.toString('utf8', 0, total);
    const at = total % cap;
    const whole = Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
    // The cut may have torn a character: what is left of it goes.
    return whole.toString('utf8').replace(/^\uFFFD+/, '');
  }

  return { push, text };
}
