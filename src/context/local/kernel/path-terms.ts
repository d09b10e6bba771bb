import { Column } from './column.ts';
import { Floats } from './floats.ts';
import { digit, kindAt, lowerCase, upperCase } from './letters.ts';
import { Terms } from './terms.ts';
import { textEnd } from './text-end.ts';
import { Tree } from './tree.ts';
import { Vocabulary } from './vocabulary.ts';

const hyphen: u8 = 45;
const dot: u8 = 46;
const slash: u8 = 47;

/** What a term in the name of a folder counts, against the name of the file. */
const folderShare: f64 = 0.5;

const startPairs = 32 * 32;
/** 1 for each pair of letters or digits that a wanted term starts with. */
const wantedStarts: usize = memory.data(startPairs);

/** Which terms of the task the names in the paths of the tree have. */
@final
export class PathTerms {
  /** Of each term that is wanted the lower half of its hash, then the upper. */
  readonly hashes: Column = new Column();
  /** By term: the first two letters or digits that its names start with, one byte each. */
  readonly starts: Column = new Column();
  /** By term: in how many paths it stands. */
  readonly counts: Column = new Column();
  /** By term: what it is worth. */
  readonly values: Floats;
  /** By hit: its path. Those of one path stand together. */
  readonly paths: Column = new Column();
  /** By hit: 1 where it counts as one in the name of the file, 0 in that of a folder. */
  readonly areNames: Column = new Column();
  /** The hits in the name of the folder that the file is in. */
  readonly ownFolders: Column = new Column();
  /** Paths with more than ASCII: the host finds their hits. */
  readonly others: Column = new Column();
  /** By hit: its term. */
  private readonly terms: Column = new Column();
  private readonly numbers: Terms;
  private readonly words: Vocabulary;
  /** The text of the folder that was looked at last, and its terms: of those around it, its own. */
  private folder: usize = 0;
  private folderLength: usize = 0;
  private readonly inFolders: Column = new Column();
  private readonly inOwnFolder: Column = new Column();
  /** Of the name of the file that was looked at last. */
  private readonly inName: Column = new Column();

  constructor(count: u32) {
    memory.fill(wantedStarts, 0, startPairs);
    const numbers = new Terms();
    this.numbers = numbers;
    this.words = new Vocabulary(numbers);
    this.values = new Floats(count);
    this.hashes.resize(2 * count);
    this.starts.resize(count);
    this.counts.resize(count);
  }

  /** Looks at all paths, once the hashes and what the terms start with are written. */
  find(tree: Tree): void {
    for (let term: u32 = 0; term < this.counts.length; term++) {
      const high = <u64>this.hashes.at(2 * term + 1);
      this.numbers.numberOf((high << 32) | <u64>this.hashes.at(2 * term));
      const start = this.starts.at(term);
      store<u8>(wantedStarts + pairOf(start, start >>> 8), 1);
    }
    const end = tree.text + tree.bytes;
    let path: u32 = 0;
    for (let at = tree.text; at < end; path++) {
      const next = textEnd(at, end);
      if (isAscii(at, next)) this.findIn(path, at, next);
      else this.others.push(path);
      at = next + 1;
    }
  }

  /** Adds a hit, or changes the one that the path, which was looked at last, has; returns which. */
  add(path: u32, term: u32, isName: u32): u32 {
    const paths = this.paths;
    let hit = paths.length;
    while (hit > 0 && paths.at(hit - 1) == path) {
      if (this.terms.at(--hit) != term) continue;
      this.areNames.put(hit, isName);
      return hit;
    }
    this.counts.put(term, this.counts.at(term) + 1);
    paths.push(path);
    this.terms.push(term);
    this.areNames.push(isName);
    return paths.length - 1;
  }

  /** By path: what its hits are worth together, once the values are written. */
  score(tree: Tree): Floats {
    const scores = new Floats(tree.count);
    for (let hit: u32 = 0; hit < this.paths.length; hit++) {
      const share = this.areNames.at(hit) != 0 ? 1 : folderShare;
      scores.add(this.paths.at(hit), share * this.values.at(this.terms.at(hit)));
    }
    return scores;
  }

  private findIn(path: u32, start: usize, end: usize): void {
    const name = afterLast(slash, start, end);
    this.openFolder(start, name);
    for (let at: u32 = 0; at < this.inFolders.length; at++)
      this.add(path, this.inFolders.at(at), 0);
    for (let at: u32 = 0; at < this.inOwnFolder.length; at++) {
      this.ownFolders.push(this.add(path, this.inOwnFolder.at(at), 0));
    }
    const ending = afterLast(dot, name + 1, end);
    this.inName.length = 0;
    this.findTerms(name, ending == name + 1 ? end : ending - 1, this.inName);
    for (let at: u32 = 0; at < this.inName.length; at++) this.add(path, this.inName.at(at), 1);
  }

  /** Finds the terms of a folder with a slash at its end; most paths are in that of the one before. */
  private openFolder(start: usize, end: usize): void {
    const length = end - start;
    if (length == this.folderLength && memory.compare(start, this.folder, length) == 0) return;
    this.folder = start;
    this.folderLength = length;
    this.inFolders.length = 0;
    this.inOwnFolder.length = 0;
    if (length == 0) return;
    const own = afterLast(slash, start, end - 1);
    this.findTerms(start, own, this.inFolders);
    this.findTerms(own, end, this.inOwnFolder);
  }

  /** Adds the wanted terms of the names in a text to a column, in their order. */
  private findTerms(start: usize, end: usize, to: Column): void {
    const words = this.words;
    for (let at = start; at < end; at++) {
      if (!isOfName(at)) continue;
      const from = at;
      while (at < end && isOfName(at)) at++;
      if (!mayHaveTerms(from, at)) continue;
      words.find(from, at);
      const last = words.last;
      for (let place = words.first; place < last; place++) {
        const term = words.term(place);
        if (term < this.counts.length) to.push(term);
      }
    }
  }
}

/** Letters, digits, `_`, `$` and `-`. */
function isOfName(at: usize): bool {
  return kindAt(at) != 0 || load<u8>(at) == hyphen;
}

/**
 * Whether a part of a name may start with what a wanted term starts with, or a term of several
 * parts may: most names are not worth to be taken apart.
 */
function mayHaveTerms(start: usize, end: usize): bool {
  let before: u8 = 0;
  for (let at = start; at < end; at++) {
    const kind = kindAt(at);
    const isStart =
      !isLetter(before) || kind == upperCase || (before == digit && kind == lowerCase);
    before = kind;
    if (!isStart || !isLetter(kind)) continue;
    let next = at + 1;
    while (next < end && !isLetter(kindAt(next))) next++;
    if (next < end && load<u8>(wantedStarts + pairOf(load<u8>(at), load<u8>(next))) != 0)
      return true;
  }
  return false;
}

/** A letter or a digit. */
function isLetter(kind: u8): bool {
  return kind != 0 && kind <= digit;
}

/** The same number for both cases of a letter, and for some digits. */
function pairOf(first: u32, second: u32): u32 {
  return ((first & 31) << 5) | (second & 31);
}

/** Eight bytes at a time. */
function isAscii(start: usize, end: usize): bool {
  let at = start;
  for (; at + 8 <= end; at += 8) if ((load<u64>(at) & 0x8080808080808080) != 0) return false;
  for (; at < end; at++) if (load<u8>(at) > 127) return false;
  return true;
}

/** After the last such byte, or the start where there is none. */
function afterLast(byte: u8, start: usize, end: usize): usize {
  let at = end;
  while (at > start && load<u8>(at - 1) != byte) at--;
  return at;
}
