import { Bytes } from './bytes.ts';
import { Column } from './column.ts';
import { quickHash, TermHash } from './hashing.ts';
import { lowerInto } from './letters.ts';
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

/** So many tokens are counted together. By token 16 bytes: where it starts and ends, and its hash. */
const mostWaiting: usize = 64;
const waiting: usize = memory.data(1024, 16);

/** A token in lower case, the stem of a part, and that of its letters alone. */
const small: usize = memory.data(96);
const stem: usize = memory.data(96);
const lettersStem: usize = memory.data(96);

/**
 * The terms of ASCII tokens: those that `termsOf` gives. A token is taken apart the first time that
 * it comes, and so is a part.
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
  private readonly stems: Bytes = new Bytes();
  /** By the part, two numbers: the hash of a term that joins it to what follows, so far. */
  private readonly heads: Column = new Column();
  /** Of the token that is taken apart. */
  private readonly numbers: Column = new Column();
  private readonly hash: TermHash = new TermHash();
  private waitingEnd: usize = waiting;
  /** Kept only so that what it is made of is loaded. */
  private looks: u32 = 0;

  constructor(private readonly terms: Terms) {
    this.numbers.resize(mostParts);
    this.clear();
  }

  /** Forgets every token. */
  clear(): void {
    this.tokens.clear();
    this.pool.clear();
    this.parts.clear();
    this.partTerms.clear();
    this.stems.clear(0);
    this.heads.clear();
    this.partStarts.clear();
    this.partStarts.push(0);
    this.stemStarts.clear();
    this.stemStarts.push(0);
  }

  /** Takes a token for the open block, which has it only after `addWaiting`. */
  @inline add(start: usize, end: usize, log: Log): void {
    const at = this.waitingEnd;
    store<u32>(at, <u32>start);
    store<u32>(at, <u32>end, 4);
    store<u64>(at, quickHash(start, end), 8);
    this.waitingEnd = at + 16;
    if (this.waitingEnd == waiting + (mostWaiting << 4)) this.addWaiting(log);
  }

  /** Adds the tokens that were taken: with a look at all of them first, their memory comes at once. */
  addWaiting(log: Log): void {
    const end = this.waitingEnd;
    let looks: u32 = 0;
    for (let at = waiting; at < end; at += 16) looks ^= this.tokens.lookAt(load<u64>(at, 8));
    this.looks = looks;
    for (let at = waiting; at < end; at += 16) {
      if (this.tokens.isOpenFull) this.close(log);
      this.findBy(load<u64>(at, 8), <usize>load<u32>(at), <usize>load<u32>(at, 4));
      log.added += this.tokens.count();
    }
    this.waitingEnd = waiting;
  }

  /** Adds a name to the open block that defines it; returns how many terms it has. */
  addDefined(start: usize, end: usize, log: Log): u32 {
    this.find(start, end);
    const first = this.first;
    const last = this.last;
    for (let at = first; at < last; at++) log.add(this.terms.definedOf(this.pool.at(at)), 1);
    return last - first;
  }

  /** Finds a token: its terms are those from `first` to `last`. */
  @inline find(start: usize, end: usize): void {
    this.findBy(quickHash(start, end), start, end);
  }

  @inline private findBy(hash: u64, start: usize, end: usize): void {
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
    log.addTokens(tokens.opened, tokens.openedEnd, this.pool.address, this.terms.size);
    tokens.close();
  }

  private learn(start: usize, end: usize): void {
    if (end - start > longestToken) return;
    const count = boundParts(start, end);
    if (count > mostParts) return;
    lowerInto(small, start, end);
    const toSmall = small - start;
    const first = this.pool.length;
    for (let part: u32 = 0; part < count; part++) {
      const number = this.partOf(startOf(part) + toSmall, endOf(part) + toSmall);
      this.numbers.put(part, number);
      const last = this.partStarts.at(number + 1);
      for (let at = this.partStarts.at(number); at < last; at++) {
        this.keep(this.partTerms.at(at), first);
      }
    }
    if (count > 2) this.keep(this.jointOf(0, count - 1, toSmall), first);
    for (let part: u32 = 1; part < count; part++) {
      this.keep(this.jointOf(part - 1, part, toSmall), first);
    }
  }

  /** Once for each token. */
  private keep(term: u32, first: u32): void {
    const pool = this.pool;
    for (let at = first; at < pool.length; at++) if (pool.at(at) == term) return;
    pool.push(term);
  }

  /** The number of a part in lower case. */
  private partOf(start: usize, end: usize): u32 {
    const hash = quickHash(start, end);
    const known = this.parts.find(hash);
    if (known != -1) return known;
    const length = <u32>(end - start);
    const stemLength = stemInto(stem, start, length);
    const letters = lettersOf(start, length);
    if (length >= 2 && length <= longestPart) {
      if (letters == 0) this.partTerms.push(this.termOf(stem, stemLength));
      else {
        this.partTerms.push(this.termOf(start, length));
        this.partTerms.push(this.termOf(lettersStem, stemInto(lettersStem, start, letters)));
      }
    }
    this.partStarts.push(this.partTerms.length);
    this.stems.append(stem, stemLength);
    this.stemStarts.push(<u32>this.stems.length);
    const head = this.hash;
    head.start();
    head.add(joint);
    head.addAll(start, end);
    this.heads.push(head.a);
    this.heads.push(head.b);
    return this.parts.add(hash);
  }

  private termOf(text: usize, length: u32): u32 {
    this.hash.start();
    this.hash.addAll(text, text + length);
    return this.terms.numberOf(this.hash.value);
  }

  /** The parts from `first` on as one term, the last one by its stem. */
  private jointOf(first: u32, last: u32, toSmall: usize): u32 {
    const hash = this.hash;
    const head = this.numbers.at(first) << 1;
    hash.goOn(this.heads.at(head), this.heads.at(head + 1));
    for (let part = first + 1; part < last; part++) {
      hash.addAll(startOf(part) + toSmall, endOf(part) + toSmall);
    }
    const number = this.numbers.at(last);
    const stems = this.stems.address;
    hash.addAll(stems + this.stemStarts.at(number), stems + this.stemStarts.at(number + 1));
    return this.terms.numberOf(hash.value);
  }
}
