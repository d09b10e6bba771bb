// Finds the tests that go with sources, and the test files that a runner runs.
import { isTest, kindOf, stemUnderTest } from './file-kinds.ts';
import { endingOf, folderOf, nameOfPath, stemOf } from '../git/paths.ts';

/** Tells which runnable tests go with which sources, by their names and folders. */
export interface TestMap {
  /** The test files of a source; empty if none matches its name and place. */
  of(source: string): readonly string[];
}

export function testMap(all: readonly string[]): TestMap {
  const kinds = Map.groupBy(all, kindOf);
  const sources = kinds.get('source') ?? [];
  const byStem = Map.groupBy(sources, wantedStem);
  const tests = Map.groupBy((kinds.get('test') ?? []).filter(isRunTest), stemUnderTest);
  return {
    of(source) {
      const alike = tests.get(wantedStem(source)) ?? [];
      const own = alike.filter((test) => isNearest({ test, source, byStem }));
      if (own.length > 0) return own;
      return (tests.get('index') ?? []).filter((test) => isBeside(test, source));
    },
  };
}

/** The name, without its mark, that a test of the source has. */
function wantedStem(source: string): string {
  return nameInTest(source).toLowerCase();
}

function nameInTest(source: string): string {
  return stemOf(moduleOf(source));
}

/** The file, or its folder for an entry of a package or module, which is tested as if it were the file. */
function moduleOf(source: string): string {
  const folder = folderOf(source);
  return folder !== '' && /^(?:__init__\.pyi?|mod\.rs)$/.test(nameOfPath(source)) ? folder : source;
}

/** True if the source is nearer to the test than others of the same name. */
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

/** True if a test such as `index.test.ts` is in the folder of the source. */
function isBeside(test: string, source: string): boolean {
  return folderOf(test) === folderOf(source) && family(test) === family(source);
}

/** The language for matching: TypeScript tests JavaScript and the like. */
function family(path: string): string {
  const ending = endingOf(path);
  return /^[mc]?[jt]sx?$/.test(ending) ? 'script' : ending;
}

/** Counts the folder names that two paths share; the innermost one and an equal folder count extra. */
function likeness(a: string, b: string): number {
  const [one = [], other = []] = [a, b].map((path) => folderOf(path).split('/').filter(Boolean));
  const names = new Set(one);
  const shared = other.filter((name) => names.has(name)).length;
  return 2 * shared + (one.at(-1) === other.at(-1) ? 1 : 0) + (folderOf(a) === folderOf(b) ? 1 : 0);
}

/** Folders of test material, wherever they are. */
const material = /(?:^|\/)(?:__)?(?:fixtures?|snapshots?|test[-_]?data)(?:__)?\//i;
/** Folders that hold material if they are below a folder of tests. */
const materialBelow =
  /(?:^|\/)(?:__)?(?:tests?|specs?|e2e)(?:__)?\/(?:[^/]+\/)*(?:corpus|data|examples?|expected|golden|highlighted|inputs?|outputs?|resources|samples?|sources?)\//i;
/** Code that tests share, or that makes their folder a package. */
const shared = /^(?:__init__|conftest|mod)$/;
/** Files whose runner (Python, Go) selects tests by name alone. */
const namedOnly = /(?:^|\/)(?!test)[^/]*\.py$|\.go$/;

/**
 * True for a test file that a test runner runs, by its path alone. Material that tests read does
 * not count, and a file in a material folder below tests only counts if its name marks it as a
 * test.
 */
export function isRunTest(path: string): boolean {
  if (!isTest(path) || material.test(path)) return false;
  if (isMarked(path)) return true;
  return !namedOnly.test(path) && !materialBelow.test(path) && !shared.test(stemOf(path));
}

function isMarked(path: string): boolean {
  return stemUnderTest(path) !== stemOf(path).toLowerCase();
}
