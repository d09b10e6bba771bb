// Picks names in code and plain words of a task, for those who search by words.
import { stopWords } from './stop-words.ts';
import { unspacedScripts, wordsIn } from './terms.ts';

const mostKeywords = 12;
/** So that a task that pastes a log still keeps some of its words. */
const mostIdentifiers = 9;
/** A longer task text goes on with pasted output. In characters. */
const longestTask = 50_000;

/**
 * Picks the words to search a task by: names in code as the task spells them, then
 * its plain words in lower case, those that come most often first. Without duplicates, at most twelve.
 */
export function keywordsOf(task: string): readonly string[] {
  const text = task
    .slice(0, longestTask)
    .normalize('NFC')
    .replace(/\bhttps?:\/\/\S+/g, ' ');
  const { names, rest } = identifiersOf(text);
  const words = Map.groupBy(wordsIn(rest.toLowerCase()).filter(isTelling), (word) => word);
  const often = [...words].toSorted(([, a], [, b]) => b.length - a.length).map(([word]) => word);
  const first = distinct(names).slice(0, Math.max(mostIdentifiers, mostKeywords - often.length));
  return distinct([...first, ...often]).slice(0, mostKeywords);
}

function isTelling(word: string): boolean {
  const least = unspacedScripts.test(word) ? 2 : 3;
  return word.length >= least && word.length <= 40 && /^\p{L}/u.test(word) && !stopWords.has(word);
}

function distinct(words: readonly string[]): readonly string[] {
  const known = new Map(words.toReversed().map((word) => [word.toLowerCase(), word]));
  return [...new Set(words.map((word) => known.get(word.toLowerCase()) ?? word))];
}

const longestName = 80;

/** The names in code in a task text, as spelled and in its order, and the text without them. */
export function identifiersOf(text: string): {
  readonly names: readonly string[];
  readonly rest: string;
} {
  const names: string[] = [];
  const rest = text.replace(pieces, (piece: string, at: number) => {
    if (piece.length > 2 * longestName) return ' ';
    const after = text.slice(at + piece.length, at + piece.length + 2);
    const quoted = text[at - 1] === '`' && after.startsWith('`');
    const found = namesIn(piece, quoted || after === '()');
    names.push(...found);
    return found.reduce((left, name) => left.replace(name, ' '), piece);
  });
  return { names, rest };
}

const pieces = /[\p{L}\p{M}\p{N}_$@./~-]+/gu;

function namesIn(piece: string, marked: boolean): readonly string[] {
  if (unspacedScripts.test(piece)) {
    return (piece.match(/[\w$@./~-]+/g) ?? []).flatMap((run) => namesIn(run, marked));
  }
  const name = piece.replace(/^(?:[~/-]|\.(?![\w/]))+|[~/.@-]+$/g, '').replace(/^\.\//, '');
  if (name.length > longestName) return [];
  if (name.includes('/') && !marked && !isPath(name)) {
    return name.split('/').flatMap((part) => namesIn(part, false));
  }
  return isName(name, marked) ? [name] : [];
}

/** `read/write` is prose; `src/date.ts`, `a/b/c` and `@scope/name` are not. */
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
