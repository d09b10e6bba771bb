// Reads which files of the repository a source file imports.
import { posix } from 'node:path';
import { languageFamily } from '../../context/file-kinds.ts';
import {
  endingOf,
  folderOf,
  foldersAbove,
  isFolderEntry,
  joinPath,
  nameOfPath,
  stemOf,
} from '../../git/paths.ts';

/** The files of one commit, and their texts. */
export interface SourceTree {
  /** The paths of all files, relative to the root of the session. */
  readonly files: ReadonlySet<string>;
  /** The text of a file; for a link, the path that it leads to; null if it is not there or no text. */
  readonly read: (path: string) => Promise<string | null>;
  /** True for a symbolic link. */
  isLink(path: string): boolean;
}

/** Returns the files that a file imports. */
export type Imports = (path: string) => Promise<readonly string[]>;

/** Reads the imports of a tree, each file once, and of at most `most` files. */
export function importsIn(tree: SourceTree, most: number): Imports {
  const known = new Map<string, Promise<readonly string[]>>();
  let modules: Modules | null = null;
  return async (path) => {
    if (!known.has(path) && known.size < most && tree.files.has(path)) {
      modules ??= modulesOf(tree.files);
      known.set(path, readImports(path, tree, modules));
    }
    return (await known.get(path)) ?? [];
  };
}

/** The source files with the paths that name them in imports, by the last part of these paths. */
type Modules = ReadonlyMap<string, readonly { readonly path: string; readonly module: string }[]>;

function modulesOf(files: ReadonlySet<string>): Modules {
  const sources = [...files].filter((path) => languageFamily(path) !== null);
  const named = sources.flatMap((path) =>
    [path, modulePath(path)].map((module) => ({ path, module })),
  );
  return Map.groupBy(named, ({ module }) => nameOfPath(module));
}

/** The path without the ending; for a file that represents its folder, the folder. */
export function modulePath(path: string): string {
  const ending = endingOf(path);
  if (isFolderEntry(path)) return folderOf(path);
  return ending === '' ? path : path.slice(0, -ending.length - 1);
}

async function readImports(
  path: string,
  tree: SourceTree,
  modules: Modules,
): Promise<readonly string[]> {
  const family = languageFamily(path) ?? '';
  const reader = readers[family];
  const text = reader === undefined ? null : await tree.read(path);
  if (reader === undefined || text === null) return [];
  const named = (name: string) =>
    (modules.get(nameOfPath(name)) ?? []).filter((one) => languageFamily(one.path) === family);
  const above = foldersAbove(path);
  const distance = (file: string) =>
    above.findIndex((one) => one === '' || file.startsWith(`${one}/`));
  const wanted = await reader(text.slice(0, mostText), path, tree);
  const found = wanted.flatMap((word) => {
    const exact = posix.join(folderOf(path), word).replace(/\/$/, '');
    if (tree.files.has(exact)) return exact;
    // TypeScript imports `./date.ts` as `./date.js`.
    const plain = exact.replace(/\.[cm]?jsx?$/, '');
    const beside = named(plain).filter(({ module }) => module === plain);
    if (beside.length > 0 || word.startsWith('.')) return beside.map((one) => one.path);
    const ends = named(word).filter(({ module }) => `/${module}`.endsWith(`/${word}`));
    const [near] = ends.toSorted((a, b) => distance(a.path) - distance(b.path));
    return ends.flatMap((one) => (one.module === near?.module ? one.path : []));
  });
  return [...new Set(found)].filter((one) => one !== path);
}

/** The length of a file that is read for imports, in characters. */
const mostText = 200_000;

/**
 * Lists what a source imports, as paths from its folder or, unless they begin with a dot, as ends of paths from the
 * root.
 */
type Reader = (
  text: string,
  path: string,
  tree: SourceTree,
) => readonly string[] | Promise<readonly string[]>;

const readers: Readonly<Record<string, Reader>> = {
  javascript: (text) =>
    quoted(text).flatMap((word) => {
      // `@/date` and `#util/date` begin in some folder of the package.
      const isAlias = /^[@~]\/|^#/.test(word);
      return isAlias ? word.replace(/^.\/?/, '') : word.startsWith('.') ? word : [];
    }),
  // Files include the header, and the linker needs the source of the same name, too.
  c: (text) => quoted(text).flatMap((word) => [word, word.replace(/\.\w+$/, '')]),
  ruby: quoted,
  dart: quoted,
  // A class is in a file of its name, below a folder that only the settings of the loader name.
  php: (text) => [
    ...quoted(text),
    ...all(text, /^[ \t]*use[ \t]+(?:[\w\\]+\\)?(\w+)/gm).flatMap(([name = '']) => name),
  ],
  python: dotted,
  // A name may be that of a member of the class.
  jvm: (text) => dotted(text).flatMap((word) => [word, folderOf(word)]),
  rust(text, path) {
    const folder = /(?:^|\/)(?:lib|main|mod)\.rs$/.test(path) ? '' : `${stemOf(path)}/`;
    const own = all(text, /^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/gm);
    const uses = all(text, /\bcrate::(\w+(?:::\w+)*)/g).flatMap(([name = '']) => {
      const parts = name.split('::');
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    });
    return [...own.map(([name = '']) => `./${folder}${name}`), ...uses];
  },
  async go(text, path, { files, read }) {
    const root = foldersAbove(path).find((one) => files.has(joinPath(one, 'go.mod')));
    const manifest = root === undefined ? null : await read(joinPath(root, 'go.mod'));
    const module = /^module\s+(\S+)/m.exec(manifest ?? '')?.[1];
    const folders = all(text, /"([^"\s]+)"/g).flatMap(([word = '']) =>
      module !== undefined && word.startsWith(`${module}/`)
        ? joinPath(root ?? '', word.slice(module.length + 1))
        : [],
    );
    return [...files].flatMap((file) =>
      file.endsWith('.go') && folders.includes(folderOf(file))
        ? posix.relative(folderOf(path), file)
        : [],
    );
  },
};

/** Reads imports of a word in quotes or brackets, such as `require_relative 'a'` and `#include <a.h>`. */
function quoted(text: string): readonly string[] {
  const imports =
    /(?:(?:\bfrom|\bimport|\brequire(?:_relative|_once)?|#[ \t]*include)\s*\(?\s*["']|#[ \t]*include\s*<)([^"'<>\n]+)["'>]/g;
  return all(text, imports).flatMap(([word = '']) => word);
}

/** Reads imports such as `import a.b`, and `from .a import b`, which may mean a file `b` or a part of `a`. */
function dotted(text: string): readonly string[] {
  const imports =
    /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+)?import[ \t]+(?:static[ \t]+)?(\([^)]*\)|[^\n#;]+)/gm;
  return all(text, imports).flatMap(([dots = '', module = '', names = '']) => {
    const up = dots === '' ? '' : `./${'../'.repeat(dots.length - 1)}`;
    const from = `${up}${module.replaceAll('.', '/')}`;
    const words = names.replaceAll(/\sas\s+\w+/g, '').match(/[\w.]+/g) ?? [];
    const parts = words.map((word) => word.replaceAll('.', '/'));
    return from === '' ? parts : [from, ...parts.map((part) => `${from}/${part}`)];
  });
}

/** The groups of each match. */
function all(text: string, pattern: RegExp): readonly (readonly (string | undefined)[])[] {
  return Array.from(text.matchAll(pattern), ([, ...groups]) => groups);
}
