import { isIdentifier } from './keywords.ts';
import { partsOf } from './identifiers.ts';
import { kindOf } from './file-kinds.ts';
import { stemOf } from '../git/paths.ts';

/** What is looked for in files for one keyword. */
export interface Needle {
  readonly keyword: string;
  readonly identifier: boolean;
  /** The keyword names a file: compared with paths as a whole. */
  readonly isPath: boolean;
  /** In lower case: the spellings of a name, or the stem of a word. */
  readonly texts: readonly string[];
}

/** Keywords that hold nothing to look for are left out. */
export function needlesOf(keywords: readonly string[]): readonly Needle[] {
  return keywords.flatMap((spelled) => {
    const keyword = spelled.replace(/[\0\r\n]+/g, ' ').trim();
    const texts = textsOf(keyword).filter((text) => text.length >= 2);
    if (texts.length === 0) return [];
    return [{ keyword, identifier: isIdentifier(keyword), isPath: namesFile(keyword), texts }];
  });
}

/** A line with its lower-case form, so that this is made once for all needles. */
interface Line {
  readonly text: string;
  readonly lower: string;
}

/** How often a needle stands in a line, at the start of a word or of a part of a name. */
export function countIn({ text: line, lower }: Line, needle: Needle): number {
  let count = 0;
  for (const text of needle.texts) {
    for (let at = lower.indexOf(text); at !== -1; at = lower.indexOf(text, at + text.length)) {
      if (startsPart(line, at) && (!needle.identifier || endsPart(line, at + text.length))) count++;
    }
  }
  return count;
}

/** True where a name, e.g. of a file or a definition, is or has the needle as a part. */
export function isNamedIn(name: string, needle: Needle): boolean {
  return countIn({ text: name, lower: name.toLowerCase() }, needle) > 0;
}

/** The beginning that a word shares with its other forms: `parsing` and `parser` give `pars`. */
export function stemOfWord(word: string): string {
  for (const [ending, short] of endings) {
    const stem = word.slice(0, -ending.length) + short;
    if (word.endsWith(ending) && stem.length >= 4) return stem.replace(/([bdfgmnprt])\1$/, '$1');
  }
  return word;
}

const endings: readonly (readonly [string, string])[] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ions', ''],
  ['ion', ''],
  ['ings', ''],
  ['ing', ''],
  ['ies', ''],
  ['ers', ''],
  ['ors', ''],
  ['ed', ''],
  ['er', ''],
  ['or', ''],
  ['sses', 'ss'],
  ['xes', 'x'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['es', ''],
  ['ss', 'ss'],
  ['us', 'us'],
  ['is', 'is'],
  ['s', ''],
  ['e', ''],
  ['y', ''],
];

function textsOf(keyword: string): readonly string[] {
  const lower = keyword.toLowerCase();
  if (namesFile(keyword)) return [stemOf(lower)];
  if (!isIdentifier(keyword)) return [stemOfWord(lower)];
  if (/[^\w$-]/.test(keyword)) return [lower];
  const parts = partsOf(keyword);
  if (parts.length < 2) return [lower];
  return [...new Set([lower, parts.join(''), parts.join('_'), parts.join('-')])];
}

function namesFile(keyword: string): boolean {
  return (
    keyword.includes('/') || (/^[\w-]+(?:\.[\w-]+)+$/.test(keyword) && kindOf(keyword) !== 'data')
  );
}

function startsPart(line: string, at: number): boolean {
  const before = line[at - 1] ?? '';
  const first = line[at] ?? '';
  if (!isLetter(before) || !isCased(first)) return true;
  if (!isUpper(first)) return false;
  return !isUpper(before) || isLower(line[at + 1] ?? '');
}

/** `CI` is no part of `circle`, but `date` begins one in `dates`. */
function endsPart(line: string, end: number): boolean {
  const last = line[end - 1] ?? '';
  const next = line[end] ?? '';
  return !isLower(next) || next === 's' || !isCased(last);
}

function isLetter(char: string): boolean {
  return /^\p{L}$/u.test(char);
}

function isCased(char: string): boolean {
  return char.toLowerCase() !== char.toUpperCase();
}

function isUpper(char: string): boolean {
  return isCased(char) && char === char.toUpperCase();
}

function isLower(char: string): boolean {
  return isCased(char) && char === char.toLowerCase();
}
