import { readFileSync } from 'node:fs';
import type { LineLook } from '../definitions/line-look.ts';
import { encodedLook } from './encoded-look.ts';
import { blockLines, termsPerBucket } from './segment-format.ts';
import { longestToken } from './terms.ts';

/** A part of a text, in bytes. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
}

export interface TextLines {
  /** At least 1. */
  readonly count: number;
  /** Where each block of `blockLines` ends, in bytes; the last one ends with the text. */
  readonly ends: Uint32Array;
  /**
   * Of each line that has a look and at most so many bytes: where it starts, where it ends without
   * what ends lines, in bytes, and how many lines are before it. They are gone with the next call.
   */
  readonly like: (look: LineLook, longest: number) => Uint32Array;
}

/** The blocks of one segment as numbers: what is done for every byte of every file. */
export interface Kernel {
  /** Takes a text in UTF-8, of which parts are added next, and says where its lines are. */
  take(text: Buffer): TextLines;
  /**
   * Adds the terms of each token of the plain lines in a part of that text; the tokens are those of
   * `tokensIn`. False where there are other lines.
   */
  addText(part: TextPart): boolean;
  /** Adds the terms of an ASCII token; of a name at the place that defines it, where `defined`. */
  addToken(token: string, as: 'word' | 'defined'): void;
  /** As `defined`, of a name by its place in that text; false for one beyond ASCII. */
  addName(start: number, end: number): boolean;
  /** Adds a term by its hash. */
  addTerm(hash: number): void;
  /** How many terms the open block has. */
  added(): number;
  endBlock(): void;
  /** Postings so far. */
  size(): number;
  /** All lists and buckets, see `segment-format.ts`. They are gone with the next call. */
  encode(): Encoded;
  /** Leaves the memory to the next kernel of this thread: with it, what `encode` gave is gone. */
  release(): void;
}

/** Parts of the memory of the kernel. */
interface Encoded {
  readonly lists: Buffer;
  readonly buckets: Buffer;
  /** Where each bucket starts, in entries; one more for the end of the last. */
  readonly firsts: Uint32Array;
}

/**
 * Compiled from `kernel/` to WebAssembly: it is fast from the first byte on, where JavaScript would
 * have to be run for half a second before it is.
 */
export function kernel(): Kernel {
  const wasm = idle.pop() ?? instance();
  wasm.reset();
  const memory = wasm.memory;
  const bytes = viewOf(memory);
  const tokenAt = wasm.tokenRoom();
  const lookAt = wasm.lookRoom();
  let written: LineLook | null = null;
  let start = 0;
  const numbers = (at: number, length: number): Uint32Array =>
    new Uint32Array(memory.buffer, at, length);
  return {
    take(text) {
      start = wasm.room(text.length);
      text.copy(bytes(), start);
      wasm.findLines(start, start + text.length, blockLines);
      return {
        count: wasm.lineCount(),
        ends: numbers(wasm.blockEnds(), wasm.blockCount()).slice(),
        like(look, longest) {
          if (written !== look) bytes().set(encodedLook(look), lookAt);
          written = look;
          wasm.findCandidates(start, start + text.length, longest);
          return numbers(wasm.candidatesAt(), wasm.candidatesLength());
        },
      };
    },
    addText: (part) => wasm.addText(start + part.start, start + part.end) !== 0,
    addToken(token, as) {
      if (token.length > longestToken) return;
      const end = tokenAt + bytes().write(token, tokenAt, 'latin1');
      if (as === 'word') wasm.addWord(tokenAt, end);
      else wasm.addDefined(tokenAt, end);
    },
    addName: (from, to) => wasm.addDefined(start + from, start + to) !== 0,
    addTerm: (hash) => wasm.addTerm(Math.floor(hash / 2 ** 32), hash % 2 ** 32),
    added: wasm.added,
    endBlock: wasm.endBlock,
    size: wasm.size,
    encode() {
      wasm.encode(termsPerBucket);
      return {
        lists: bytes().subarray(wasm.listsAt(), wasm.listsAt() + wasm.listsLength()),
        buckets: bytes().subarray(wasm.bucketsAt(), wasm.bucketsAt() + wasm.bucketsLength()),
        firsts: numbers(wasm.firstsAt(), wasm.firstsCount()),
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
  readonly lookRoom: () => number;
  readonly findCandidates: (start: number, end: number, longest: number) => void;
  readonly candidatesAt: () => number;
  readonly candidatesLength: () => number;
  readonly addText: (start: number, end: number) => number;
  readonly addWord: (start: number, end: number) => void;
  readonly addDefined: (start: number, end: number) => number;
  readonly addTerm: (high: number, low: number) => void;
  readonly added: () => number;
  readonly endBlock: () => void;
  readonly size: () => number;
  readonly reset: () => void;
  readonly encode: (termsPerBucket: number) => void;
  readonly listsAt: () => number;
  readonly listsLength: () => number;
  readonly bucketsAt: () => number;
  readonly bucketsLength: () => number;
  readonly firstsAt: () => number;
  readonly firstsCount: () => number;
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
function viewOf(memory: WebAssembly.Memory): () => Buffer {
  let bytes = Buffer.from(memory.buffer);
  return () => {
    if (bytes.length === 0) bytes = Buffer.from(memory.buffer);
    return bytes;
  };
}

function checked(exports: object): Wasm {
  if (!isKernel(exports)) throw new Error('kernel.wasm is not the one of this version');
  return exports;
}

function isKernel(exports: object): exports is Wasm {
  return 'memory' in exports && 'encode' in exports && 'firstsCount' in exports;
}
