import { readFileSync } from 'node:fs';
import type { LineLook } from '../definitions/line-look.ts';
import { encodedLook } from './encoded-look.ts';
import { blockLines, termsPerBucket } from './segment-format.ts';
import { longestToken } from './terms.ts';

/** A part of a text, in bytes. */
interface TextPart {
  readonly start: number;
  readonly end: number;
}

export interface TextLines {
  /** At least 1. */
  readonly count: number;
  /** Whether the mark of a generator may stand in the first so many bytes. */
  readonly mayBeGenerated: (bytes: number) => boolean;
  /** Those that have a look and at most so many bytes. They are gone with the next call. */
  readonly like: (look: LineLook, longest: number) => LikeLines;
}

/** Some lines of a text, without what ended them there. */
interface LikeLines {
  /** Of each: where it starts and ends in the text, in bytes, and how many lines are before it. */
  readonly places: Uint32Array;
  /** In UTF-8, a line feed after each. */
  readonly lines: Buffer;
}

/** A name that a text defines. */
export interface DefinedName {
  readonly name: string;
  /** From 1: so many of them are a block, see `blockLines`. */
  readonly line: number;
  /** Where it stands in the bytes of the text; null where that is not known. */
  readonly at: number | null;
}

/** The blocks of one segment as numbers: what is done for every byte of every file. */
export interface Kernel {
  /** Takes a text in UTF-8, of which blocks are added next, and says where its lines are. */
  take(text: Buffer): TextLines;
  /** The same, with blocks of its own: where each ends, in bytes. */
  takeBlocks(text: Buffer, ends: readonly number[]): void;
  /**
   * Adds the blocks of that text with the names that they define, in their order; returns how many
   * blocks it has. Of one that has other lines than plain ones, or names at no known place, `others`
   * adds all of these.
   */
  addBlocks(names: readonly DefinedName[], others: OtherParts): number;
  /** How many terms the text of one of those blocks has. */
  lengthOf(block: number): number;
  /** Adds the terms of an ASCII token; of a name at the place that defines it, where `defined`. */
  addToken(token: string, as: 'word' | 'defined'): void;
  /** As `defined`, of a name by its place in that text; false for one beyond ASCII. */
  addName(start: number, end: number): boolean;
  /** Adds a term by its hash. */
  addTerm(hash: number): void;
  /** Postings so far. */
  size(): number;
  /** All lists and buckets, see `segment-format.ts`. They are gone with the next call. */
  encode(): Encoded;
  /** Leaves the memory to the next kernel of this thread: with it, what `encode` gave is gone. */
  release(): void;
}

/** What the kernel leaves of a block, by its number. */
export interface OtherParts {
  /** Adds the tokens of the lines that are not plain. */
  addLines(part: TextPart): void;
  addNames(block: number): void;
}

/** Parts of the memory of the kernel. */
interface Encoded {
  readonly lists: Buffer;
  readonly buckets: Buffer;
  /** Where each bucket starts, and its CRC; one more for the end of the last. */
  readonly directory: Buffer;
}

/**
 * Compiled from `kernel/` to WebAssembly: it is fast from the first byte on, where JavaScript would
 * have to be run for half a second before it is.
 */
