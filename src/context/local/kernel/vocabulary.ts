import { Column } from './column.ts';
import { quickHash, termHash } from './hashing.ts';
import { lowerAt } from './letters.ts';
import { Log } from './log.ts';
import { Numbers } from './numbers.ts';
import { boundParts, endOf, mostParts, startOf } from './parts.ts';
import { lettersOf, stemInto } from './stem.ts';
import { Terms } from './terms.ts';
import { Tokens } from './tokens.ts';

/** A longer token is no name, a longer part tells nothing. In bytes. */
const longestToken: usize = 80;
const longestPart: u32 = 40;
const joint: u8 = 61;

/** A part in lower case, its stem, and that of its letters alone. */
const partText: usize = memory.data(96);
const stem: usize = memory.data(96);
const lettersStem: usize = memory.data(96);
/** Where a term is put together: a prefix, what joins parts, and a token at most. */
const termText: usize = memory.data(96);

/**
 * The terms of ASCII tokens, each with a prefix before it: those that `termsOf` gives. A token is
 * taken apart the first time that it comes, and so is a part.
 */
@final
export class Vocabulary {
  private readonly tokens: Tokens = new Tokens();
  /** The terms of each token. */
  private readonly pool: Column = new Column();
  /** By the part: where its terms and its stem start. */
  private readonly parts: Numbers = new Numbers();
  private readonly partStarts: Column = new Column();
  private readonly partTerms: Column = new Column();
  private readonly stemStarts: Column = new Column();
  private readonly stems: Column = new Column();
  private readonly numbers: Column = new Column();
  /** After the prefix of each term. */
  private body: usize = termText;

  /** `prefix` is a byte, 0 for none. */
  constructor(
    private readonly terms: Terms,
    private readonly prefix: u8,
  ) {
    if (prefix != 0) this.body++;
    this.numbers.resize(mostParts);
    this.clear();
  }

  /** Forgets every token. */
  clear(): void {
    this.tokens.clear();
    this.pool.clear();
    this.parts.clear();
    this.partTerms.clear();
    this.stems.clear();
    this.partStarts.clear();
    this.partStarts.push(0);
    this.stemStarts.clear();
    this.stemStarts.push(0);
  }

  /** Adds a token to the open block; returns how many terms it has. */
  @inline add(start: usize, end: usize, log: Log): u32 {
    if (this.tokens.isOpenFull) this.close(log);
    this.find(start, end);
    return this.tokens.count();
  }

  /** Finds a token: its terms are those from `first` to `last`. */
  @inline find(start: usize, end: usize): void {
    const hash = quickHash(start, end);
    if (this.tokens.find(hash)) return;
    const first = this.pool.length;
    this.learn(start, end);
    this.tokens.learn(hash, first, this.pool.length - first);
  }

  @inline get first(): u32 {
    return this.tokens.first;
  }

  @inline get last(): u32 {
    return this.tokens.last;
  }

  @inline term(at: u32): u32 {
    return this.pool.at(at);
  }

  /** Gives the terms of the tokens of the open block to the log. */
  close(log: Log): void {
    const tokens = this.tokens;
    const pool = this.pool;
    for (let token: u32 = 0; token < tokens.openCount; token++) {
      const times = tokens.timesOf(token);
      const last = tokens.lastOf(token);
      for (let at = tokens.firstOf(token); at < last; at++) log.add(pool.at(at), times);
    }
    tokens.close();
  }

  private learn(start: usize, end: usize): void {
    if (end - start > longestToken) return;
    const count = boundParts(start, end);
    if (count > mostParts) return;
    const first = this.pool.length;
    for (let part: u32 = 0; part < count; part++) {
      const number = this.partOf(startOf(part), endOf(part));
      this.numbers.put(part, number);
      const last = this.partStarts.at(number + 1);
      for (let at = this.partStarts.at(number); at < last; at++) {
        this.keep(this.partTerms.at(at), first);
      }
    }
    if (count < 2) return;
    this.keep(this.jointOf(0, count - 1), first);
    for (let part: u32 = 1; part < count; part++) this.keep(this.jointOf(part - 1, part), first);
  }

  /** Once for each token. */
  private keep(term: u32, first: u32): void {
    const pool = this.pool;
    for (let at = first; at < pool.length; at++) if (pool.at(at) == term) return;
    pool.push(term);
  }

  private partOf(start: usize, end: usize): u32 {
    const length = <u32>(end - start);
    for (let at = start; at < end; at++) store<u8>(partText + (at - start), lowerAt(at));
    const hash = quickHash(partText, partText + length);
    const known = this.parts.find(hash);
    if (known != -1) return known;
    const stemLength = stemInto(stem, partText, length);
    const letters = lettersOf(partText, length);
    if (length >= 2 && length <= longestPart) {
      if (letters == 0) this.partTerms.push(this.termOf(stem, stemLength));
      else {
        this.partTerms.push(this.termOf(partText, length));
        this.partTerms.push(this.termOf(lettersStem, stemInto(lettersStem, partText, letters)));
      }
    }
    this.partStarts.push(this.partTerms.length);
    for (let at: u32 = 0; at < stemLength; at++) this.stems.push(load<u8>(stem + at));
    this.stemStarts.push(this.stems.length);
    return this.parts.add(hash);
  }

  private termOf(text: usize, length: u32): u32 {
    memory.copy(this.body, text, length);
    return this.written(this.body + length);
  }

  /** The parts from `first` on as one term, the last one by its stem. */
  private jointOf(first: u32, last: u32): u32 {
    let to = this.body;
    store<u8>(to++, joint);
    for (let part = first; part < last; part++) {
      const end = endOf(part);
      for (let at = startOf(part); at < end; at++) store<u8>(to++, lowerAt(at));
    }
    const number = this.numbers.at(last);
    const end = this.stemStarts.at(number + 1);
    for (let at = this.stemStarts.at(number); at < end; at++) store<u8>(to++, this.stems.at(at));
    return this.written(to);
  }

  /** The number of what stands at `termText`. */
  private written(end: usize): u32 {
    if (this.prefix != 0) store<u8>(termText, this.prefix);
    return this.terms.numberOf(termHash(termText, end));
  }
}
