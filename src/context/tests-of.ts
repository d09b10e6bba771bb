import { kindOf, testedStem } from './file-kinds.ts';
import { endingOf, folderOf, joined, nameOfPath, stemOf } from '../git/paths.ts';
import { isRunTest } from './run-tests.ts';

/** Where a test of a new or untested source belongs, and the tested sibling’s test that shows it. */
interface NewTest {
  readonly path: string;
  readonly like: string;
}

/** Which tests that are run go with which sources, by their names and folders. */
export interface TestMap {
  /** The test files of a source; empty where none has its name and place. */
  of(source: string): readonly string[];
  /** Null where no neighbour’s test shows the pattern, or the file is there already. */
  newFor(source: string): NewTest | null;
}

export function testMap(all: readonly string[]): TestMap {
  const known = new Set(all);
  const kinds = Map.groupBy(all, kindOf);
  const sources = kinds.get('source') ?? [];
  const byStem = Map.groupBy(sources, wantedStem);
  const tests = Map.groupBy((kinds.get('test') ?? []).filter(isRunTest), testedStem);
  const exactFor = (source: string): readonly string[] =>
    (tests.get(wantedStem(source)) ?? []).filter((test) => isNearest({ test, source, byStem }));
  const of = (source: string): readonly string[] => {
    const exact = exactFor(source);
    return exact.length > 0 ? exact : (tests.get('index') ?? []).filter((t) => isBeside(t, source));
  };
  return {
    of,
    newFor(source) {
      const alike = sources.filter(
        (path) => path !== source && endingOf(path) === endingOf(source),
      );
      const near = alike.toSorted((a, b) => likeness(b, source) - likeness(a, source));
      for (const sibling of near) {
        const [like] = exactFor(sibling);
        const path = like === undefined ? null : placeLike({ source, sibling, like });
        if (like === undefined || path === null || !wouldRun(path, source, known)) continue;
        return known.has(path) ? null : { path, like };
      }
      return null;
    },
  };
}

/**
 * Cargo runs a new file of Rust only where it stands in `tests` itself of the package of what it
 * tests; anywhere else a module would have to name it.
 */
function wouldRun(path: string, source: string, known: ReadonlySet<string>): boolean {
  return endingOf(path) !== 'rs' || folderOf(path) === joined(packageOf(source, known), 'tests');
}

function packageOf(source: string, known: ReadonlySet<string>): string {
  const folder = folderOf(source);
  return folder === '' || known.has(joined(folder, 'Cargo.toml'))
    ? folder
    : packageOf(folder, known);
}

/** What a test of the source is called without its mark. */
function wantedStem(source: string): string {
  return nameInTest(source).toLowerCase();
}

function nameInTest(source: string): string {
  return stemOf(moduleOf(source));
}

/** A package or module that is a folder is tested as if the folder were the file. */
function moduleOf(source: string): string {
  const folder = folderOf(source);
  return folder !== '' && /^(?:__init__\.pyi?|mod\.rs)$/.test(nameOfPath(source)) ? folder : source;
}

/** Of several sources with one name, a test belongs to the nearest. */
function isNearest(match: {
  readonly test: string;
  readonly source: string;
  readonly byStem: ReadonlyMap<string, readonly string[]>;
}): boolean {
  const { test, source, byStem } = match;
  if (family(test) !== family(source)) return false;
  const own = likeness(test, source);
  const rivals = byStem.get(wantedStem(source)) ?? [];
  return rivals.every((rival) => rival === source || likeness(test, rival) < own);
}

/** A folder with one `index.test.ts` tests its files there. */
function isBeside(test: string, source: string): boolean {
  return folderOf(test) === folderOf(source) && family(test) === family(source);
}

/** The test of the sibling with the sibling’s name and folder replaced by the source’s. */
function placeLike(names: {
  readonly source: string;
  readonly sibling: string;
  readonly like: string;
}): string | null {
  const { source, sibling, like } = names;
  const name = replacedStem(nameOfPath(like), nameInTest(sibling), nameInTest(source));
  const folder = movedFolder({
    from: foldersOf(moduleOf(sibling)),
    to: foldersOf(moduleOf(source)),
    test: foldersOf(like),
  });
  return name === null || folder === null ? null : joined(folder, name);
}

function replacedStem(name: string, from: string, to: string): string | null {
  const at = name.toLowerCase().indexOf(from.toLowerCase());
  return at === -1 ? null : name.slice(0, at) + to + name.slice(at + from.length);
}

/** `src/a` tested in `test/a` means that `src/b` is tested in `test/b`. */
function movedFolder(folders: {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly test: readonly string[];
}): string | null {
  const { from, to, test } = folders;
  if (from.join('/') === to.join('/')) return test.join('/');
  let shared = 0;
  const most = Math.min(from.length, test.length);
  while (shared < most && from.at(-1 - shared) === test.at(-1 - shared)) shared++;
  const sourceRoot = from.slice(0, from.length - shared);
  const testRoot = test.slice(0, test.length - shared);
  const isBelow = sourceRoot.every((part, index) => to[index] === part);
  return isBelow ? [...testRoot, ...to.slice(sourceRoot.length)].join('/') : null;
}

function foldersOf(path: string): readonly string[] {
  return folderOf(path)
    .split('/')
    .filter((part) => part !== '');
}

/** TypeScript tests JavaScript and the like. */
function family(path: string): string {
  const ending = endingOf(path);
  return /^[mc]?[jt]sx?$/.test(ending) ? 'script' : ending;
}

/** How many folder names two paths share; the innermost one and the whole folder count more. */
function likeness(a: string, b: string): number {
  const [one, other] = [foldersOf(a), foldersOf(b)];
  const names = new Set(one);
  const shared = other.filter((name) => names.has(name)).length;
  return 2 * shared + (one.at(-1) === other.at(-1) ? 1 : 0) + (folderOf(a) === folderOf(b) ? 1 : 0);
}
