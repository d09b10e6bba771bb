import { quickHash } from './hashing.ts';

// The checksums of `segment-format.ts`.

/** Of a list, of which most are short: eight bytes at a time. */
export function checksum(start: usize, end: usize): u32 {
  return <u32>quickHash(start, end);
}

const tables: usize = memory.data(8 << 10);
let isReady = false;

/** CRC-32, eight bytes at a time. */
export function crc32(start: usize, end: usize): u32 {
  if (!isReady) makeTables();
  let crc: u32 = 0xffffffff;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const low = load<u32>(at) ^ crc;
    const high = load<u32>(at, 4);
    crc =
      inTable(7, low) ^
      inTable(6, low >>> 8) ^
      inTable(5, low >>> 16) ^
      inTable(4, low >>> 24) ^
      (inTable(3, high) ^
        inTable(2, high >>> 8) ^
        inTable(1, high >>> 16) ^
        inTable(0, high >>> 24));
  }
  for (; at < end; at++) crc = inTable(0, crc ^ load<u8>(at)) ^ (crc >>> 8);
  return ~crc;
}

function inTable(table: u32, byte: u32): u32 {
  return load<u32>(tables + (table << 10) + ((byte & 255) << 2));
}

function makeTables(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    store<u32>(tables + (byte << 2), crc);
  }
  for (let table: u32 = 1; table < 8; table++) {
    for (let byte: u32 = 0; byte < 256; byte++) {
      const before = inTable(table - 1, byte);
      store<u32>(tables + (table << 10) + (byte << 2), inTable(0, before) ^ (before >>> 8));
    }
  }
  isReady = true;
}
