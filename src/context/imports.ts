import { posix } from 'node:path';
import { endingOf, folderOf, joined, stemOf } from '../git/paths.ts';

/** One file of the repository that another one imports, with the line that says so. */
export interface ImportEdge {
  readonly target: string;
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
}

/** Longer lines are generated or packed. In characters. */
const longestLine = 400;

/**
 * The files of `known` that a file imports. Read for TypeScript, JavaScript, Python, Rust, Java,
 * Kotlin, Scala, C, C++ and Ruby; empty for other languages and for packages from outside.
 */
export function importsIn(
  file: { readonly path: string; readonly content: string },
  known: ReadonlySet<string>,
): readonly ImportEdge[] {
  const language = languageOf(file.path);
  if (language === undefined) return [];
  const edges = new Map<string, ImportEdge>();
  for (const [index, text] of file.content.split('\n').entries()) {
    if (text.length > longestLine || !language.mayImport.test(text)) continue;
    for (const candidate of language.candidates(file.path, text)) {
      if (!known.has(candidate)) continue;
      if (candidate !== file.path && !edges.has(candidate)) {
        edges.set(candidate, { target: candidate, line: index + 1, text });
      }
      break;
    }
  }
  return [...edges.values()];
}

interface Language {
  readonly mayImport: RegExp;
  /** Paths that a line may mean, the likeliest first. */
  candidates(from: string, line: string): readonly string[];
}

const script: Language = { mayImport: /from|import|require/, candidates: scriptPaths };
const python: Language = { mayImport: /^\s*(?:from|import)\s/, candidates: pythonPaths };
const rust: Language = { mayImport: /\b(?:mod|use)\s/, candidates: rustPaths };
const java: Language = { mayImport: /^import\s/, candidates: javaPaths };
const c: Language = { mayImport: /^\s*#\s*(?:include|import)\s*"/, candidates: includePaths };
const ruby: Language = { mayImport: /^\s*require/, candidates: rubyPaths };

const byEnding: ReadonlyMap<string, Language> = new Map([
  ...'ts tsx mts cts js jsx mjs cjs vue svelte'.split(' ').map((e) => [e, script] as const),
  ['py', python],
  ['rs', rust],
  ...'java kt kts scala groovy'.split(' ').map((e) => [e, java] as const),
  ...'c h cc cpp cxx hh hpp m mm'.split(' ').map((e) => [e, c] as const),
  ['rb', ruby],
]);

function languageOf(path: string): Language | undefined {
  return byEnding.get(endingOf(path));
}

const scriptEndings = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'];

function scriptPaths(from: string, line: string): readonly string[] {
  const spec =
    /(?:\bfrom|^\s*import|\b(?:require|import)\()\s*['"](\.{1,2}\/[^'"]*|\.{1,2})['"]/.exec(
      line,
    )?.[1];
  if (spec === undefined) return [];
  const path = posix.join(folderOf(from) || '.', spec).replace(/\/$/, '');
  const bare = path.replace(/\.(?:[mc]?js|jsx)$/, '');
  return [
    path,
    ...scriptEndings.map((ending) => `${bare}.${ending}`),
    ...scriptEndings.map((ending) => joined(path, `index.${ending}`)),
  ];
}

function pythonPaths(from: string, line: string): readonly string[] {
  const match = /^\s*(?:from\s+(\.*)([\w.]*)\s+import\s+\(?\s*(\w+)?|import\s+([\w.]+))/.exec(line);
  if (match === null) return [];
  const dots = match[1] ?? '';
  const parts = (match[2] ?? match[4] ?? '').split('.').filter((part) => part !== '');
  const name = match[3];
  return pythonRoots(from, dots.length).flatMap((root) => {
    const base = [...(root === '' ? [] : [root]), ...parts].join('/');
    const inner = name === undefined ? [] : [joined(base, `${name}.py`)];
    return [...inner, ...(base === '' ? [] : [`${base}.py`, `${base}/__init__.py`])];
  });
}

/** A relative import starts at the file’s folder; another one at any folder above it, or `src`. */
function pythonRoots(from: string, dots: number): readonly string[] {
  const folders = folderOf(from)
    .split('/')
    .filter((part) => part !== '');
  if (dots > 0) return [folders.slice(0, folders.length - dots + 1).join('/')];
  const above = folders.map((_, index) => folders.slice(0, folders.length - index).join('/'));
  return ['', 'src', ...above];
}

function rustPaths(from: string, line: string): readonly string[] {
  const folder = folderOf(from);
  const module = /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(line)?.[1];
  if (module !== undefined) {
    const isRoot = ['mod', 'lib', 'main'].includes(stemOf(from));
    const base = joined(isRoot ? folder : joined(folder, stemOf(from)), module);
    return [`${base}.rs`, `${base}/mod.rs`];
  }
  const used = /^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+crate::(\w+)(?:::(\w+))?/.exec(line);
  // A program in `src/bin` is a crate of its own.
  const source = /^(?:.*\/)?src(?:\/bin\/[^/]+)?(?=\/)/.exec(from)?.[0];
  const first = used?.[1];
  if (first === undefined || source === undefined) return [];
  const outer = `${source}/${first}`;
  const inner =
    used?.[2] === undefined ? [] : [`${outer}/${used[2]}.rs`, `${outer}/${used[2]}/mod.rs`];
  return [...inner, `${outer}.rs`, `${outer}/mod.rs`];
}

/** Java’s packages are folders below one source folder, so the importing file’s own tells it. */
function javaPaths(from: string, line: string): readonly string[] {
  const name = /^import\s+(?:static\s+)?([\w.]+)(?:\s*;|\s+as\s|\s*$)/.exec(line)?.[1];
  if (name === undefined) return [];
  const path = name.replaceAll('.', '/');
  const outer = folderOf(path);
  return sourceFoldersAbove(from).flatMap((root) => [
    ...jvmEndings.map((ending) => joined(root, `${path}.${ending}`)),
    ...jvmEndings.map((ending) => joined(root, `${outer}.${ending}`)),
  ]);
}

const jvmEndings = ['java', 'kt', 'scala', 'groovy'];

function sourceFoldersAbove(from: string): readonly string[] {
  const folders = folderOf(from).split('/');
  const above = folders.map((_, index) => folders.slice(0, index).join('/'));
  const main = from.includes('src/test/java/')
    ? [`${from.slice(0, from.indexOf('src/test/java/'))}src/main/java`]
    : [];
  return [...above, ...main];
}

/** A quoted include is looked for beside the file, then below the folders that hold sources. */
function includePaths(from: string, line: string): readonly string[] {
  const name = /"([^"]+)"/.exec(line)?.[1];
  if (name === undefined) return [];
  const roots = ['', 'include', 'src', 'lib'];
  return [posix.join(folderOf(from) || '.', name), ...roots.map((root) => joined(root, name))];
}

/** `require_relative` starts at the file; what a gem requires of itself lies in `lib`. */
function rubyPaths(from: string, line: string): readonly string[] {
  const match = /^\s*require(_relative)?[\s(]+['"]([^'"]+)['"]/.exec(line);
  const name = match?.[2]?.replace(/\.rb$/, '');
  if (name === undefined) return [];
  const path =
    match?.[1] === undefined ? joined('lib', name) : posix.join(folderOf(from) || '.', name);
  return [`${path}.rb`];
}
