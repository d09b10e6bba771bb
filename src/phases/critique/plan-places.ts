// Extracts the places that a plan from outside names, and the things that the plan itself creates.
import {
  type CitedName,
  type CitedPath,
  isCodeForm,
  isFileName,
  namesIn,
  pathsIn,
} from '../../context/cited-places.ts';
import { endingOf } from '../../git/paths.ts';
import { counted, listed } from '../../model/wording.ts';
import {
  type Role,
  isEnglish,
  isSceneOf,
  madeWords,
  plainWords,
  readRoles,
  verbsIn,
} from './place-roles.ts';

/** A place or name that a plan mentions. */
export interface Mention {
  readonly kind: 'file' | 'line' | 'name';
  /** The mention as the plan spells it. */
  readonly text: string;
  /** The path; for a name, the file in which the sentence places it, or null. */
  readonly path: string | null;
  /** The last line that the plan refers to; null without a line. */
  readonly line: number | null;
  /** The word that a file with this name has to contain; null for a path. */
  readonly word: string | null;
  /** The line in the plan, from 1. */
  readonly at: number;
  readonly role: Role;
  /** False if the file of a name may just as well be the place of the call. */
  readonly isSurelyOwn: boolean;
}

/** Everything that a plan names, and what it creates. */
export interface PlanMentions {
  readonly mentions: readonly Mention[];
  readonly made: MadeThings;
  /** True for an English plan; in other languages the words say nothing. */
  readonly isEnglish: boolean;
  /** A sentence about the parts of the plan that are not checked; null if all are. */
  readonly unchecked: string | null;
}

/** The things that a plan introduces anywhere. */
interface MadeThings {
  readonly names: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** Folders, each with a slash at its end. */
  readonly folders: ReadonlySet<string>;
  /** Names of files in a drawn directory tree. */
  readonly drawn: ReadonlySet<string>;
}

/** The longest text that is read, in characters: nobody writes a longer plan. */
const longestPlan = 400_000;
const mostMentions = 500;

