// Finds the file, module or class that a dotted name belongs to, if the project defines all of its members.
import { builtinModules } from 'node:module';
import { kindOf } from '../../context/file-kinds.ts';
import type { PathIndex } from '../../context/file-tree.ts';
import { partsOfName } from '../../context/cited-places.ts';
import { endingOf, isFolderEntry, nameOfPath, stemOf } from '../../git/paths.ts';

/** The files in which owners are looked for. */
export interface OwnerFiles {
  readonly index: PathIndex;
  readonly paths: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
  readonly find: (
    words: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly string[]> | null>;
}

/**
 * Finds the file that defines the owner in a name, e.g. `csv.ts` for `csv.toTable`; null if its members may
 * come from elsewhere.
 */
export async function ownerOfName(name: string, files: OwnerFiles): Promise<string | null> {
  const owners = partsOfName(name).slice(0, -1);
  while (/^(?:this|self|cls|super|crate)$/.test(owners[0] ?? '')) owners.shift();
  const last = owners.at(-1);
  if (last === undefined || isGiven(name)) return null;
  if (/^[A-Z]\w*[a-z]/.test(last)) return await wholeClass(last, files);
  return await wholeModule(owners, last, files);
}

/** True for names that a language provides, so that no file has to define them. */
export function isGiven(name: string): boolean {
  const leaf = partsOfName(name).at(-1) ?? name;
  return (
    leaf in globalThis ||
    givenTo.some((owner) => leaf in owner) ||
    given.has(leaf) ||
    /^__\w+__$|(?:Error|Exception|Warning)$/.test(leaf)
  );
}

const givenTo: readonly object[] = [
  Object,
  Function.prototype,
  Array,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Promise,
  Promise.prototype,
  Map.prototype,
  Set.prototype,
  Date.prototype,
  RegExp.prototype,
  Math,
];
/** Functions and methods of Python and of the DOM. */
const given: ReadonlySet<string> = new Set(
  `abs all any append as_posix ascii bin bool breakpoint bytearray bytes callable casefold chr
  classmethod clear compile complex count decode dict dir divmod encode endswith enumerate eval exec
  extend filter float format frozenset getattr hasattr hash hex id index input insert int isinstance
  issubclass items iter join len list locals lower lstrip main map max memoryview min next object oct
  open ord partition pop popitem pow print property range remove repr replace reversed round rsplit
  rstrip set setattr setdefault slice sort sorted split splitlines startswith staticmethod str strip
  sum super tuple type update upper values vars zip add_argument parse_args addEventListener
  appendChild getElementById preventDefault querySelector querySelectorAll removeEventListener
  stopPropagation innerHTML textContent`.split(/\s+/),
);

/** Code in which members arise that no line names. */
const isDynamic =
  /__getattr|setattr\(|Object\.(?:assign|define\w+)\(|\bProxy\(|\[\w+: string\]|globals\(\)|exports\[|module\.exports\s*=\s*require|export \* from ['"][^.]|^\s*from\s+[^.\s]\S*\s+import\s+\*|pub use [^;\n]*\*/m;

const mostFiles = 40;

async function holdersOf(word: string, { find }: OwnerFiles): Promise<readonly string[]> {
  const found = (await find([word]))?.get(word) ?? [];
  return found.filter((path) => kindOf(path) === 'source' || kindOf(path) === 'test');
}

/** Finds the only class with this name, if its bases are such classes, too. */
async function wholeClass(name: string, files: OwnerFiles, depth = 0): Promise<string | null> {
  const holders = await holdersOf(name, files);
  if (depth > 4 || holders.length > mostFiles * 5) return null;
  const classes: { readonly path: string; readonly bases: readonly string[] | null }[] = [];
  const pattern = new RegExp(
    String.raw`^(.*)\n?[ \t]*(?:(?:export|default|declare|public|final|abstract|internal|sealed|static)\s+)*class\s+${name}(?![\w$])(.*)$`,
    'gm',
  );
  for (const path of holders.filter((one) => /\.(?:[cm]?[jt]sx?|pyi?|java|cs)$/.test(one))) {
    const text = `\n${(await files.read(path)) ?? ''}`;
    for (const [, before = '', after = ''] of text.matchAll(pattern)) {
      const isMarked = /^\s*[@[](?!(?:dataclasses\.)?dataclass\b)|\bpartial\s+$/.test(before);
      const isPlain = !isMarked && !isDynamic.test(text);
      classes.push({ path, bases: isPlain ? basesIn(after) : null });
    }
  }
  const [only, second] = classes;
  if (only === undefined || second !== undefined || only.bases === null) return null;
  for (const base of only.bases) {
    if (base !== 'object' && (await wholeClass(base, files, depth + 1)) === null) return null;
  }
  return only.path;
}

/** Reads the bases of a class from what follows its name; null if they cannot be determined. */
function basesIn(after: string): readonly string[] | null {
  const head = after.replace(/<[^<>]*>/g, '').replace(/\bimplements\b[^{]*/, '');
  const [, extended, listed] =
    /^\s*(?:extends\s+(\w+)\s*|\(([\w\s,]*)\)\s*)?(?:[{:].*)?$/.exec(head) ?? [];
  if (!/^\s*(?:extends\s+\w+\s*|\([\w\s,]*\)\s*)?(?:\{.*|:\s*(?:#.*)?)?$/.test(head)) return null;
  return (extended ?? listed ?? '').split(/[\s,]+/).filter((base) => base !== '');
}

/** Finds the only file that is the module of some owners, e.g. `flask/json/__init__.py` for `flask.json`. */
async function wholeModule(
  owners: readonly string[],
  last: string,
  files: OwnerFiles,
): Promise<string | null> {
  const parts = owners.join('/');
  const found = files.paths.filter((path) => {
    if (!/\.(?:[cm]?[jt]s|pyi?|rs)$/.test(path) || kindOf(path) !== 'source') return false;
    const module = isFolderEntry(path)
      ? path.slice(0, path.lastIndexOf('/'))
      : path.slice(0, path.lastIndexOf('.'));
    const isNamed = module === parts || module.endsWith(`/${parts}`);
    return (
      isNamed && (owners.length === 1 || /\.(?:pyi?|rs)$/.test(path)) && !path.endsWith('.d.ts')
    );
  });
  const [path, second] = found;
  if (path === undefined || second !== undefined) return null;
  if (
    owners.length === 1 &&
    ((await isKnownElsewhere(last, path, files)) || (await isVariable(last, files)))
  )
    return null;
  return isDynamic.test((await files.read(path)) ?? '') ? null : path;
}

/** True for a module of a language, or for a word in a list of dependencies. */
async function isKnownElsewhere(
  word: string,
  path: string,
  { index, read }: OwnerFiles,
): Promise<boolean> {
  const isGivenModule =
    endingOf(path).endsWith('s') && !path.endsWith('.rs')
      ? word in globalThis || builtinModules.includes(word) || isOfBrowser.test(word)
      : givenModules.has(word);
  if (isGivenModule) return true;
  const lists = manifests.flatMap((name) => index.alike(name).slice(0, 5));
  const texts = await Promise.all(lists.map((list) => read(list)));
  const pattern = new RegExp(String.raw`(?<![\w-])${word}(?![\w-])`);
  return texts.some((text) => text !== null && pattern.test(text));
}

const manifests =
  `package.json pyproject.toml setup.py setup.cfg requirements.txt Cargo.toml go.mod`.split(' ');
/** Modules that Python and Rust provide. */
const givenModules: ReadonlySet<string> = new Set(
  `abc argparse array ast asyncio base64 bisect builtins calendar cmd code codecs collections
  concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib
  dis email enum errno fcntl fileinput fnmatch fractions functools gc getopt getpass gettext glob
  graphlib gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json
  keyword locale logging lzma mailbox math mimetypes mmap multiprocessing numbers operator optparse os
  pathlib pdb pickle pkgutil platform plistlib pprint profile pty queue random re readline resource
  sched secrets select selectors shelve shlex shutil signal site smtplib socket sqlite3 ssl stat
  statistics string struct subprocess symtable sys sysconfig syslog tarfile tempfile textwrap
  threading time timeit token tokenize tomllib trace traceback tracemalloc types typing unicodedata
  unittest urllib uuid venv warnings wave weakref webbrowser xml zipfile zlib zoneinfo std core alloc fmt`.split(
    /\s+/,
  ),
);
const isOfBrowser = /^(?:window|document|console|process|navigator|location|history)$/;

/** True if the code also uses the word as a variable: a dot after it then leads into some object. */
async function isVariable(word: string, files: OwnerFiles): Promise<boolean> {
  const holders = await holdersOf(word, files);
  if (holders.length > mostFiles) return true;
  const pattern = new RegExp(String.raw`(?<![\w$./-])${word}(?![\w$/-])(?!\s*\.[A-Za-z_])`);
  const texts = await Promise.all(holders.map((path) => files.read(path)));
  return texts.some((text) =>
    (text ?? '').split('\n').some((line) => {
      if (/^\s*(?:import|from|export\s+\*|use|\/\/|\/?\*|#)|\brequire\(/.test(line)) return false;
      return pattern.test(line.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`|\/\/.*|\s#\s.*/g, ''));
    }),
  );
}

/** True if a file imports nothing from a dependency, so that everything it calls is its own or the project’s. */
export async function importsOwnOnly(
  path: string,
  { index, read }: Pick<OwnerFiles, 'index' | 'read'>,
): Promise<boolean> {
  const text = await read(path);
  if (text === null || !/\.(?:[cm]?[jt]sx?|pyi?)$/.test(nameOfPath(path))) return false;
  if (/\.pyi?$/.test(path)) {
    const tops = [...text.matchAll(/^\s*(?:from|import)\s+([A-Za-z_]\w*)/gm)].map(
      ([, top = '']) => top,
    );
    return tops.every(
      (top) =>
        index.hasFolder(top) ||
        index.hasFolder(`src/${top}`) ||
        index.alike(`${top}.py`).length > 0,
    );
  }
  return !/(?:\bfrom|\brequire\(|\bimport\(?)\s*['"](?![./#@]|node:)/.test(text);
}

/** Names the owner in the sentence about a name: `src/csv.ts`, or the class in it. */
export function ownerText(name: string, path: string): string {
  const owner = partsOfName(name).at(-2) ?? '';
  return owner === stemOf(path) || /^[a-z]/.test(owner) ? path : `${owner} in ${path}`;
}
