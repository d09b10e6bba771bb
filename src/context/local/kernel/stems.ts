/** A part in lower case, as the host is asked for its stem. */
export const partText: usize = memory.data(96);
/** The stem of the part, as the host wrote it. */
export const stem: usize = memory.data(96);
/** That of its letters, where it is letters and digits. */
export const lettersStem: usize = memory.data(96);

/** How many bytes the host has written to `stem`, and 256 times that of `lettersStem`. */
export function stemsOf(length: u32): u32 {
  return write(partText, length, stem, lettersStem);
}

declare function write(part: usize, length: u32, stem: usize, letters: usize): u32;
