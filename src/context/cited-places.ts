// Reads places out of any text: paths, perhaps with lines, and names in code.
import { endingOf } from '../git/paths.ts';
import { kindOf } from './file-kinds.ts';
import { stopWords } from './search/stop-words.ts';
import { unspacedScripts } from './search/terms.ts';

/** A path as a text cites it, perhaps with a line. */
export interface CitedPath {
  readonly path: string;
  /** The first and the last line of the place; null if no line is given. */
  readonly first: number | null;
  readonly line: number | null;
  /** The place as it is written. */
  readonly text: string;
  /** The index in the text, and the one after the end. */
  readonly at: number;
  readonly end: number;
}

/** A place in a file, as `path:line`, `path:line-line` or `path#Lline`. */
export interface CitedPlace extends CitedPath {
  readonly line: number;
}

/** Letters of scripts without spaces belong to the sentence around a path, not to the path. */
const inPath = String.raw`[\p{L}--${unspacedScripts.source}]\p{M}\p{N}_@.+~\/\-`;
/** Brackets are punctuation, except around the name of a folder or a part of one: `(group)`, `[id]`, `(..)photo`. */
const inBrackets = String.raw`(?:\((?:\.+|[\w\-]+)\)|\[{1,2}[\w.=\-]+\]{1,2})`;
/**
 * Matches everything that can belong to a path, from a point where no other path can continue,
 * without looking ahead: so the time grows only linearly with the text.
 */
const pathPattern = new RegExp(
  String.raw`(?<![${inPath}:$#])((?:[${inPath}]|(?<=\/)${inBrackets}|${inBrackets}(?=\/|\.\w))+)` +
    String.raw`(?:(?::L?|#L)(\d{1,6})(?:[\-–]L?(\d{1,6}))?(?![\w:]|\.\d))?`,
  'gv',
);
/** The longest path, in characters. */
const longestPath = 250;

/** Reads everything that may be a path in a text: whatever contains a dot or a slash. */
export function pathsIn(text: string): readonly CitedPath[] {
  return [...text.matchAll(pathPattern)].flatMap((match) => {
    const [written, taken = '', first, last = first] = match;
    // A path may end a sentence.
    const path = taken.replace(/[.+~@-]+$/, '');
    if (written.length > longestPath || !/[./]/.test(path)) return [];
    const line = last === undefined ? null : Number(last);
    const cited = line === null ? path : written;
    const start = first === undefined ? null : Number(first);
    return [
      { path, first: start, line, text: cited, at: match.index, end: match.index + cited.length },
    ];
  });
}

/** Reads the lines of files that a text cites. */
export function placesIn(text: string): readonly CitedPlace[] {
  return pathsIn(text).flatMap(({ line, ...one }) =>
    line !== null && isFileName(one.path) && !one.path.startsWith('/') ? [{ ...one, line }] : [],
  );
}

/** True for the name of a file rather than a server or a version: `example.com:443` is not a place. */
export function isFileName(path: string): boolean {
  return kindOf(path) !== 'data' || dataEndings.test(endingOf(path));
}

const dataEndings = /^(?:jsonc?|ya?ml|toml|s?css|html?|xml|cfg|ini|lock|env|sql|txt|csv|svg)$/;

/** A code name in a text. */
export interface CitedName {
  /** The name as it is written, without brackets. */
  readonly name: string;
  /** The part that a file with this name contains: the last one of `Loader.read` or `Loader::read`. */
  readonly leaf: string;
  readonly isCall: boolean;
  /** True between back-ticks. */
  readonly isMarked: boolean;
  /** The index in the text, and the one after the end. */
  readonly at: number;
  readonly end: number;
}

const nameSource = String.raw`[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*`;
const namePattern = new RegExp(
  `\`(${nameSource})(\\([^\`\\n]*\\))?\`|(?<![\\w$./:#\`@-]|->)(${nameSource})(\\(\\))?(?![\\w$/:#\`(-])`,
  'g',
);

/** Reads the code names that a text uses: every single name between back-ticks, others by their form. */
export function namesIn(text: string): readonly CitedName[] {
  return [...text.matchAll(namePattern)].flatMap((match): CitedName[] => {
    const [written, marked, markedCall, bare = '', call] = match;
    const name = marked ?? bare;
    const isCall = (markedCall ?? call) !== undefined;
    const isFile = name.includes('.') && !isCall && isFileName(name);
    if (isFile || (marked === undefined && !isCall && !isCodeForm(name))) return [];
    const leaf = partsOfName(name).at(-1) ?? name;
    const end = match.index + written.length;
    return [{ name, leaf, isCall, isMarked: marked !== undefined, at: match.index, end }];
  });
}

