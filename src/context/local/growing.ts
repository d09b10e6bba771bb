/** Numbers of 32 bits that are appended without knowing how many there will be. */
export interface GrowingNumbers {
  push(value: number): void;
  values(): Uint32Array;
}

export function growingNumbers(): GrowingNumbers {
  let kept = new Uint32Array(1024);
  let length = 0;
  return {
    push(value) {
      if (length === kept.length) {
        const larger = new Uint32Array(kept.length * 2);
        larger.set(kept);
        kept = larger;
      }
      kept[length++] = value;
    },
    values: () => kept.subarray(0, length),
  };
}

/** Texts that end up as bytes in a row. */
export interface GrowingText {
  /** In bytes. */
  readonly length: number;
  /** Returns how many bytes it has. */
  push(text: string): number;
  whole(): Buffer;
}

export function growingText(encoding: 'latin1' | 'utf8'): GrowingText {
  let kept = Buffer.allocUnsafe(1024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(text) {
      // A character has at most three bytes, or four where it counts as two.
      const most = length + 3 * text.length;
      if (most > kept.length) {
        const larger = Buffer.allocUnsafe(2 * most);
        kept.copy(larger, 0, 0, length);
        kept = larger;
      }
      const written = kept.write(text, length, encoding);
      length += written;
      return written;
    },
    whole: () => kept.subarray(0, length),
  };
}
