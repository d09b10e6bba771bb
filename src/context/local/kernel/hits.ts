import { nobody } from './part.ts';
import { writePosting } from './varints.ts';

/** Of each hit: the number of the document, the block, how often it stands there. */
export const hitBytes: usize = 12;

/**
 * Writes the hits of a posting list, as `varints.ts` has it, in the documents that are searched;
 * returns where they end. `owners` has the number of the document of each block.
 */
export function readHits(list: usize, end: usize, owners: usize, blocks: u32, to: usize): usize {
  let at = list;
  let block: u32 = 0;
  while (at < end) {
    let value: u32 = load<u8>(at++);
    if (value > 127) {
      value &= 127;
      for (let shift = 7; ; shift += 7) {
        const byte: u32 = load<u8>(at++);
        value |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    let count = (value & 3) + 1;
    if (count > 3) {
      for (let shift = 0; ; shift += 7) {
        const byte: u32 = load<u8>(at++);
        count += (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    block += value >>> 2;
    if (block >= blocks) break;
    const owner = load<u32>(owners + ((<usize>block) << 2));
    if (owner == nobody) continue;
    store<u32>(to, owner);
    store<u32>(to, block, 4);
    store<u32>(to, count, 8);
    to += hitBytes;
  }
  return to;
}

/** Writes hits as a posting list, which may be over them; returns where it ends. */
export function writeHits(hits: usize, end: usize, to: usize): usize {
  let last: u32 = 0;
  for (let hit = hits; hit < end; hit += hitBytes) {
    const block = load<u32>(hit, 4);
    to = writePosting(to, block - last, load<u32>(hit, 8));
    last = block;
  }
  return to;
}
