import type { LineLook, LineShape } from '../definitions/line-look.ts';

/** A look as the kernel reads it, see `kernel/line-look.ts`. */
export function encodedLook(look: LineLook): Uint8Array {
  const known = encoded.get(look);
  if (known !== undefined) return known;
  const bytes = encode(look);
  encoded.set(look, bytes);
  return bytes;
}

const encoded = new WeakMap<LineLook, Uint8Array>();

/** Where the parts stand; the tables have a byte for each character of ASCII. */
const outermost = 0;
const indented = 128;
const tables = { last: 256, has: 384, lacks: 512 };
const free = 640;
const called = 641;
const under = 642;
const firsts = 644;
const firstWord = 776;
const wordBytes = 24;
/** The bit of the words; those of the shapes follow. */
const wordBit = 1;

const head = 1;
const leading = 2;
const after = 3;
const never = 4;

function encode(look: LineLook): Uint8Array {
  const words = [...wordsOf(look)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  // No letters follow the last word.
  const bytes = new Uint8Array(firstWord + wordBytes * (words.length + 1));
  for (const [at, shape] of (look.shapes ?? []).entries()) addShape(bytes, shape, 2 << at);
  bytes.fill(words.length, firsts, firsts + 128);
  for (const [at, [word, kinds]] of words.toReversed().entries()) {
    addWord(bytes, { word, kinds, place: words.length - 1 - at });
  }
  return bytes;
}

interface WordKinds {
  readonly outermost: number;
  readonly indented: number;
}

/** Of a word in several lists the last one tells. */
function wordsOf(look: LineLook): ReadonlyMap<string, WordKinds> {
  const words = new Map<string, WordKinds>();
  const set = (list: string | undefined, kinds: (known: WordKinds | undefined) => WordKinds) => {
    for (const word of list?.split(' ') ?? []) words.set(word, kinds(words.get(word)));
  };
  set(look.never, () => ({ outermost: never, indented: never }));
  set(look.leading, () => ({ outermost: leading, indented: leading }));
  set(look.outermost, (known) => ({ outermost: head, indented: known?.indented ?? after }));
  set(look.heads, () => ({ outermost: head, indented: head }));
  return words;
}

function addWord(
  bytes: Uint8Array,
  {
    word,
    kinds,
    place,
  }: { readonly word: string; readonly kinds: WordKinds; readonly place: number },
): void {
  const first = word.charCodeAt(0);
  bytes[firsts + first] = place;
  const at = firstWord + wordBytes * place;
  const letters = Buffer.from(word.slice(0, 8), 'latin1');
  bytes.set(letters, at);
  bytes.fill(0xff, at + 8, at + 8 + letters.length);
  bytes.set([word.length, kinds.outermost, kinds.indented], at + 16);
  // A word that tells nothing where it is the first one need not be looked at there.
  if (kinds.outermost !== after) add(bytes, outermost + first, wordBit);
  if (kinds.indented !== after) add(bytes, indented + first, wordBit);
}

function addShape(bytes: Uint8Array, shape: LineShape, bit: number): void {
  const first = charactersOf(shape.first);
  if (shape.where !== 'indented') for (const code of first) add(bytes, outermost + code, bit);
  if (shape.where !== 'outermost') for (const code of first) add(bytes, indented + code, bit);
  for (const code of charactersOf(shape.last ?? '\0-\x7f')) add(bytes, tables.last + code, bit);
  for (const code of charactersOf(shape.has ?? '')) add(bytes, tables.has + code, bit);
  for (const code of charactersOf(shape.lacks ?? '')) add(bytes, tables.lacks + code, bit);
  if (shape.has === undefined) add(bytes, free, bit);
  if (shape.isCalled === true) add(bytes, called, bit);
  if (shape.isUnder === true) add(bytes, under, bit);
}

/** Those of ASCII that a class of these ranges fits. */
function charactersOf(ranges: string): readonly number[] {
  const found = ranges === '' ? null : ascii.match(new RegExp(`[${ranges}]`, 'g'));
  return (found ?? []).map((character) => character.charCodeAt(0));
}

const ascii = String.fromCharCode(...Array.from({ length: 128 }).keys());

function add(bytes: Uint8Array, at: number, bit: number): void {
  bytes[at] = (bytes[at] ?? 0) | bit;
}
