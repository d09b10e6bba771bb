import { Buckets, entryBytes } from './buckets.ts';
import { Candidates } from './candidates.ts';
import { Column } from './column.ts';
import { mayBeGenerated as hasMark } from './generated.ts';
import { LineLook } from './line-look.ts';
import { readAhead } from './letters.ts';
import { Lines } from './lines.ts';
import { Lists } from './lists.ts';
import { Log } from './log.ts';
import { isPlain } from './plain.ts';
import { isName, scanLines, scanPlain } from './scan.ts';
import { Terms } from './terms.ts';
import { Vocabulary } from './vocabulary.ts';

// What the host calls. Addresses are those of bytes that it has written to `room`.

const terms = new Terms();
const log = new Log();
const words = new Vocabulary(terms);
/** So many terms are known at most when the next segment starts. */
const mostKnown: u32 = 1 << 16;

let text: usize = 0;
let textRoom: usize = 0;

/** Where so many bytes can be written; what stood there is gone. */
export function room(bytes: usize): usize {
  if (bytes > textRoom) {
    if (text != 0) heap.free(text);
    textRoom = max<usize>(2 * textRoom, max<usize>(bytes, 1 << 16));
    text = heap.alloc(textRoom + readAhead);
  }
  return text;
}

const token: usize = memory.data(96);

/** Where the bytes of one token can be written. */
export function tokenRoom(): usize {
  return token;
}

const lines = new Lines();

/** Looks for the line ends of a text: `together` lines are a block. */
export function findLines(start: usize, end: usize, together: u32): void {
  lines.find(start, end, together);
}

export function lineCount(): u32 {
  return lines.count;
}

/** Where each block ends, from the start of the text on. */
export function blockEnds(): usize {
  return lines.ends.address;
}

export function blockCount(): u32 {
  return lines.ends.length;
}

/** Whether a text may have the mark of a generator. */
export function mayBeGenerated(start: usize, end: usize): bool {
  return hasMark(start, end);
}

const look = new LineLook();
const candidates = new Candidates(look);

/** Where the look of the lines is written that are found next. */
export function lookRoom(): usize {
  return look.address;
}

/** Looks for the lines that may define something, of at most so many bytes. */
export function findCandidates(start: usize, end: usize, longest: usize): void {
  candidates.find(start, end, longest);
}

/** Three numbers for each, see there. */
export function candidatesAt(): usize {
  return candidates.found.address;
}

export function candidatesLength(): u32 {
  return candidates.found.length;
}

export function candidateLinesAt(): usize {
  return candidates.lines.address;
}

export function candidateLinesLength(): usize {
  return candidates.lines.length;
}

/** Where so many blocks of a text are written: for each, where it ends, from the start on. */
export function blocksRoom(count: u32): usize {
  lines.ends.clear();
  lines.ends.resize(count);
  return lines.ends.address;
}

/**
 * By name three numbers: its block, and where it starts and ends in the text, both 0 where that is
 * not known; in the order of the blocks.
 */
const names = new Column();
/** The first number of a name whose block is not added yet. */
let name: u32 = 0;
/** By block: how many terms its text has. */
const lengths = new Column();

/** Where so many names are written. */
export function namesRoom(count: u32): usize {
  names.clear();
  names.resize(3 * count);
  name = 0;
  lengths.clear();
  lengths.resize(lines.ends.length);
  return names.address;
}

/**
 * Adds the blocks of a text from `first` on, with the names that they define, up to one that has to
 * be added otherwise: it has other lines than plain ones, or names at no known place. Returns its
 * number.
 */
export function addBlocks(start: usize, first: u32): u32 {
  const ends = lines.ends;
  while (name < names.length && names.at(name) < first) name += 3;
  let from = first == 0 ? start : start + <usize>ends.at(first - 1);
  for (let block = first; block < ends.length; block++) {
    const to = start + <usize>ends.at(block);
    let next = name;
    for (; next < names.length && names.at(next) == block; next += 3) {
      if (names.at(next + 2) == 0) return block;
    }
    if (!isPlain(from, to)) return block;
    scanPlain(from, to, words, log);
    endText(block);
    for (; name < next; name += 3) {
      addDefined(start + <usize>names.at(name + 1), start + <usize>names.at(name + 2));
    }
    endBlock();
    from = to;
  }
  return ends.length;
}

/** The text of a block is added; what follows are the names that it defines. */
export function endText(block: u32): void {
  lengths.put(block, log.added);
}

export function lengthsAt(): usize {
  return lengths.address;
}

/** Adds each token of the plain lines of a text to the open block; false where others were left. */
export function addText(start: usize, end: usize): bool {
  return scanLines(start, end, words, log);
}

/** Adds one ASCII token. */
export function addWord(start: usize, end: usize): void {
  words.add(start, end, log);
  words.addWaiting(log);
}

/** Adds a name that is defined here, unless it has more than ASCII. */
export function addDefined(start: usize, end: usize): bool {
  if (!isName(start, end)) return false;
  log.added += words.addDefined(start, end, log);
  return true;
}

/** Adds the term of this hash. */
export function addTerm(high: u32, low: u32): void {
  log.add(terms.numberOf(((<u64>high) << 32) | <u64>low), 1);
  log.added++;
}

export function endBlock(): void {
  words.close(log);
  log.endBlock();
}

/** Postings so far. */
export function size(): u32 {
  return log.size;
}

/** Forgets every block, but not what the tokens mean; the memory stays for what comes. */
export function reset(): void {
  log.clear(terms.size);
  free();
  if (terms.size <= mostKnown) return;
  words.clear();
  terms.clear();
}

let lists: Lists | null = null;
let buckets: Buckets | null = null;

function free(): void {
  if (lists != null) lists!.free();
  if (buckets != null) buckets!.free();
  lists = null;
  buckets = null;
}

/** Packs everything; what follows tells where it stands. */
export function encode(termsPerBucket: u32): void {
  free();
  const packed = new Lists(log, terms.size);
  lists = packed;
  buckets = new Buckets(terms, log.terms, packed, termsPerBucket);
}

export function listsAt(): usize {
  return lists!.bytes;
}

export function listsLength(): u32 {
  return lists!.length;
}

export function bucketsAt(): usize {
  return buckets!.entries;
}

export function bucketsLength(): usize {
  return <usize>buckets!.count * entryBytes;
}

/** Where each bucket starts, and its CRC; one more for the end of the last. */
export function directoryAt(): usize {
  return buckets!.directory.address;
}

export function directoryLength(): usize {
  return (<usize>buckets!.directory.length) << 2;
}