/** Splits a name into its owners and its last part: `Loader.read` into `Loader` and `read`. */
export function partsOfName(name: string): readonly string[] {
  return name.split(/\.|::|#|->/);
}

/** True for a name that is not an ordinary word: `read_all`, `readAll`, `Loader::read`, `Loader.read`. */
export function isCodeForm(name: string): boolean {
  return /::|[A-Za-z\d]_[A-Za-z\d]|(?:^|\W)[a-z][a-z\d]+[A-Z][a-z\d]|^[A-Z]\w*[a-z]\w*\.[A-Za-z]\w{2}/.test(
    name,
  );
}

/**
 * Lists everything that a text names, as it is written: what is marked as code, paths, names, calls
 * and flags.
 */
export function wordsNamed(text: string): readonly string[] {
  const others = [...text.matchAll(/`([^`\n]{2,80})`|([A-Za-z_$][\w$]*)(?=\()|(--[a-z][\w-]+)/g)];
  return [
    ...others.map(([, marked, call, flag]) => marked ?? call ?? flag ?? ''),
    ...pathsIn(text).map(({ path }) => path),
    ...namesIn(text).map(({ name }) => name),
    ...(text.match(/[A-Za-z_$]*[a-z0-9$][A-Z_][\w$]*/g) ?? []),
  ];
}

const longestName = 80;

/** Takes the names out of the text of a task, as spelled and in its order; `rest` is the text without them. */
export function identifiersOf(text: string): {
  readonly names: readonly string[];
  readonly rest: string;
} {
  const names: string[] = [];
  const rest = text.replace(pieces, (piece: string, at: number) => {
    if (piece.length > 2 * longestName) return ' ';
    const after = text.slice(at + piece.length, at + piece.length + 2);
    const quoted = text[at - 1] === '`' && after.startsWith('`');
    const found = namesInPiece(piece, quoted || after === '()');
    names.push(...found);
    return found.reduce((left, name) => left.replace(name, ' '), piece);
  });
  return { names, rest };
}

const pieces = /[\p{L}\p{M}\p{N}_$@./~-]+/gu;

function namesInPiece(piece: string, marked: boolean): readonly string[] {
  if (unspacedScripts.test(piece)) {
    return (piece.match(/[\w$@./~-]+/g) ?? []).flatMap((run) => namesInPiece(run, marked));
  }
  const name = piece.replace(/^(?:[~/-]|\.(?![\w/]))+|[~/.@-]+$/g, '').replace(/^\.\//, '');
  if (name.length > longestName) return [];
  if (name.includes('/') && !marked && !isPath(name)) {
    return name.split('/').flatMap((part) => namesInPiece(part, false));
  }
  return isName(name, marked) ? [name] : [];
}

/** True for a path: `read/write` is prose; `src/date.ts`, `a/b/c` and `@scope/name` are paths. */
function isPath(name: string): boolean {
  return /^[\w.@/-]+$/.test(name) && /^@|\/.*\/|\.\w+$/.test(name);
}

function isName(name: string, marked: boolean): boolean {
  if (name.length < 2 || stopWords.has(name.toLowerCase())) return false;
  if (marked) return /\p{L}/u.test(name);
  if (!/^[\w$@./-]+$/.test(name)) return false;
  return isPath(name) && name.includes('/') ? true : nameShapes.some((shape) => shape.test(name));
}

const nameShapes = [
  // date.ts, Date.parse; not e.g.
  /^(?!\w\.\w$)\.?[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*)+$/,
  // parse_date, MAX_SIZE, __init__
  /^_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*$/,
  /^_+[A-Za-z]\w*$/,
  // parseDate, DateParser, URLParser
  /^[A-Za-z$][A-Za-z0-9$]*[a-z0-9][A-Z][A-Za-z0-9$]*$/,
  /^[A-Z]{2,}[a-z][A-Za-z0-9]*$/,
  // time-zone, dry-run
  /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+$/,
  // JSON, MCP
  /^[A-Z][A-Z0-9]+$/,
] as const;
