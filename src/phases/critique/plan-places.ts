// Takes the places out of a plan that somebody else has written: paths, lines, names of the code.
import { kindOf } from '../../context/file-kinds.ts';
import { endingOf } from '../../git/paths.ts';
import { making } from '../planning/new-names.ts';
import { namesIn, placesIn, isCodeForm } from '../planning/plan-words.ts';

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
}

/** In characters: no plan of a person is longer. */
const longestPlan = 400_000;
const mostMentions = 500;

/** Everything that a plan names, once each, in its order. Code blocks count as proposals, not as places. */
export function mentionsIn(plan: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  let isCode = false;
  let part: string | null = null;
  for (const [index, line] of plan.slice(0, longestPlan).split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || /^\s*(?:```|~~~)/.test(line)) continue;
    if (/^\s*(?:#|$)/.test(line)) part = null;
    const at = index + 1;
    const paths = pathsOf(line, at);
    for (const one of [...paths, ...namesOf(line, { at, path: paths[0]?.path ?? part })]) {
      const key = `${one.kind} ${one.text} ${one.kind === 'name' ? (one.path ?? '') : ''}`;
      if (!found.has(key) && found.size < mostMentions) found.set(key, one);
    }
    part = paths.at(-1)?.path ?? part;
  }
  return [...found.values()];
}

function pathsOf(line: string, at: number): readonly Mention[] {
  const cited = placesIn(line).map(({ path, line: number, text }): Mention => ({
    kind: 'line',
    text,
    path: tidy(path),
    line: number,
    word: null,
    at,
    isMade: false,
  }));
  const known = new Set(cited.map(({ path }) => path));
  const files = [...line.matchAll(pathPattern)].flatMap((match): readonly Mention[] => {
    const [, marked, bare = ''] = match;
    const text = marked ?? bare;
    const path = tidy(text);
    if (known.has(path) || !isFilePath(path, marked !== undefined)) return [];
    const isMade = isMadeIn(line.slice(0, match.index));
    return [{ kind: 'file', text, path, line: null, word: null, at, isMade }];
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

/** The verb that stands last before a path says what becomes of it. */
function isMadeIn(before: string): boolean {
  const verbs = [...before.matchAll(verb)];
  return verbs.at(-1)?.[1] !== undefined;
}

const verb =
  /\b(creat\w*|add(?:s|ed|ing)?|new|introduc\w*|writ(?:e|es|ing)|generat\w*|neu\w*|anleg\w*|erstell\w*)\b|\b(?:modif\w*|chang\w*|updat\w*|edit\w*|extend\w*|refactor\w*|delet\w*|remov\w*|fix\w*|see|read\w*|in|from|like|as in|änder\w*|lösch\w*)\b|(新增|添加|新建|创建)|(?:修改|更新|删除)/gi;

function tidy(path: string): string {
  return path.replace(/^\.\//, '');
}

function namesOf(
  line: string,
  { at, path }: { readonly at: number; readonly path: string | null },
): readonly Mention[] {
  return namesIn(line).flatMap(({ name, leaf, isCall, isMarked, before }) => {
    if (!isMarked || (!isCodeForm(name) && !isCall)) return [];
    const isMade = making.test(before);
    return [{ kind: 'name', text: name, path, line: null, word: leaf, at, isMade }];
  });
}
