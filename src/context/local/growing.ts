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
