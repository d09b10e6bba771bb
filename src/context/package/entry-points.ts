import { isObject, jsonIn } from '../../model/json.ts';
import { kindOf } from '../file-kinds.ts';
import { folderOf, joined } from '../../git/paths.ts';
import { foldersAbove } from './project-folder.ts';

/** Where a program or package begins, and what says so. */
interface EntryPoint {
  readonly path: string;
  readonly why: string;
}

/** By convention of a language or framework. */
const conventional: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)main\.go$/, 'Go starts programs in main.go'],
  [/(?:^|\/)src\/main\.rs$/, 'Cargo builds a program from src/main.rs'],
  [/(?:^|\/)src\/bin\/(?:[^/]+|[^/]+\/main)\.rs$/, 'Cargo builds a program from it'],
  [/(?:^|\/)src\/lib\.rs$/, 'Cargo builds the library from src/lib.rs'],
  [/(?:^|\/)__main__\.py$/, 'Python runs the package by __main__.py'],
  [/(?:^|\/)manage\.py$/, 'Django runs by manage.py'],
  [/(?:^|\/)Program\.cs$/, '.NET starts programs in Program.cs'],
  [/(?:^|\/)Sources\/[^/]+\/main\.swift$/, 'Swift starts programs in main.swift'],
  [/(?:^|\/)artisan$/, 'Laravel runs by artisan'],
];

const most = 5;

/** The entry points at the root and in the folders above some files, the nearest first. */
export async function entryPoints(project: {
  readonly files: readonly string[];
  readonly near: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
}): Promise<readonly EntryPoint[]> {
  const { files, near, read } = project;
  const known = new Set(files);
  const folders = [...new Set([...near.flatMap((path) => foldersAbove(path)), ''])];
  const stated = await Promise.all(
    folders
      .map((folder) => joined(folder, 'package.json'))
      .filter((path) => known.has(path))
      .map((path) => fromManifest({ path, text: read(path), known })),
  );
  const around = files.filter(
    (path) => folders.includes(folderOf(path)) && kindOf(path) !== 'test',
  );
  const found = [
    ...stated.flat(),
    ...around.flatMap((path) => {
      const rule = conventional.find(([pattern]) => pattern.test(path));
      return rule === undefined ? [] : [{ path, why: rule[1] }];
    }),
  ];
  return [...new Map(found.map((entry) => [entry.path, entry])).values()].slice(0, most);
}

/** `bin`, `main` and `module` of a `package.json`, where they name files that are in the repository. */
async function fromManifest(manifest: {
  readonly path: string;
  readonly text: Promise<string | null>;
  readonly known: ReadonlySet<string>;
}): Promise<readonly EntryPoint[]> {
  const { path, known } = manifest;
  const value = jsonIn((await manifest.text) ?? '');
  if (!isObject(value)) return [];
  return ['bin', 'main', 'module'].flatMap((field) => {
    const stated = value[field];
    const names = isObject(stated) ? Object.values(stated) : [stated];
    return names
      .filter((name) => typeof name === 'string')
      .flatMap((name) => sourceOf(joined(folderOf(path), name.replace(/^\.\//, '')), known))
      .map((entry) => ({ path: entry, why: `"${field}" in ${path}` }));
  });
}

/** The file itself, or the one in `src` that `dist` or `lib` is built from. */
function sourceOf(path: string, known: ReadonlySet<string>): readonly string[] {
  if (known.has(path)) return [path];
  const source = path.replace(/(^|\/)(?:dist|lib|build|out)\//, '$1src/').replace(/\.[mc]?js$/, '');
  return ['ts', 'tsx', 'mts', 'js', 'mjs']
    .map((ending) => `${source}.${ending}`)
    .filter((candidate) => known.has(candidate))
    .slice(0, 1);
}
