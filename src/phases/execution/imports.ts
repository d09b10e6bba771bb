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
  let index: Index | null = null;
  return async (path) => {
    if (!known.has(path) && known.size < most && tree.files.has(path)) {
      index ??= indexOf(tree.files);
      known.set(path, readImports(path, tree, index));
    }
    return (await known.get(path)) ?? [];
  };
}

/** The source files by the paths that name them in imports, and these paths by their last part. */
interface Index {
  readonly byModule: ReadonlyMap<string, readonly string[]>;
  readonly modulesByName: ReadonlyMap<string, readonly string[]>;
}

function indexOf(files: ReadonlySet<string>): Index {
  const byModule = new Map<string, string[]>();
  for (const path of files) {
    if (languageFamily(path) === null) continue;
    for (const module of new Set([path, modulePath(path)])) {
      byModule.set(module, [...(byModule.get(module) ?? []), path]);
    }
  }
  return { byModule, modulesByName: Map.groupBy(byModule.keys(), nameOfPath) };
}

/** The path without the ending; for a file that represents its folder, the folder. */
export function modulePath(path: string): string {
  const ending = endingOf(path);
  if (isFolderEntry(path)) return folderOf(path);
  return ending === '' ? path : path.slice(0, -ending.length - 1);
}

async function readImports(
  path: string,
  { files, read }: SourceTree,
  index: Index,
): Promise<readonly string[]> {
  const family = languageFamily(path);
  const reader = family === null ? undefined : readers[family];
  const text = reader === undefined ? null : await read(path);
  if (reader === undefined || text === null) return [];
  const folder = folderOf(path);
  const above = (name: string) =>
    foldersAbove(path).find((one) => files.has(joinPath(one, name))) ?? null;
  const wanted = await reader({ text: text.slice(0, mostText), path, folder, files, read, above });
  const found = wanted.flatMap((one) => {
    const exact = one.startsWith('/') ? posix.normalize(one).slice(1) : null;
    if (exact !== null && files.has(exact)) return exact;
    // TypeScript imports `./date.ts` as `./date.js`.
    const modules = exact === null ? endingsIn(index, one) : [exact.replace(/\.[cm]?jsx?$/, '')];
    const every = modules.flatMap((module) => index.byModule.get(module) ?? []);
    const own = every.filter((file) => languageFamily(file) === family);
    return exact === null ? nearest(path, own) : own;
  });
  return [...new Set(found)].filter((one) => one !== path);
}

/** The length of a file that is read for imports, in characters. */
const mostText = 200_000;

/** The modules whose path ends with this one. */
function endingsIn({ modulesByName }: Index, wanted: string): readonly string[] {
  const same = modulesByName.get(nameOfPath(wanted)) ?? [];
  return same.filter((module) => `/${module}`.endsWith(`/${wanted}`));
}

/** The file that has most folders in common with this one. */
function nearest(path: string, files: readonly string[]): readonly string[] {
  const above = foldersAbove(path);
  const distance = (file: string) =>
    above.findIndex((one) => one === '' || file.startsWith(`${one}/`));
  return files.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1);
}

interface Source {
  readonly text: string;
  readonly path: string;
  readonly folder: string;
  readonly files: ReadonlySet<string>;
  readonly read: SourceTree['read'];
  /** The nearest folder, from that of the source upwards, that has a file of this name; null if none has. */
  readonly above: (name: string) => string | null;
}

/** Lists what a source imports: paths of modules from the root, with a slash in front, or the ends of paths. */
type Reader = (source: Source) => readonly string[] | Promise<readonly string[]>;

const readers: Readonly<Record<string, Reader>> = {
  javascript({ text, folder }) {
    const words = all(text, /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g);
    return words.flatMap(([word = '']) => {
      if (word.startsWith('.')) return `/${posix.join(folder, word)}`;
      // `@/date` and `#util/date` begin in some folder of the package.
      return /^[@~]\/|^#/.test(word) ? word.replace(/^.\/?/, '') : [];
    });
  },
  python({ text, folder }) {
    const whole = all(text, /^[ \t]*import[ \t]+([\w., \t]+)/gm).flatMap(([names = '']) =>
      names.split(',').map((name) => name.trim().split(/\s/)[0] ?? ''),
    );
    const parts = all(
      text,
      /^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)/gm,
    );
    const others = parts.flatMap(([dots = '', module = '', names = '']) => {
      const own = module.replaceAll('.', '/');
      const up = dots === '' ? '' : `/${posix.join(folder, '../'.repeat(dots.length - 1), own)}`;
      const from = dots === '' ? own : up;
      return [
        from,
        ...all(names, /(\w+)(?:\s+as\s+\w+)?/g).map(([name = '']) => `${from}/${name}`),
      ];
    });
    return [...whole.map((name) => name.replaceAll('.', '/')), ...others].filter(
      (one) => one !== '',
    );
  },
  c({ text, folder, files }) {
    const words = all(text, /^[ \t]*#[ \t]*(?:include|import)[ \t]*"([^"\n]+)"/gm);
    return words.map(([word = '']) => {
      const beside = posix.join(folder, word);
      return files.has(beside) ? `/${beside}` : word.replace(/^(?:\.\.?\/)+/, '');
    });
  },
  async go({ text, files, read, above }) {
    const root = above('go.mod');
    const manifest = root === null ? null : await read(joinPath(root, 'go.mod'));
    const module = /^module\s+(\S+)/m.exec(manifest ?? '')?.[1];
    if (root === null || module === undefined) return [];
    const folders = all(text, /"([^"\s]+)"/g).flatMap(([word = '']) =>
      word.startsWith(`${module}/`) ? joinPath(root, word.slice(module.length + 1)) : [],
    );
    return [...files].flatMap((file) =>
      file.endsWith('.go') && folders.includes(folderOf(file)) ? `/${file}` : [],
    );
  },
  jvm({ text }) {
    return all(text, /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)/gm).flatMap(([name = '']) => {
      const parts = name.split('.');
      return [parts, parts.slice(0, -1)].map((some) => some.join('/'));
    });
  },
  rust({ text, path, folder, above }) {
    const isEntry = /(?:^|\/)(?:lib|main|mod)\.rs$/.test(path);
    const inside = isEntry ? folder : modulePath(path);
    const own = all(text, /^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/gm);
    const root = joinPath(above('Cargo.toml') ?? '', 'src');
    const uses = all(text, /\bcrate::(\w+(?:::\w+)*)/g).flatMap(([name = '']) => {
      const parts = name.split('::');
      return parts.map((_, index) => `/${root}/${parts.slice(0, index + 1).join('/')}`);
    });
    return [...own.map(([name = '']) => `/${joinPath(inside, name)}`), ...uses];
  },
  ruby({ text, folder }) {
    const words = all(text, /^[ \t]*require(_relative)?[ \t(]+["']([\w./-]+)["']/gm);
    return words.map(([relative = '', word = '']) =>
      relative === '' ? word : `/${posix.join(folder, word)}`,
    );
  },
};

/** The groups of each match. */
function all(text: string, pattern: RegExp): readonly (readonly (string | undefined)[])[] {
  return Array.from(text.matchAll(pattern), ([, ...groups]) => groups);
}