export function kernel(): Kernel {
  const wasm = idle.pop() ?? instance();
  wasm.reset();
  const memory = wasm.memory;
  const bytes = viewOf(memory, (buffer) => Buffer.from(buffer));
  const words = viewOf(memory, (buffer) => new Uint32Array(buffer));
  const tokenAt = wasm.tokenRoom();
  const lookAt = wasm.lookRoom();
  let written: LineLook | null = null;
  let start = 0;
  let length = 0;
  const numbers = (at: number, count: number): Uint32Array =>
    new Uint32Array(memory.buffer, at, count);
  const keep = (text: Buffer): void => {
    length = text.length;
    start = wasm.room(length);
    bytes().set(text, start);
  };
  const endOf = (block: number): number => words()[(wasm.blockEnds() >>> 2) + block] ?? 0;
  return {
    take(text) {
      keep(text);
      wasm.findLines(start, start + length, blockLines);
      return {
        count: wasm.lineCount(),
        mayBeGenerated: (most) => wasm.mayBeGenerated(start, start + Math.min(most, length)) !== 0,
        like(look, longest) {
          if (written !== look) bytes().set(encodedLook(look), lookAt);
          written = look;
          wasm.findCandidates(start, start + length, longest);
          const lines = wasm.candidateLinesAt();
          return {
            places: numbers(wasm.candidatesAt(), wasm.candidatesLength()),
            lines: bytes().subarray(lines, lines + wasm.candidateLinesLength()),
          };
        },
      };
    },
    takeBlocks(text, ends) {
      keep(text);
      numbers(wasm.blocksRoom(ends.length), ends.length).set(ends);
    },
    addBlocks(names, others) {
      let room = wasm.namesRoom(names.length) >>> 2;
      const to = words();
      for (const { name, line, at } of names) {
        to[room++] = blockOf(line);
        to[room++] = at ?? 0;
        to[room++] = at === null ? 0 : at + name.length;
      }
      const count = wasm.blockCount();
      for (let block = wasm.addBlocks(start, 0); block < count;) {
        const part = { start: block === 0 ? 0 : endOf(block - 1), end: endOf(block) };
        if (wasm.addText(start + part.start, start + part.end) === 0) others.addLines(part);
        wasm.endText(block);
        others.addNames(block);
        wasm.endBlock();
        block = wasm.addBlocks(start, block + 1);
      }
      return count;
    },
    lengthOf: (block) => words()[(wasm.lengthsAt() >>> 2) + block] ?? 0,
    addToken(token, as) {
      if (token.length > longestToken) return;
      const end = tokenAt + bytes().write(token, tokenAt, 'latin1');
      if (as === 'word') wasm.addWord(tokenAt, end);
      else wasm.addDefined(tokenAt, end);
    },
    addName: (from, to) => wasm.addDefined(start + from, start + to) !== 0,
    addTerm: (hash) => wasm.addTerm(Math.floor(hash / 2 ** 32), hash % 2 ** 32),
    size: wasm.size,
    encode() {
      wasm.encode(termsPerBucket);
      return {
        lists: bytes().subarray(wasm.listsAt(), wasm.listsAt() + wasm.listsLength()),
        buckets: bytes().subarray(wasm.bucketsAt(), wasm.bucketsAt() + wasm.bucketsLength()),
        directory: bytes().subarray(
          wasm.directoryAt(),
          wasm.directoryAt() + wasm.directoryLength(),
        ),
      };
    },
    release: () => void idle.push(wasm),
  };
}

/** A new memory for each segment would have to be cleared by the system, page by page. */
const idle: Wasm[] = [];

/** Gives the memory of all released kernels back. */
export function forgetKernels(): void {
  idle.length = 0;
}

/** What the compiled kernel offers; addresses and lengths in bytes. */
interface Wasm {
  readonly memory: WebAssembly.Memory;
  readonly room: (bytes: number) => number;
  readonly tokenRoom: () => number;
  readonly findLines: (start: number, end: number, together: number) => void;
  readonly lineCount: () => number;
  readonly blockEnds: () => number;
  readonly blockCount: () => number;
  readonly mayBeGenerated: (start: number, end: number) => number;
  readonly lookRoom: () => number;
  readonly findCandidates: (start: number, end: number, longest: number) => void;
  readonly candidatesAt: () => number;
  readonly candidatesLength: () => number;
  readonly candidateLinesAt: () => number;
  readonly candidateLinesLength: () => number;
  readonly namesRoom: (count: number) => number;
  readonly blocksRoom: (count: number) => number;
  readonly addBlocks: (start: number, first: number) => number;
  readonly endText: (block: number) => void;
  readonly lengthsAt: () => number;
  readonly addText: (start: number, end: number) => number;
  readonly addWord: (start: number, end: number) => void;
  readonly addDefined: (start: number, end: number) => number;
  readonly addTerm: (high: number, low: number) => void;
  readonly endBlock: () => void;
  readonly size: () => number;
  readonly reset: () => void;
  readonly encode: (termsPerBucket: number) => void;
  readonly listsAt: () => number;
  readonly listsLength: () => number;
  readonly bucketsAt: () => number;
  readonly bucketsLength: () => number;
  readonly directoryAt: () => number;
  readonly directoryLength: () => number;
}

let compiled: WebAssembly.Module | null = null;

function instance(): Wasm {
  return checked(kernelExports());
}

/** What a new kernel offers, which has a memory of its own. */
export function kernelExports(): object {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('./kernel.wasm', import.meta.url)));
  return new WebAssembly.Instance(compiled, {}).exports;
}

/** Memory that has grown is another buffer. */
function viewOf<T extends Buffer | Uint32Array>(
  memory: WebAssembly.Memory,
  of: (buffer: ArrayBuffer) => T,
): () => T {
  let view = of(memory.buffer);
  return () => {
    if (view.length === 0) view = of(memory.buffer);
    return view;
  };
}

/** By its number the block in which a line stands. */
export function blockOf(line: number): number {
  return Math.floor((line - 1) / blockLines);
}

function checked(exports: object): Wasm {
  if (!isKernel(exports)) throw new Error('kernel.wasm is not the one of this version');
  return exports;
}

function isKernel(exports: object): exports is Wasm {
  return 'memory' in exports && 'encode' in exports && 'directoryAt' in exports;
}
