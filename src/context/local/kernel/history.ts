import { crc32 } from './checksums.ts';
import { Column } from './column.ts';
import { Floats } from './floats.ts';
import { Found } from './found.ts';
import { hitBytes } from './hits.ts';
import { nobody } from './part.ts';
import { textEnd } from './text-end.ts';
import { Tree } from './tree.ts';

const saturation: f64 = 1.2;
const lengthShare: f64 = 0.75;

/**
 * What the messages of past commits say of the task. A commit is known by its place in the list,
 * the newest first, a path by its number in the tree.
 */
@final
export class History {
  /** By commit: how many files it touched, in the tree or not. */
  readonly files: Column = new Column();
  /** By path: how many commits touched it, and the sum of what each of them counts for that. */
  readonly touches: Column = new Column();
  readonly churn: Floats;
  /** By path: how well all the messages together fit that were said of it. */
  readonly scores: Floats;
  /** By commit: how well its message fits. */
  readonly likes: Floats;
  /** How many paths were touched. */
  touched: u32 = 0;
  /** By commit: where the numbers of the paths that it touched stand in `paths`. */
  private readonly starts: Column = new Column();
  private readonly ends: Column = new Column();
  private readonly paths: Column = new Column();
  /** By commit: what its message counts for each path. */
  private readonly weights: Floats;
  /** By commit: the length of its message, then what that does to the counts. */
  private readonly norms: Floats;
  /** By path: the messages that were said of it, in terms, as a multiple of the average. */
  private readonly lengths: Floats;
  /** Of the term that was asked for last: the paths, and by path what the commits count. */
  private readonly here: Column = new Column();
  private readonly counts: Floats;
  private readonly commits: Column = new Column();
  private readonly asked: Column = new Column();

  constructor(
    private readonly found: Found,
    private readonly tree: Tree,
    count: u32,
  ) {
    const paths = tree.count;
    this.churn = new Floats(paths);
    this.scores = new Floats(paths);
    this.lengths = new Floats(paths);
    this.counts = new Floats(paths);
    this.likes = new Floats(count);
    this.weights = new Floats(count);
    this.norms = new Floats(count);
    this.touches.resize(paths);
    this.files.resize(count);
    this.starts.resize(count);
    this.ends.resize(count);
  }

  /** Reads subject and files of the commits of a part; false where one is damaged. */
  readFiles(number: u32, payloads: usize): bool {
    const part = this.found.parts[number];
    for (let document: u32 = 0; document < part.documents; document++) {
      const commit = part.numbers.at(document);
      if (commit == nobody) continue;
      const start = payloads + part.payloadStart(document);
      const end = start + part.payloadLength(document);
      if (crc32(start, end) != part.payloadSum(document)) return false;
      this.norms.put(commit, <f64>part.lengthOf(document));
      this.starts.put(commit, this.paths.length);
      let files: u32 = 0;
      for (let at = textEnd(start, end) + 1; at <= end; files++) {
        const next = textEnd(at, end);
        const path = this.tree.numberOf(at, next);
        if (path != -1) this.paths.push(path);
        at = next + 1;
      }
      this.files.put(commit, files);
      this.ends.put(commit, this.paths.length);
    }
    return true;
  }

  /**
   * Once all files are read. A message counts the less the more commits came after it, each by this
   * factor, and the more files its commit touched; a touch only by the other factor.
   */
  weigh(messageDecay: f64, touchDecay: f64): void {
    let weight: f64 = 1;
    for (let commit: u32 = 0; commit < this.weights.length; commit++) {
      this.weights.put(commit, weight / Math.sqrt(<f64>max<u32>(1, this.files.at(commit))));
      weight *= messageDecay;
    }
    this.weighPaths(touchDecay);
    const norms = this.norms;
    let total: f64 = 0;
    for (let commit: u32 = 0; commit < norms.length; commit++) total += norms.at(commit);
    const average = max(1.0, total / max(1.0, <f64>norms.length));
    for (let commit: u32 = 0; commit < norms.length; commit++) {
      const ratio = (lengthShare * norms.at(commit)) / average;
      norms.put(commit, saturation * (1 - lengthShare + ratio));
    }
  }

  private weighPaths(touchDecay: f64): void {
    /** The paths that were touched, in the order of the commits. */
    const touched = new Column();
    let churn: f64 = 1;
    for (let commit: u32 = 0; commit < this.files.length; commit++) {
      const length = this.weights.at(commit) * this.norms.at(commit);
      for (let at = this.starts.at(commit); at < this.ends.at(commit); at++) {
        const path = this.paths.at(at);
        const touches = this.touches.at(path);
        if (touches == 0) touched.push(path);
        this.touches.put(path, touches + 1);
        this.churn.add(path, churn);
        this.lengths.add(path, length);
      }
      churn *= touchDecay;
    }
    let total: f64 = 0;
    for (let at: u32 = 0; at < touched.length; at++) total += this.lengths.at(touched.at(at));
    const average = total / max(1.0, <f64>touched.length);
    for (let at: u32 = 0; at < touched.length; at++) {
      const path = touched.at(at);
      this.lengths.put(path, this.lengths.at(path) / (average == 0 ? 1 : average));
    }
    this.touched = touched.length;
  }

  /** BM25 over the messages: adds one term. */
  addLikes(term: u32, value: f64): void {
    const found = this.found;
    for (let at = 0; at < found.parts.length; at++) {
      found.read(found.parts[at], term);
      for (let hit = found.hits; hit < found.hitsEnd; hit += hitBytes) {
        const commit = load<u32>(hit);
        const count = <f64>load<u32>(hit, 8);
        const norm = this.norms.at(commit);
        this.likes.add(commit, (value * count * (saturation + 1)) / (count + norm));
      }
    }
  }

  /** Finds the paths of which a term was said; returns how many. */
  findPaths(term: u32): u32 {
    const counts = this.counts;
    const commits = this.commitsOf(term);
    this.here.length = 0;
    for (let at: u32 = 0; at < commits.length; at++) {
      const commit = commits.at(at);
      const weight = this.weights.at(commit);
      for (let place = this.starts.at(commit); place < this.ends.at(commit); place++) {
        const path = this.paths.at(place);
        if (counts.at(path) == 0) this.here.push(path);
        counts.add(path, weight);
      }
    }
    return this.here.length;
  }

  /** BM25 over the paths: adds the term that was looked for last. */
  addPaths(value: f64): void {
    const counts = this.counts;
    for (let at: u32 = 0; at < this.here.length; at++) {
      const path = this.here.at(at);
      const count = counts.at(path);
      const norm = saturation * (1 - lengthShare + lengthShare * this.lengths.at(path));
      this.scores.add(path, (value * count * (saturation + 1)) / (count + norm));
      counts.put(path, 0);
    }
  }

  /** The commits whose messages have a term, until others are asked for. */
  commitsOf(term: u32): Column {
    const commits = this.commits;
    const found = this.found;
    commits.length = 0;
    for (let at = 0; at < found.parts.length; at++) {
      found.read(found.parts[at], term);
      for (let hit = found.hits; hit < found.hitsEnd; hit += hitBytes) commits.push(load<u32>(hit));
    }
    return commits;
  }

  /** The paths that a commit touched, until those of another are asked for. */
  pathsOf(commit: u32): Column {
    const paths = this.asked;
    paths.length = 0;
    for (let at = this.starts.at(commit); at < this.ends.at(commit); at++) {
      paths.push(this.paths.at(at));
    }
    return paths;
  }
}
