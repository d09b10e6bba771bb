import { nameOfPath, standsIn, stemOf } from '../git/paths.ts';

type FileKind = 'source' | 'test' | 'doc' | 'data';

/** What a path alone says of its file. */
export interface FileTraits {
  /** See `endingOf`. */
  readonly ending: string;
  readonly kind: FileKind;
  /** Written by a program: nobody plans a change there. */
  readonly isGenerated: boolean;
  /** Never text, so that it is not even read. */
  readonly isBinary: boolean;
}

/** What a file is, by its path alone. */
export function kindOf(path: string): FileKind {
  return traitsOf(path).kind;
}

/** True for the code of a test, by folder or by name. */
export function isTest(path: string): boolean {
  return kindOf(path) === 'test';
}

export function isGenerated(path: string): boolean {
  return traitsOf(path).isGenerated;
}

/**
 * The same object for all files of which the same is true. A large tree is asked about as a whole,
 * so it takes no copy of the path and tries a pattern only where it may fit.
 */
export function traitsOf(path: string): FileTraits {
  const nameAt = standsIn(path, lastFolder) ? lastFolder.length : path.lastIndexOf('/') + 1;
  const ending = endingIn(path, nameAt);
  const generated = ending.mayBeGenerated && generatedName.test(nameOfPath(path).toLowerCase());
  const known = generated ? ending.generated : ending.written;
  const kind = kindIn(path, { nameAt, ending });
  return (known[kind] ??= {
    ending: ending.ending,
    kind,
    isGenerated: generated,
    isBinary: ending.isBinary,
  });
}

const sourceEndings: ReadonlySet<string> = new Set(
  `c cc cjs clj cpp cs cts cxx dart elm erl ex exs fs go groovy h hh hpp hs java jl js jsx kt kts lua
  m ml mjs mts nim php pl ps1 py pyi r rb rs scala sh sql svelte swift ts tsx vue zig`.split(/\s+/),
);
const docEndings: ReadonlySet<string> = new Set(['md', 'mdx', 'rst', 'txt', 'adoc', 'org']);
const binaryEndings: ReadonlySet<string> = new Set(
  `7z a aac avi avif bmp bz2 class dll dylib eot exe flac gif gz heic icns ico jar jpeg jpg lib m4a mkv
  mo mov mp3 mp4 o ogg otf pdf png psd pyc rar so tar tgz tif tiff ttf war wasm wav webm webp woff
  woff2 xz zip zst`.split(/\s+/),
);

const generatedName =
  /(?:^|[.-])lock(?:file|b|\.(?:hcl|json|toml|ya?ml))?$|\.(?:min\.js|min\.css|snap|map|svg)$|^go\.sum$/;
/** The endings of such names. */
const generatedEnding =
  /^(?:(?:[^]*-)?lock(?:file|b)?|hcl|json|toml|ya?ml|js|css|snap|map|svg|sum)?$/;

const testFolder = /(?:^|\/)(?:tests?|testing|__tests__|specs?|e2e)\//;
const docFolder = /(?:^|\/)docs?\//;
const testName = /(?:^test_|[._-](?:test|spec)s?$|(?<=[A-Za-z\d])(?:Tests?|Spec)$|(?<=[a-z\d])IT$)/;
/** What such a name ends with, where it does not start with `test_`. */
const testLetters = 'tscT';

/** What an ending says, and the traits of the files that have it. */
interface Ending {
  readonly ending: string;
  readonly kind: Exclude<FileKind, 'test'>;
  readonly isBinary: boolean;
  readonly mayBeGenerated: boolean;
  readonly written: Partial<Record<FileKind, FileTraits>>;
  readonly generated: Partial<Record<FileKind, FileTraits>>;
}

/** As they are spelled: a tree has few, unless its files are numbered. */
const endings = new Map<string, Ending>();
const mostRemembered = 10_000;
/** A longer one is no copy: it would keep the text in memory that it was cut from. */
const longestRemembered = 12;

/** Most files have the ending of the one before. With its dot, empty where it had none. */
let lastDotted = '';
let lastEnding: Ending = endingAs('');

function endingIn(path: string, nameAt: number): Ending {
  const isLast = lastDotted !== '' && path.endsWith(lastDotted);
  if (isLast && path.length - lastDotted.length > nameAt) return lastEnding;
  const dot = path.lastIndexOf('.');
  lastDotted = dot > nameAt ? path.slice(dot) : '';
  lastEnding = endingAs(lastDotted.slice(1));
  return lastEnding;
}

function endingAs(spelled: string): Ending {
  const known = endings.get(spelled);
  if (known !== undefined) return known;
  const ending = spelled.toLowerCase();
  const isSource = sourceEndings.has(ending);
  const found: Ending = {
    ending,
    kind: docEndings.has(ending) ? 'doc' : isSource ? 'source' : 'data',
    isBinary: binaryEndings.has(ending),
    mayBeGenerated: generatedEnding.test(ending),
    written: {},
    generated: {},
  };
  if (spelled.length <= longestRemembered && endings.size < mostRemembered) {
    endings.set(spelled, found);
  }
  return found;
}

function kindIn(
  path: string,
  { nameAt, ending }: { readonly nameAt: number; readonly ending: Ending },
): FileKind {
  if (ending.kind === 'doc') return 'doc';
  const folder = folderKind(path, nameAt);
  if (folder === 'doc' || ending.kind === 'data') return folder === 'doc' ? 'doc' : 'data';
  return folder === 'test' || isTestName(path, { nameAt, ending }) ? 'test' : 'source';
}

/** Most files are in the folder of the one before. With its slash. */
let lastFolder = '';
let lastKind: 'doc' | 'test' | null = null;

function folderKind(path: string, nameAt: number): 'doc' | 'test' | null {
  if (lastFolder.length === nameAt && path.startsWith(lastFolder)) return lastKind;
  lastFolder = path.slice(0, nameAt);
  lastKind = docFolder.test(lastFolder) ? 'doc' : testFolder.test(lastFolder) ? 'test' : null;
  return lastKind;
}

function isTestName(
  path: string,
  { nameAt, ending: { ending } }: { readonly nameAt: number; readonly ending: Ending },
): boolean {
  if (path.startsWith('test_', nameAt)) return true;
  // Before the dot and the ending.
  const last = path.length - ending.length - 2;
  return testLetters.includes(path.charAt(last)) && testName.test(stemOf(path));
}

/** A test file’s name without what marks it as a test, in lower case: `date` for `date.test.ts`. */
export function testedStem(path: string): string {
  return stemOf(path)
    .replace(/^test_/, '')
    .replace(testName, '')
    .toLowerCase();
}
