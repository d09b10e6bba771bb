// Takes the places out of a plan that somebody else has written: paths, lines, names of the code.
import { kindOf } from '../../context/file-kinds.ts';
import { endingOf } from '../../git/paths.ts';
import { counted, listed } from '../../model/wording.ts';
import { making } from '../planning/new-names.ts';
import { namesIn, placesIn, isCodeForm } from '../planning/plan-words.ts';
import { foldersMadeIn, isChangedFile, isMadeFile, isTaskFile } from './made-files.ts';

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
  const found = new Map<string, Mention>();
  const lines = proseIn(plan.slice(0, longestPlan));
  let part: string | null = null;
  for (const line of lines) {
    if (/^\s*(?:#|$)/.test(line.text)) part = null;
    const paths = pathsOf(line);
    for (const one of [...paths, ...namesOf(line, paths[0]?.path ?? part)]) {
      const key = `${one.kind} ${one.text} ${one.kind === 'name' ? (one.path ?? '') : ''}`;
      if (!found.has(key)) found.set(key, one);
    }
    part = paths.at(-1)?.path ?? part;
  }
  return {
    mentions: [...found.values()].slice(0, mostMentions),
    folders: lines.flatMap(({ text }) => foldersMadeIn(text)),
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

/** A line outside of code blocks. */
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
  return plan.split('\n').flatMap((text, index) => {
    const isFence = /^\s*(?:```|~~~)/.test(text);
    if (isFence) isCode = !isCode;
    if (isFence || isCode) return [];
    const line = { text, at: index + 1, heading };
    if (/^\s*#|^\s*[^-*+\s`|][^`]*[:：]\W*$|^\s*\*\*[^`]*$/.test(text)) heading = text;
    return [line];
  });
}

function pathsOf({ text: line, at, heading }: ProseLine): readonly Mention[] {
  const cited = placesIn(line).map(({ path, line: number, text }): Mention => ({
    kind: 'line',
    text,
    path: tidy(path),
    line: number,
    word: null,
    at,
    isMade: false,
    mayBeMade: false,
    isChanged: true,
  }));
  const known = new Set(cited.map(({ path }) => path));
  const files = [...line.matchAll(pathPattern)].flatMap((match): readonly Mention[] => {
    const [, marked, bare = ''] = match;
    const text = marked ?? bare;
    const path = tidy(text);
    if (known.has(path) || !isFilePath(path, marked !== undefined)) return [];
    const [before, after] = [line.slice(0, match.index), line.slice(match.index + match[0].length)];
    const isMade = isMadeFile({ before, after, heading });
    const mayBeMade = isTaskFile(line, before);
    const isChanged = isChangedFile({ before, heading });
    const said = { isMade, mayBeMade, isChanged };
    return [{ kind: 'file', text, path, line: null, word: null, at, ...said }];
  });
  return [...cited, ...files];
}

const segment = String.raw`[\w@.+~()[\]-]+`;
/** A path between back-ticks, or a bare one with a folder. */
const pathPattern = new RegExp(
  `\`((?:\\.{0,2}/)?(?:${segment}/)*${segment})\`|(?<![\\w/:.@\`-])((?:${segment}/)+[\\w@.+-]+\\.[A-Za-z]\\w{0,9})(?![\\w/:(])`,
  'g',
);

function isFilePath(path: string, isMarked: boolean): boolean {
  if (path.startsWith('/') || path.startsWith('..') || path.includes('//')) return false;
  const ending = endingOf(path);
  if (ending === '' || /^\d/.test(ending)) return false;
  const isKnown = kindOf(path) !== 'data' || dataEndings.test(ending);
  // \`config.timeout\` is a name, \`config.ts\` a file.
  return isKnown && (isMarked || path.includes('/'));
}

const dataEndings = /^(?:jsonc?|ya?ml|toml|s?css|html?|xml|cfg|ini|lock|env|sql|txt|csv|svg)$/;

function tidy(path: string): string {
  return path.replace(/^\.\//, '');
}

const unsaid = { mayBeMade: false, isChanged: false };

function namesOf({ text: line, at }: ProseLine, path: string | null): readonly Mention[] {
  return namesIn(line).flatMap(({ name, leaf, isCall, isMarked, before }) => {
    if (!isMarked || (!isCodeForm(name) && !isCall)) return [];
    const isMade = making.test(before);
    return [{ kind: 'name', text: name, path, line: null, word: leaf, at, isMade, ...unsaid }];
  });
}
