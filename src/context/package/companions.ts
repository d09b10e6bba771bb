// Finds what goes with a file: its tests, the list of its errors, its types, its documentation.
import type { Companion } from '../../model/context.ts';
import { endingOf, folderOf, nameOfPath, stemOf } from '../../git/paths.ts';
import { kindOf, languageFamily } from '../file-kinds.ts';
import type { TestMap } from '../tests-of.ts';

const mostFiles = 5;
const mostOfKind = 2;

/** Finds, by names and folders, what goes with the first sources of `near` and is not in it already. */
export function findCompanions(
  near: readonly string[],
  { files, tests }: { readonly files: readonly string[]; readonly tests: TestMap },
): readonly Companion[] {
  const own = new Set(near);
  const sources = near.filter((path) => kindOf(path) === 'source').slice(0, mostFiles);
  const pool = candidates(files);
  const found = sources.flatMap((of) => {
    const errors = nearest(
      of,
      pool.errors.filter((path) => sharesLanguage(path, of)),
    );
    const types = [of, ...errors].flatMap((path) => nearest(path, typesOf(path, pool)));
    const docs = nearest(of, pool.docs.get(subjectOf(of)) ?? []);
    const kinds = { test: tests.of(of), errors, types, documentation: docs } as const;
    return companionKinds.flatMap((kind) =>
      kinds[kind].slice(0, mostOfKind).map((path) => ({ path, kind, of })),
    );
  });
  const once = new Map(found.toReversed().map((one) => [`${one.kind} ${one.path}`, one]));
  return [...once.values()].toReversed().filter(({ path }) => !own.has(path));
}

const companionKinds = ['test', 'errors', 'types', 'documentation'] as const;

const errorName = /(?:^|[._-])(?:errors?|exceptions?|errno|error[-_]?codes?)$/i;
const typeName = /(?:^|[._-])(?:types?|typings|interfaces)$/i;
const typeEndings: ReadonlySet<string> = new Set(['pyi', 'h', 'hh', 'hpp']);

interface Pool {
  readonly errors: readonly string[];
  /** Declarations by their subject. */
  readonly declarations: ReadonlyMap<string, readonly string[]>;
  readonly types: readonly string[];
  /** Documents by their subject. */
  readonly docs: ReadonlyMap<string, readonly string[]>;
}

function candidates(files: readonly string[]): Pool {
  const { source: sources = [], doc: docs = [] } = Object.groupBy(files, kindOf);
  const others = sources.filter((path) => !isDeclaration(path));
  return {
    errors: others.filter((path) => errorName.test(stemOf(path))),
    declarations: Map.groupBy(sources.filter(isDeclaration), subjectOf),
    types: others.filter((path) => typeName.test(stemOf(path))),
    docs: Map.groupBy(docs, subjectOf),
  };
}

function isDeclaration(path: string): boolean {
  return typeEndings.has(endingOf(path)) || /\.d\.[cm]?ts$/.test(path);
}

/** The name of a file, or of the folder that it represents, in the singular and without punctuation. */
function subjectOf(path: string): string {
  const stem = stemOf(path.replace(/\.d\.([cm]?ts)$/, '.$1'));
  const isEntry = /^(?:index|mod|__init__|readme)$/i.test(stem);
  const name = isEntry && folderOf(path) !== '' ? nameOfPath(folderOf(path)) : stem;
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/s$/, '');
}

function typesOf(path: string, { declarations, types }: Pool): readonly string[] {
  const own = declarations.get(subjectOf(path)) ?? [];
  return own.length > 0
    ? own
    : types.filter((one) => sharesLanguage(one, path) && folderOf(one) === folderOf(path));
}

function sharesLanguage(one: string, other: string): boolean {
  return languageFamily(one) === languageFamily(other);
}

/** The path that shares the most leading folders with a file; empty without other paths. */
function nearest(of: string, paths: readonly string[]): readonly string[] {
  const folders = folderOf(of).split('/');
  const shared = (path: string): number => {
    const own = folderOf(path).split('/');
    const end = own.findIndex((name, at) => name !== folders[at]);
    return end === -1 ? own.length : end;
  };
  return paths
    .filter((path) => path !== of)
    .toSorted((a, b) => shared(b) - shared(a) || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, 1);
}
