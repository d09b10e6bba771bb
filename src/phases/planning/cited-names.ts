// Finds the places that a text of a plan cites, and the names that it uses.
import { kindOf } from '../../context/file-kinds.ts';
import { endingOf } from '../../git/paths.ts';

/** A path as a text cites it, perhaps with a line. */
export interface CitedPath {
  readonly path: string;
  /** The last line that is meant; null where none is named. */
  readonly line: number | null;
  /** The place as it is written. */
  readonly text: string;
  /** Index in the text, and the one behind it. */
  readonly at: number;
  readonly end: number;
}

/** A place in a file, as `path:line`, `path:line-line` or `path#Lline`. */
export interface CitedPlace extends CitedPath {
  readonly line: number;
}

const ofPath = String.raw`\w@.+~/-`;
/** Brackets are punctuation, except around the name of a folder or a part of one: `(group)`, `[id]`, `(..)photo`. */
const inBrackets = String.raw`(?:\((?:\.+|[\w-]+)\)|\[{1,2}[\w.=-]+\]{1,2})`;
/**
 * Takes all that can belong to a path, from where no other path can go on, and needs nothing behind it:
 * so the time it takes grows with the text, and not faster.
 */
const pathPattern = new RegExp(
  String.raw`(?<![${ofPath}:$#])((?:[${ofPath}]|(?<=/)${inBrackets}|${inBrackets}(?=/|\.\w))+)` +
    String.raw`(?:(?::|#L)(\d{1,6})(?:[-–]L?(\d{1,6}))?(?![\w:]|\.\d))?`,
  'g',
);
/** In characters. */
const longestPath = 250;

/** All that may be a path in a text: whatever contains a dot or a slash. */
export function pathsIn(text: string): readonly CitedPath[] {
  return [...text.matchAll(pathPattern)].flatMap((match) => {
    const [written, taken = '', first, last = first] = match;
    if (written.length > longestPath || !/[./]/.test(taken)) return [];
    const line = last === undefined ? null : Number(last);
    // A sentence may end with a path.
    const path = taken.replace(/[.+~@-]+$/, '');
    const cited = line === null ? path : written;
    return [{ path, line, text: cited, at: match.index, end: match.index + cited.length }];
  });
}

/** The places that a text cites. */
export function placesIn(text: string): readonly CitedPlace[] {
  return pathsIn(text).flatMap(({ line, ...one }) =>
    line !== null && isCode(one.path) && !one.path.startsWith('/') ? [{ ...one, line }] : [],
  );
}

/** `example.com:443` is no place. */
function isCode(path: string): boolean {
  return (
    kindOf(path) !== 'data' || /^(?:json|ya?ml|toml|s?css|html?|xml|cfg|ini)$/.test(endingOf(path))
  );
}

/** A name of the code in a text. */
export interface UsedName {
  /** As it is written, without brackets. */
  readonly name: string;
  /** The part that a file with this name contains: the last one of `Loader.read` or `Loader::read`. */
  readonly leaf: string;
  readonly isCall: boolean;
  /** True between back-ticks. */
  readonly isMarked: boolean;
  /** The text right before and after it. */
  readonly before: string;
  readonly after: string;
  /** Index in the text behind it. */
  readonly end: number;
}

/** No word that says what a name is stands further from it. In characters. */
const nearby = 80;

const nameSource = String.raw`[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*`;
const namePattern = new RegExp(
  `\`(${nameSource})(\\([^\`\\n]*\\))?\`|(?<![\\w$./:#\`@-]|->)(${nameSource})(\\(\\))?(?![\\w$/:#\`(-])`,
  'g',
);

/** The names of code that a text uses: every single name between back-ticks, others by their form. */
export function namesIn(text: string): readonly UsedName[] {
  return [...text.matchAll(namePattern)].flatMap((match): UsedName[] => {
    const [written, marked, markedCall, bare = '', call] = match;
    const name = marked ?? bare;
    const isCall = (markedCall ?? call) !== undefined;
    if (isFileName(name) || (marked === undefined && !isCall && !isCodeForm(name))) return [];
    const end = match.index + written.length;
    const leaf = name.split(/\.|::|#|->/).at(-1) ?? name;
    const before = text.slice(Math.max(0, match.index - nearby), match.index);
    const after = text.slice(end, end + nearby);
    return [{ name, leaf, isCall, isMarked: marked !== undefined, before, after, end }];
  });
}

function isFileName(name: string): boolean {
  return name.includes('.') && isCode(name);
}

/** True for a name that is no word of a language: `read_all`, `readAll`, `Loader::read`. */
export function isCodeForm(name: string): boolean {
  return /::|[A-Za-z\d]_[A-Za-z\d]|(?:^|\W)[a-z][a-z\d]+[A-Z][a-z\d]/.test(name);
}
