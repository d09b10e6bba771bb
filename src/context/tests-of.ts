import { kindOf, testedStem } from './file-kinds.ts';
import { endingOf, folderOf, joined, nameOfPath, stemOf } from './paths.ts';

/** The test files that by their names belong to a source file, the nearest folder first. */
export function testsOf(source: string, all: readonly string[]): readonly string[] {
  const stem = stemOf(source).toLowerCase();
  return all
    .filter((path) => kindOf(path) === 'test' && testedStem(path) === stem)
    .filter((path) => endingFamily(path) === endingFamily(source))
    .map((path) => ({ path, near: likeness(folderOf(path), folderOf(source)) }))
    .toSorted((a, b) => b.near - a.near)
    .filter(({ near }, _, sorted) => near === sorted[0]?.near)
    .map(({ path }) => path);
}

/** Where a test of `source` belongs, and the tested sibling that shows it. */
export interface NewTest {
  readonly path: string;
  readonly like: string;
}

/** Null where no file of the repository has a test whose place shows the pattern. */
export function newTestFor(source: string, all: readonly string[]): NewTest | null {
  const siblings = all
    .filter((path) => path !== source && kindOf(path) === 'source')
    .filter((path) => endingOf(path) === endingOf(source))
    .map((path) => ({ path, near: likeness(folderOf(path), folderOf(source)) }))
    .toSorted((a, b) => b.near - a.near);
  for (const { path } of siblings) {
    const like = testsOf(path, all)[0];
    const place = like === undefined ? null : placeLike({ source, sibling: path, like });
    if (like !== undefined && place !== null) return { path: place, like };
  }
  return null;
}

/** The test of the sibling with the sibling’s name and folder replaced by the source’s. */
function placeLike(names: {
  readonly source: string;
  readonly sibling: string;
  readonly like: string;
}): string | null {
  const { source, sibling, like } = names;
  const name = replacedStem(nameOfPath(like), stemOf(sibling), stemOf(source));
  const folder = movedFolder({
    from: folderOf(sibling).split('/'),
    to: folderOf(source).split('/'),
    test: folderOf(like).split('/'),
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
  let shared = 0;
  while (
    shared < Math.min(from.length, test.length) &&
    from.at(-1 - shared) === test.at(-1 - shared)
  ) {
    shared++;
  }
  const sourceRoot = from.slice(0, from.length - shared);
  const testRoot = test.slice(0, test.length - shared);
  const isBelow = sourceRoot.every((part, index) => to[index] === part);
  if (from.join('/') === to.join('/')) return test.join('/');
  return isBelow ? [...testRoot, ...to.slice(sourceRoot.length)].join('/') : null;
}

/** TypeScript tests JavaScript and the like. */
function endingFamily(path: string): string {
  const ending = endingOf(path);
  return /^[mc]?[jt]sx?$/.test(ending) ? 'script' : ending;
}

/** How many folder names two paths share. */
function likeness(a: string, b: string): number {
  const names = new Set(a.split('/'));
  return b.split('/').filter((name) => names.has(name)).length;
}
