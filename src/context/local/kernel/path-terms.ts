import { Column } from './column.ts';
import { Floats } from './floats.ts';
import { kindAt } from './letters.ts';
import { Terms } from './terms.ts';
import { textEnd } from './text-end.ts';
import { Tree } from './tree.ts';
import { Vocabulary } from './vocabulary.ts';

const hyphen: u8 = 45;
const dot: u8 = 46;
const slash: u8 = 47;

/** Whose name it is. */
const ofFolder: u32 = 0;
const ofOwnFolder: u32 = 1;
const ofFile: u32 = 2;
/** What a term in the name of a folder counts, against the name of the file. */
const folderShare: f64 = 0.5;

/** Which terms of the task the names in the paths of the tree have. */
@final
export class PathTerms {
  /** Of each term that is wanted the lower half of its hash, then the upper. */
  readonly hashes: Column = new Column();
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

  constructor(count: u32) {
    const numbers = new Terms();
    this.numbers = numbers;
    this.words = new Vocabulary(numbers, 0);
    this.values = new Floats(count);
    this.hashes.resize(2 * count);
    this.counts.resize(count);
  }

  /** Looks at all paths, once the hashes are written. */
  find(tree: Tree): void {
    for (let term: u32 = 0; term < this.counts.length; term++) {
      const high = <u64>this.hashes.at(2 * term + 1);
      this.numbers.numberOf((high << 32) | <u64>this.hashes.at(2 * term));
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
    let folder = start;
    for (let at = start; at < name; at++) {
      if (load<u8>(at) != slash) continue;
      this.addNames(path, folder, at, at + 1 == name ? ofOwnFolder : ofFolder);
      folder = at + 1;
    }
    const ending = afterLast(dot, name + 1, end);
    this.addNames(path, name, ending == name + 1 ? end : ending - 1, ofFile);
  }

  private addNames(path: u32, start: usize, end: usize, kind: u32): void {
    const words = this.words;
    for (let at = start; at < end; at++) {
      if (!isOfName(at)) continue;
      const from = at;
      while (at < end && isOfName(at)) at++;
      words.find(from, at);
      const last = words.last;
      for (let place = words.first; place < last; place++) {
        const term = words.term(place);
        if (term >= this.counts.length) continue;
        const hit = this.add(path, term, kind == ofFile ? 1 : 0);
        if (kind == ofOwnFolder) this.ownFolders.push(hit);
      }
    }
  }
}

/** Letters, digits, `_`, `$` and `-`. */
function isOfName(at: usize): bool {
  return kindAt(at) != 0 || load<u8>(at) == hyphen;
}

function isAscii(start: usize, end: usize): bool {
  for (let at = start; at < end; at++) if (load<u8>(at) > 127) return false;
  return true;
}

/** After the last such byte, or the start where there is none. */
function afterLast(byte: u8, start: usize, end: usize): usize {
  let at = end;
  while (at > start && load<u8>(at - 1) != byte) at--;
  return at;
}
