// Tells source, test, document and data files apart, and the language family, by the path alone.
import { endingOf, nameOfPath, stemOf } from '../git/paths.ts';

type FileKind = 'source' | 'test' | 'doc' | 'data';

/** Traits of a file that can be told from its path. */
export interface FileTraits {
  /** See `endingOf`. */
  readonly ending: string;
  readonly kind: FileKind;
  /** True if a program wrote it: nobody plans a change there. */
  readonly isGenerated: boolean;
  /** True if it is never text, so that it is not even read. */
  readonly isBinary: boolean;
}

/** The kind of a file, by its path alone. */
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

/** Determines all traits in one pass, because a large tree needs them for each file. */
export function traitsOf(path: string): FileTraits {
  const ending = endingOf(path);
  return {
    ending,
    kind: kindIn(path, ending),
    isGenerated: generatedName.test(nameOfPath(path).toLowerCase()) || writtenPage.test(path),
    isBinary: binaryEndings.has(ending),
  };
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
/** A page that a tool generated, e.g. one per class; people write documentation in other formats. */
const writtenPage = /(?:^|\/)(?:docs?|javadoc|apidocs?)\/.*\.html?$/;
const testFolder = /(?:^|\/)(?:tests?|testing|__tests__|specs?|e2e)\//;
const docFolder = /(?:^|\/)docs?\//;
const testName = /(?:^test_|[._-](?:test|spec)s?$|(?<=[A-Za-z\d])(?:Tests?|Spec)$|(?<=[a-z\d])IT$)/;

function kindIn(path: string, ending: string): FileKind {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  if (docEndings.has(ending) || docFolder.test(folder)) return 'doc';
  if (!sourceEndings.has(ending)) return 'data';
  return testFolder.test(folder) || testName.test(stemOf(path)) ? 'test' : 'source';
}

/** The name of a test file without its test mark, in lower case: `date` for `date.test.ts`. */
export function stemUnderTest(path: string): string {
  return stemOf(path)
    .replace(/^test_/, '')
    .replace(testName, '')
    .toLowerCase();
}

/** Groups of languages that the same tools build and test, by their endings. */
const families = {
  javascript: 'ts tsx mts cts js jsx mjs cjs vue svelte',
  python: 'py pyi',
  go: 'go',
  rust: 'rs',
  jvm: 'java kt kts scala groovy clj cljs',
  dotnet: 'cs fs vb',
  c: 'c h cc cpp cxx hh hpp m mm',
  ruby: 'rb',
  php: 'php',
  swift: 'swift',
  elixir: 'ex exs',
  dart: 'dart',
} as const;

const familyByEnding: ReadonlyMap<string, string> = new Map(
  Object.entries(families).flatMap(([family, endings]) =>
    endings.split(' ').map((ending) => [ending, family] as const),
  ),
);

/** The family of languages that a file belongs to, as in a build fact, or null. */
export function languageFamily(path: string): string | null {
  return familyByEnding.get(endingOf(path)) ?? null;
}