/** Reads everything that a plan names, once each, in order. Code blocks count as proposals, not as places. */
export function mentionsIn(plan: string): PlanMentions {
  const found = new Map<string, Mention | null>();
  const made = {
    names: new Set<string>(),
    files: new Set<string>(),
    folders: new Set<string>(),
    drawn: new Set<string>(),
  };
  // Mentions beyond the limit are only counted.
  const add = (key: string, one: Mention) => {
    const known = found.get(key);
    if (known === undefined) found.set(key, found.size < mostMentions ? one : null);
    else if (known !== null && weight[one.role ?? 'none'] > weight[known.role ?? 'none'])
      found.set(key, one);
  };
  const { prose, code } = linesIn(plan.slice(0, longestPlan));
  for (const line of code) readCode(line, made);
  let verbCount = 0;
  for (const line of prose) {
    const { mentions, folders, words, verbs, isTask } = readLine(line);
    verbCount += verbs;
    for (const one of mentions) {
      add(`${one.kind} ${one.text} ${one.word === null ? '' : (one.path ?? '')}`, one);
      if (one.role === 'made' || (isTask && one.word === null && one.role !== 'changed'))
        (one.word === null ? made.files : made.names).add(one.word ?? one.path ?? '');
    }
    for (const word of words) made.names.add(word);
    for (const folder of folders) made.folders.add(folder);
  }
  const text = prose.map((line) => line.text.replaceAll(/`[^`]*`/g, '')).join('\n');
  return {
    mentions: [...found.values()].filter((one) => one !== null),
    made,
    isEnglish: isEnglish(text, verbCount),
    unchecked: uncheckedText(plan, found.size),
  };
}

/** The weight of each role; if a place is mentioned more than once, the mention with the greatest weight counts. */
const weight = { changed: 3, used: 3, cited: 2, made: 1, none: 0 } as const;

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

/** A line outside of code blocks, without its struck-out text. */
interface ProseLine {
  readonly text: string;
  /** The number of the line, from 1. */
  readonly at: number;
  /** The heading, or the line with a colon, that it belongs to. */
  readonly heading: string;
}

function linesIn(plan: string): {
  readonly prose: readonly ProseLine[];
  readonly code: readonly string[];
} {
  const prose: ProseLine[] = [];
  const code: string[] = [];
  // The fences of the blocks that are open: a block may contain others.
  const open: string[] = [];
  let heading = '';
  for (const [index, written] of plan.split('\n').entries()) {
    const [, fence = '', language] = /^\s*(`{3,}(?!.*`)|~{3,})\s*(\S*)/.exec(written) ?? [];
    const last = open.at(-1);
    if (fence !== '' && (language !== '' || last === undefined)) open.push(fence);
    else if (last !== undefined && fence.startsWith(last)) open.pop();
    else if (last !== undefined) code.push(written);
    else {
      const text = withoutStruck(written);
      prose.push({ text, at: index + 1, heading });
      if (text.length <= longestHeading && isHeading.test(text)) heading = text;
    }
  }
  return { prose, code };
}

function withoutStruck(line: string): string {
  const parts = line.split('~~');
  return parts.filter((_, at) => at % 2 === 0 || at === parts.length - 1).join(' ');
}

/** The longest heading, in characters. */
const longestHeading = 250;
const isHeading = /^\s*#|^\s*(?:[-*+]\s+)?[^-*+\s`|][^`]*[:：]\W*$|^\s*\*\*[^`]*$/;

/** Takes the names that a line of code declares, and the files that it draws or creates. */
function readCode(
  line: string,
  made: { names: Set<string>; folders: Set<string>; drawn: Set<string> },
): void {
  const text = line.slice(0, longestCode);
  for (const name of declaredIn(text)) made.names.add(name);
  const isTree = /[├└│]|^\s*\+--/.test(text);
  if (!isTree && !/^\s*(?:\$\s*)?(?:mkdir|touch|git mv|mv|cp|rsync|cat\s*>)/.test(text)) return;
  for (const { path } of pathsIn(text)) {
    if (path.endsWith('/')) made.folders.add(path);
    made.drawn.add(path.split('/').findLast((part) => part !== '') ?? path);
  }
}

/** The part of a code line that is read, in characters. */
const longestCode = 500;

function declaredIn(code: string): readonly string[] {
  const names = [...code.matchAll(declaration)].flatMap(
    ([, keyword, assigned, signed]) => keyword ?? assigned ?? signed ?? [],
  );
  const [, method] =
    isBodyBegun.test(code) && !isStatement.test(code)
      ? (/([A-Za-z_$][\w$]*)\s*(?:<[^>]*>)?\(/.exec(code) ?? [])
      : [];
  return method === undefined ? names : [...names, method];
}

const declaration =
  /\b(?:function\*?|const|let|var|class|def|fn|func|fun|type|interface|struct|enum|trait|val|record|module|protocol|typedef)\s+([A-Za-z_$][\w$]*)|([A-Za-z_$][\w$]*)[?!]?(?:\s{0,3}=(?![=>])|:(?!:))|\b([A-Za-z_$][\w$]*)\([^()`]{1,200}\)\s{0,3}(?::|->|=>)/g;
const isBodyBegun = /(?:\{|:|=>|->)\s*$|\)\s*(?::|->|=>)/;
const isStatement =
  /^\s*(?:if|for|while|switch|return|catch|else|elif|with|try|case|await|throw)\b/;

function readLine({ text, heading, at }: ProseLine) {
  const paths = pathsIn(text)
    .flatMap((one) => fileIn(text, one))
    .slice(0, mostMentions);
  const names = namesIn(text).filter((name) =>
    paths.every((one) => name.end <= one.at || one.end <= name.at),
  );
  const places = [...paths, ...names].toSorted((a, b) => a.at - b.at);
  const inLine = places.map((one) => ({ isPath: 'path' in one, at: one.at, end: one.end }));
  const words = plainWords(text, inLine);
  const said = verbsIn(words);
  // A task of spec-kit begins with its verb, and names files without saying if they exist.
  const [task = ''] = /^\s*[-*]\s+\[[ xX]\]\s+T\d+\b(?:\s*\[[^\]]*\])*\s*/.exec(text) ?? [];
  const verbs = said.filter(({ kind, at: from }) => {
    return task === '' || kind === 'make' || from === task.length;
  });
  const roles = readRoles({ line: text, words, verbs, heading }, inLine);
  const withLine = new Set(paths.flatMap(({ line, path }) => (line === null ? [] : path)));
  const folders: string[] = [];
  const madeNames: string[] = [];
  const mentions = places.flatMap((one, index): Mention | readonly Mention[] => {
    const { role = null, verb = '' } = roles[index] ?? {};
    const common = { at, role, isSurelyOwn: true };
    if ('path' in one) {
      const { path, line, text: cited } = one;
      if (path.endsWith('/')) {
        if (role === 'made') folders.push(path);
        return [];
      }
      // The same line also cites the path with a line number, which says more.
      if (line === null && withLine.has(path)) return [];
      const kind = line === null ? ('file' as const) : ('line' as const);
      return { kind, text: cited, path, line, word: null, ...common };
    }
    if (role === 'made') madeNames.push(one.leaf);
    const owner = ownerOf(index, places, words);
    if (!isTold(one, role, owner !== null)) return [];
    const isUse = verb.startsWith('us');
    const isSurelyOwn =
      !(isUse || /^(?:call|invok)/.test(verb)) ||
      (owner?.by !== undefined && (isUse || owner.by !== 'from'));
    const path = owner?.path ?? null;
    return {
      ...common,
      kind: 'name',
      text: one.name,
      path,
      line: null,
      word: one.leaf,
      isSurelyOwn,
    };
  });
  return {
    mentions: mentions.toSorted((a, b) => order[a.kind] - order[b.kind]),
    folders,
    verbs: said.length,
    isTask: task !== '',
    words: [...madeNames, ...madeWords({ words, verbs }), ...signedIn(text)],
  };
}

const order = { line: 0, file: 1, name: 2 } as const;

/**
 * Says if a word in prose counts as a name: only if the plan says what it does with it, because other words
 * look alike.
 */
function isTold({ name, isCall, isMarked }: CitedName, role: Role, isPlaced: boolean): boolean {
  const isSaid = role === 'used' || role === 'changed' || role === 'made';
  if (isCodeForm(name) || isCall) return isMarked || isSaid || (isCall && name.includes('.'));
  return isMarked && isSaid && (/^[A-Z]\w*[a-z]/.test(name) || (isPlaced && role === 'changed'));
}

/** The names that a line declares between back-ticks: `toTable(rows: Row[]): string`. */
function signedIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]*[ (][^`\n]*)`/g)].flatMap(([, code = '']) =>
    declaredIn(code.slice(0, longestCode)),
  );
}

/** The file in which words place a name, with the word that leads to it: “which”, “that” or “from”. */
interface Owner {
  readonly path: string;
  readonly by?: string | undefined;
}

/**
 * Finds the file in which the words around a name place it: “`X` in src/x.ts”, “src/x.ts’s `X`”, “In src/x.ts,
 * change `X`”, “- src/x.ts: change `X`”.
 */
function ownerOf(
  index: number,
  places: readonly (CitedPath | CitedName)[],
  words: string,
): Owner | null {
  const [former, name, next] = [places[index - 1], places[index], places[index + 1]];
  if (name === undefined) return null;
  const after = next === undefined ? '' : words.slice(name.end, next.at);
  const link = isOwnerNext.exec(after);
  if (next !== undefined && link !== null)
    // Example: “`sort()` of `Table` in src/table.ts”.
    return 'path' in next
      ? { path: next.path, by: link.slice(1).find((word) => word !== undefined) }
      : ownerOf(index + 1, places, words);
  // Example: “Rename `sort()` to `order()` in src/table.ts”.
  if (next !== undefined && !('path' in next) && /^…?(?:\(\))?\s+to\s+…?$/.test(after))
    return ownerOf(index + 1, places, words);
  if (former === undefined || !('path' in former)) return null;
  const between = words.slice(former.end, name.at);
  const isOwner =
    /^…?['’]s\s+…?$/.test(between) ||
    (isSceneOf(words, former.at) && /^[^.;!?]{0,60}$/.test(between)) ||
    (isItemBegun.test(words.slice(0, former.at)) &&
      /^[…"'*)\]]*\s*[:—–-]\s[^.;!?]{0,60}$/.test(between));
  return isOwner ? former : null;
}

const isOwnerNext =
  /^…?(?:\(\))?\s*(?:[a-z]+\s+)?(?:\(|(?:\(\s*)?(?:,?\s*(which|that)\s+)?(?:(?:is|are|already|defined|declared|found|lives?)\s+)*(?:in|(from)|of|inside|at)\s+|,\s*(which)\s+)(?:the\s+)?(?:file\s+|module\s+)?[\s`"'([…]*$/i;
/** Matches “- ” and “1. **Modify:** ” before the first place of a line. */
const isItemBegun = /^\W*(?:\d+[.)]\W*)?(?:\w+:\W*)?$/;

/** The file or folder that a path in a line names; empty for an address, or for what only looks like a path. */
function fileIn(line: string, one: CitedPath): readonly CitedPath[] {
  const isLink = line.startsWith('](', one.at - 2);
  const isQuoted = line[one.at - 1] === '`';
  // A link is relative to the root or to the plan’s folder; the end of its path is the same for both.
  const path = one.path.replace(isLink ? /^(?:\.{0,2}\/)+/ : /^\.\//, '');
  if (path.endsWith('/')) return /[<[{]/.test(line[one.end] ?? '') ? [] : [{ ...one, path }];
  const isMarked = isLink || one.line !== null || (isQuoted && line[one.end] === '`');
  if ((!isMarked && isQuoted) || !isFilePath(path, isMarked)) return [];
  if (one.line !== null) return [{ ...one, path }];
  const said =
    lineAfter.exec(line.slice(one.end, one.end + 60)) ??
    lineBefore.exec(line.slice(Math.max(0, one.at - 60), one.at));
  const [, first, last = first] = said ?? [];
  if (last === undefined) return [{ ...one, path }];
  return [{ ...one, path, line: Number(last), text: `${one.text}:${last}` }];
}

/** Matches “`src/x.ts` (lines 3-5)” after the path, and “line 3 of `src/x.ts`” before it. */
const lineAfter =
  /^[`*\])]*[\s,(]*(?:(?:at|on|in)\s+)?(?:lines?\s+|L)(\d{1,6})(?:\s*[-–]\s*L?(\d{1,6}))?\b(?!\s*[-–]\s*L?\d|\s+(?:of|in)\b)/i;
const lineBefore = /\blines?\s+(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?\s+(?:of|in)\s+[`"'(*[]*$/i;

function isFilePath(path: string, isMarked: boolean): boolean {
  // “+Actions.swift” is short for a file whose name ends so.
  if (/^[/~]|^\+[^/]*$|\/\/|(?:^|\/)\.{2,}\//.test(path) || isAddress.test(path)) return false;
  const [name = '', ...folders] = path.split('/').toReversed();
  // `plan.md/tasks.md` names two files.
  if (
    folders.some(
      (folder) => /\w\.\w+$/.test(folder) && isFileName(folder) && !isFolderName.test(folder),
    )
  )
    return false;
  const ending = endingOf(name);
  // `config.timeout` is a name, `config.ts` a file.
  return (
    ending !== '' && !/^\d/.test(ending) && isFileName(path) && (isMarked || path.includes('/'))
  );
}

/** Matches folders that are named like files: `MyApp.cs`, `next.js`. */
const isFolderName = /^[A-Z][\w]*\.[A-Z]|\.js$/;

/** Matches a web address without `https://`. */
const isAddress = /^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co|edu|gov|de|uk|cn|jp)\//;
