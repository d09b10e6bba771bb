import { keyWords } from './document-key.ts';
import type { Segment } from './segment.ts';

/** Finds what is looked for in the index, e.g. the files of a tree, by its keys. */
interface KeyTable {
  /** Adds the key of that place, unless it is there; returns the place that has it. */
  readonly add: (place: number) => number;
  /** The place with the key that starts there, or -1. */
  readonly find: (others: Uint32Array, at: number) => number;
}

/** For the keys of `count` places, one after the other. At most half of its slots are taken. */
export function keyTable(keys: Uint32Array, count: number): KeyTable {
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 2)) - 1;
  /** By slot: a place + 1, or 0 where it is free. */
  const slots = new Int32Array(mask + 1);
  const slotOf = (others: Uint32Array, at: number): number => {
    // The second number of a key is part of a hash.
    let slot = (others[at + 1] ?? 0) & mask;
    for (let place = slots[slot] ?? 0; place !== 0; place = slots[slot] ?? 0) {
      const own = (place - 1) * keyWords;
      let word = 0;
      while (word < keyWords && keys[own + word] === others[at + word]) word++;
      if (word === keyWords) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  return {
    add(place) {
      const slot = slotOf(keys, place * keyWords);
      const first = slots[slot] ?? 0;
      if (first !== 0) return first - 1;
      slots[slot] = place + 1;
      return place;
    },
    find: (others, at) => (slots[slotOf(others, at)] ?? 0) - 1,
  };
}

/** By document of a segment: the place that has its key, or -1. */
export type PlacesIn = (segment: Segment) => Int32Array;

/** Each segment is looked through once. */
export function placesByKey(table: KeyTable): PlacesIn {
  const asked = new Map<Segment, Int32Array>();
  return (segment) => {
    const found = asked.get(segment) ?? placesOf(segment, table);
    asked.set(segment, found);
    return found;
  };
}

function placesOf({ keys, documentCount }: Segment, table: KeyTable): Int32Array {
  const places = new Int32Array(documentCount);
  for (let at = 0; at < documentCount; at++) places[at] = table.find(keys, at * keyWords);
  return places;
}
