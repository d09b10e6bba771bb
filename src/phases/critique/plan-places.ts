// Takes the places out of a plan that somebody else has written: paths, lines, names of the code.
import { kindOf } from '../../context/file-kinds.ts';
import { endingOf } from '../../git/paths.ts';
import { counted, listed } from '../../model/wording.ts';
import { making } from '../planning/new-names.ts';
import { type CitedPath, isCodeForm, namesIn, pathsIn } from '../planning/cited-names.ts';
import { makesFolder, plainWords, readFileWords } from './new-files.ts';

/** Something that a plan names. */
export interface Mention {
  readonly kind: 'file' | 'line' | 'name';
  /** As it is written. */
  readonly text: string;
  /** The path; of a name, the file that is named before it in the same part, or null. */
  readonly path: string | null;
  /** The last line that is meant; null for none. */
  readonly line: number | null;
  /** The word that a file with this name contains; null for a path. */
  readonly word: string | null;
  /** The line of the plan, from 1. */
  readonly at: number;
  /** The plan says that it is made new. */
  readonly isMade: boolean;
  /** Nothing says that it is there already. */
  readonly mayBeMade: boolean;
  /** The plan changes it, so it has to be there. */
  readonly isChanged: boolean;
}

/** Everything that a plan names. */
interface PlanMentions {
  readonly mentions: readonly Mention[];
  /** The folders that it makes. */
  readonly folders: readonly string[];
  /** A sentence on what of it is not checked; null where all is. */
  readonly unchecked: string | null;
}

/** In characters: no plan of a person is longer. */
const longestPlan = 400_000;
const mostMentions = 500;

/** Everything that a plan names, once each, in its order. Code blocks count as proposals, not as places. */
export function mentionsIn(plan: string): PlanMentions {
  const found = new Map<string, Mention | null>();
  const folders = new Set<string>();
  // Those after the last that is checked are only counted.
  const add = (key: string, read: () => Mention) => {
    if (!found.has(key)) found.set(key, found.size < mostMentions ? read() : null);
  };
  let part: string | null = null;
  for (const line of proseIn(plan.slice(0, longestPlan))) {
    if (/^\s*(?:#|$)/.test(line.text)) part = null;
    const written = pathsIn(line.text);
    const words = written.length === 0 ? '' : plainWords(line.text);
    const paths = placesOf(line.text, written);
    for (const one of paths) {
      const kind = one.line === null ? 'file' : 'line';
      add(`${kind} ${one.text}`, () => mentionOf(one, { ...line, words }));
    }
    for (const one of namesOf(line, paths[0]?.path ?? part)) {
      add(`name ${one.text} ${one.path ?? ''}`, () => one);
    }
    for (const { path, at, end } of written.slice(0, mostMentions)) {
      if (path.endsWith('/') && !/[<[{]/.test(line.text[end] ?? '') && makesFolder(words, at))
        folders.add(path.replace(/^\.\//, ''));
    }
    part = paths.at(-1)?.path ?? part;
  }
  return {
    mentions: [...found.values()].filter((one) => one !== null),
    folders: [...folders],
    unchecked: uncheckedText(plan, found.size),
  };
}

function uncheckedText(plan: string, named: number): string | null {
  const rest = named - mostMentions;
  const parts = [
    ...(rest <= 0 ? [] : [`${counted(rest, 'place')} after the first ${mostMentions}`]),
    ...(plan.length <= longestPlan
      ? []
      : [`the text after line ${plan.slice(0, longestPlan).split('\n').length}`]),
  ];
  return parts.length === 0 ? null : `Not checked: ${listed(parts)}.`;
}

/** A line outside of code blocks, without what is struck out. */
interface ProseLine {
  readonly text: string;
  /** From 1. */
  readonly at: number;
  /** The heading, or the line with a colon, that it stands under. */
  readonly heading: string;
}

function proseIn(plan: string): readonly ProseLine[] {
  let isCode = false;
  let heading = '';
  return plan.split('\n').flatMap((written, index) => {
    const isFence = /^\s*(?:```|~~~)/.test(written);
    if (isFence) isCode = !isCode;
    if (isFence || isCode) return [];
    const text = withoutStruck(written);
    const line = { text, at: index + 1, heading };
    if (text.length <= longestHeading && isHeading.test(text)) heading = text;
    return [line];
  });
}

function withoutStruck(line: string): string {
  const parts = line.split('~~');
  return parts.filter((_, at) => at % 2 === 0 || at === parts.length - 1).join(' ');
}

/** In characters. */
const longestHeading = 250;
const isHeading = /^\s*#|^\s*[^-*+\s`|][^`]*[:：]\W*$|^\s*\*\*[^`]*$/;

/** Those that name a file, the ones with a line first. */
function placesOf(line: string, written: readonly CitedPath[]): readonly CitedPath[] {
  const all = written.flatMap((one) => {
    const isLink = line.startsWith('](', one.at - 2);
    const isQuoted = line[one.at - 1] === '`';
    // A link leads from the root or from the folder of the plan: what it ends with is the same.
    const path = one.path.replace(isLink ? /^(?:\.{0,2}\/)+/ : './', '');
    const isMarked = isLink || one.line !== null || (isQuoted && line[one.end] === '`');
    return (isMarked || !isQuoted) && isFilePath(path, isMarked) ? [{ ...one, path }] : [];
  });
  const cited = new Set(all.flatMap(({ line: number, path }) => (number === null ? [] : path)));
  return all
    .filter(({ line: number, path }) => number !== null || !cited.has(path))
    .toSorted((a, b) => Number(a.line === null) - Number(b.line === null));
}

function isFilePath(path: string, isMarked: boolean): boolean {
  if (/^[/~]|\/\/|(?:^|\/)\.{2,}\//.test(path) || isAddress.test(path)) return false;
  const ending = endingOf(path);
  if (ending === '' || /^\d/.test(ending)) return false;
  const isKnown = kindOf(path) !== 'data' || dataEndings.test(ending);
  // \`config.timeout\` is a name, \`config.ts\` a file.
  return isKnown && (isMarked || path.includes('/'));
}

/** One without `https://`. */
const isAddress = /^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co|edu|gov|de|uk|cn|jp)\//;
const dataEndings = /^(?:jsonc?|ya?ml|toml|s?css|html?|xml|cfg|ini|lock|env|sql|txt|csv|svg)$/;

function mentionOf(
  { path, line: number, text, at: start, end }: CitedPath,
  { text: line, at, heading, words }: ProseLine & { readonly words: string },
): Mention {
  const said =
    number === null
      ? readFileWords({ line, words, heading, start, end })
      : { isMade: false, mayBeMade: false, isChanged: true };
  const kind = number === null ? 'file' : 'line';
  return { kind, text, path, line: number, word: null, at, ...said };
}

const unsaid = { mayBeMade: false, isChanged: false };

function namesOf({ text: line, at }: ProseLine, path: string | null): readonly Mention[] {
  return namesIn(line).flatMap(({ name, leaf, isCall, isMarked, before }) => {
    if (!isMarked || (!isCodeForm(name) && !isCall)) return [];
    const isMade = making.test(before);
    return [{ kind: 'name', text: name, path, line: null, word: leaf, at, isMade, ...unsaid }];
  });
}
