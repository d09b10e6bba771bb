// Finds the places that a text of a plan cites, and the names that it uses.
import { kindOf } from '../../context/file-kinds.ts';
import { endingOf } from '../../git/paths.ts';

/** A place in a file, as `path:line` or `path:line-line`. */
export interface CitedPlace {
  readonly path: string;
  /** The last line that is meant. */
  readonly line: number;
  /** The place as it is written. */
  readonly text: string;
  /** Index in the text. */
  readonly at: number;
}

/** A folder may be `(group)` or `[id]`. */
const pathPart = String.raw`(?:[\w@.+~-]|\([\w-]+\)|\[[\w.-]+\])`;
const pathBefore = new RegExp(
  String.raw`(?<![\w@/:.])(?:${pathPart}+/)*${pathPart}*\.[A-Za-z]\w{0,9}$`,
);
const lineOfPlace = /:(\d{1,6})(?:[-–](\d{1,6}))?(?![\w:]|\.\d)/g;
/** In characters: from the start of a text, a path would be looked for again and again. */
const longestPath = 250;

/** The places that a text cites. */
export function placesIn(text: string): readonly CitedPlace[] {
  return [...text.matchAll(lineOfPlace)].flatMap((match) => {
    const [written, first = '', last = first] = match;
    const before = text.slice(Math.max(0, match.index - longestPath), match.index);
    const [path] = pathBefore.exec(before) ?? [''];
    if (path === '' || !isCode(path)) return [];
    const place = { path, line: Number(last), text: `${path}${written}` };
    return [{ ...place, at: match.index - path.length }];
  });
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
  `\`(${nameSource})(\\([^\`\\n]*\\))?\`|(?<![\\w$./:#\`@-])(${nameSource})(\\(\\))?(?![\\w$/:#\`(-])`,
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
