/** A row of numbers of 64 bits, zero at first. */
@final
export class Floats {
  readonly address: usize;

  constructor(readonly length: u32) {
    this.address = heap.alloc((<usize>length + 1) << 3);
    this.clear();
  }

  clear(): void {
    memory.fill(this.address, 0, (<usize>this.length) << 3);
  }

  @inline at(index: u32): f64 {
    return load<f64>(this.address + ((<usize>index) << 3));
  }

  @inline put(index: u32, value: f64): void {
    store<f64>(this.address + ((<usize>index) << 3), value);
  }

  @inline add(index: u32, value: f64): void {
    this.put(index, this.at(index) + value);
  }
}
