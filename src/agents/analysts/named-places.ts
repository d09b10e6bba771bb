import { isGenerated, kindOf } from '../../context/file-kinds.ts';
import { stemOfWord } from '../../context/search/stem.ts';
import { stopWords } from '../../context/search/stop-words.ts';
import { partsOf } from '../../context/search/terms.ts';
import { type Definition, definitionsIn } from '../../context/symbols.ts';
import { folderOf, isFolderEntry, nameOfPath, stemOf } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import type { RelevantFile } from '../../model/context.ts';
import type { AgentEvent } from '../../model/event.ts';
import { type TaskNames, type TaskWord, namesIn } from './task-names.ts';

/** A file that the task names, or that defines what the task names. */
export interface NamedPlace {
  readonly path: string;
  /** Where to begin. From 1. */
  readonly line: number;
  /** What of the task names it. */
  readonly by: string;
  /** What stands at that line, where the task names it. */
  readonly definition: Definition | null;
}

/** More places than this for one name, and it names none of them. */
const mostForOneName = 3;
const mostPlaces = 5;
/** Of the best file's score: a word that names a file which the search found less surely is chance. */
const leastShare = 0.4;
/** Times the score of the second best source file. */
const farAbove = 1.25;

/**
 * The places that a task names, the surest first; empty where it names none. A path or a name in
 * code counts before words that are the name of a file or folder, and these before words that are
 * the name of a definition.
 */
export async function* namedPlaces(work: {
  readonly task: string;
  readonly found: readonly RelevantFile[];
  readonly repository: Pick<Repository, 'files' | 'read'>;
}): AsyncGenerator<AgentEvent, readonly NamedPlace[], undefined> {
  const names = namesIn(work.task);
  const all = await work.repository.files();
  const files = yield* readFiles(
    work.found.map(({ path }) => path),
    work.repository,
  );
  const search: Search = { names, all, files, found: work.found };
  const matches = [exactMatches, wordMatches, topMatches].map((match) => match(search));
  const best = matches.find((some) => some.length > 0) ?? [];
  const byPath = new Map(best.toReversed().map((match) => [match.path, match]));
  const chosen = best.filter((match) => byPath.get(match.path) === match).slice(0, mostPlaces);
  const unread = chosen.map(({ path }) => path).filter((path) => !files.has(path));
  const read = new Map([...files, ...(yield* readFiles(unread, work.repository))]);
  const places = chosen
    .filter(({ path }) => read.has(path))
    .map((match) => placeOf(match, { ...search, files: read }));
  return places.filter((place) => !isPassage(place, places));
}

/** The definitions of each text file that could be read, by path. */
type Files = ReadonlyMap<string, readonly Definition[]>;

interface Search {
  readonly names: TaskNames;
  readonly all: readonly string[];
  /** Those that were found, as far as they were read. */
  readonly files: Files;
  /** Best first. */
  readonly found: readonly RelevantFile[];
}

interface Match {
  readonly path: string;
  readonly by: string;
}

async function* readFiles(
  paths: readonly string[],
  repository: Pick<Repository, 'read'>,
): AsyncGenerator<AgentEvent, Files, undefined> {
  const files = new Map<string, readonly Definition[]>();
  for (const path of paths) {
    const content = await repository.read(path);
    if (content === null) continue;
    yield { kind: 'file-read', path };
    files.set(path, definitionsIn(path, content));
  }
  return files;
}

/** The entry of a folder only hands on what another file of it defines. */
function isPassage({ path, definition }: NamedPlace, places: readonly NamedPlace[]): boolean {
  return (
    definition === null &&
    isFolderEntry(path) &&
    places.some((other) => other.definition !== null && folderOf(other.path) === folderOf(path))
  );
}

/** By path, or by a name that is spelled as in code. */
function exactMatches(search: Search): readonly Match[] {
  const { names, files } = search;
  return names.exact.flatMap((name) => {
    const defining = search.found
      .map(({ path }) => path)
      .filter(
        (path) => kindOf(path) !== 'test' && files.get(path)?.some((one) => isNamed(one, name)),
      );
    const paths = isPath(name) || defining.length === 0 ? pathsOf(name, search) : defining;
    return paths.length > mostForOneName ? [] : paths.map((path) => ({ path, by: name }));
  });
}

function isPath(name: string): boolean {
  return /[/.]/.test(name);
}

function pathsOf(name: string, search: Search): readonly string[] {
  const { all } = search;
  const same = all.filter((path) => path === name || path.endsWith(`/${name}`));
  if (same.length > 0 && isPath(name)) return same;
  if (name.includes('/')) {
    const within = all.filter((path) => path.startsWith(`${name}/`) || path.includes(`/${name}/`));
    return inFolder(within, search);
  }
  // Letters that are all large stand for many things.
  return /\p{Ll}/u.test(name) ? called(name, search) : [];
}

/** By words that are the whole name of a file, of its folder or of a definition. */
function wordMatches(search: Search): readonly Match[] {
  const { names, files, found } = search;
  const sources = found.filter(({ path }) => kindOf(path) === 'source');
  return sources.flatMap(({ path }) => {
    const telling = definedIn(path, files).filter(
      (name) => !partsOf(name).some((part) => stopWords.has(part)),
    );
    const said = [...namesOf(path), ...telling].filter((name) =>
      isSaid(partsOf(name), names.words),
    );
    const by =
      said.find((name) => partsOf(name).length > 1) ??
      namesOf(path).find((name) => said.includes(name));
    if (by === undefined) return [];
    const isSure =
      partsOf(by).length > 1 ||
      (called(by, search).includes(path) && isConfirmed({ path, by }, search));
    return isSure ? [{ path, by }] : [];
  });
}

/** A single word may name a file by chance, unless something else says that it means this one. */
function isConfirmed({ path, by }: Match, { names, files, found }: Search): boolean {
  const best = found.find((file) => kindOf(file.path) === 'source');
  const score = found.find((file) => file.path === path)?.score ?? 0;
  if (score < leastShare * (found[0]?.score ?? 0)) return false;
  const folders = folderOf(path)
    .split('/')
    .filter((folder) => !isSame(folder, by));
  return (
    path === best?.path ||
    files.get(path)?.some((one) => isSame(one.name, by) && isNamed(one, one.name)) === true ||
    folders.some((folder) => isSaid(partsOf(folder), names.words))
  );
}

/** By words anywhere in the task, in the source file that the search found far more surely. */
function topMatches({ names, files, found }: Search): readonly Match[] {
  const [first, second] = found.filter(({ path }) => kindOf(path) === 'source');
  if (first === undefined || first.score < farAbove * (second?.score ?? 0)) return [];
  const said = new Set(
    names.words
      .map(({ text }) => text)
      .filter((text) => !stopWords.has(text))
      .map(singular),
  );
  const defined = definedIn(first.path, files).filter((name) => partsOf(name).length > 1);
  const by = [...namesOf(first.path), ...defined].find((name) =>
    partsOf(name).every((part) => part.length >= 3 && said.has(singular(part))),
  );
  return by === undefined ? [] : [{ path: first.path, by }];
}

function definedIn(path: string, files: Files): readonly string[] {
  return (files.get(path) ?? []).map(({ name }) => name);
}

/** The name of a file, and that of its folder. */
function namesOf(path: string): readonly string[] {
  const folder = nameOfPath(folderOf(path));
  return isFolderEntry(path) ? [folder] : [stemOf(path), folder];
}

/** The files that have a name, or those of a folder that has it; empty where too many do. */
function called(name: string, search: Search): readonly string[] {
  const isCalled = (own: string) => isSame(own, name);
  const pool = search.all.filter((path) => !isGenerated(path) && namesOf(path).some(isCalled));
  const sources = pool.filter((path) => kindOf(path) === 'source');
  const paths = sources.length > 0 ? sources : pool.filter((path) => kindOf(path) !== 'test');
  const own = paths.filter((path) => isCalled(stemOf(path)));
  const folders = new Set(own.map(folderOf));
  const entries = paths.filter((path) => isFolderEntry(path) && !folders.has(folderOf(path)));
  const files = [...own, ...entries];
  if (files.length > 0) return files;
  return new Set(paths.map(folderOf)).size > 1 ? [] : inFolder(paths, search);
}

/** What stands for a folder, else what the search found in it, else all of it where that is little. */
function inFolder(paths: readonly string[], { found }: Search): readonly string[] {
  const entries = paths.filter(isFolderEntry);
  if (entries.length === 1) return entries;
  const own = found.filter(({ path }) => paths.includes(path));
  const best = own
    .filter(({ score }) => score >= leastShare * (own[0]?.score ?? 0))
    .map(({ path }) => path);
  return best.length > 0
    ? best.slice(0, mostForOneName)
    : paths.length > mostForOneName
      ? []
      : paths;
}

/** Whether the words stand one after the other in the task; one alone must be able to name. */
function isSaid(parts: readonly string[], words: readonly TaskWord[]): boolean {
  if (parts.length === 0) return false;
  if (parts.length === 1)
    return words.some(({ text, isName }) => isName && singular(text) === singular(parts[0] ?? ''));
  return words.some((_, at) =>
    parts.every((part, index) => {
      const word = words[at + index];
      const isJoined = index === parts.length - 1 || word?.joinsNext === true;
      return word !== undefined && isJoined && stemOfWord(word.text) === stemOfWord(part);
    }),
  );
}

function isSame(a: string, b: string): boolean {
  return partsOf(a).map(singular).join(' ') === partsOf(b).map(singular).join(' ');
}

function singular(word: string): string {
  return word.replace(/(?<=...)s$/, '');
}

/** A value, as an option is, may have the name of what is to be added elsewhere. */
function isNamed({ name, text }: Definition, wanted: string): boolean {
  if (name !== wanted && !wanted.endsWith(`.${name}`)) return false;
  const at = text.indexOf(name);
  const [before, after] = [text.slice(0, at), text.slice(at + name.length)];
  return (
    /^[A-Z]/.test(name) ||
    /\b(?:def|fn|fun|func|function)\s+(?:self\.)?$/.test(before) ||
    /^\s*(?:[(<]|[:=]\s*(?:async\s*)?(?:function\b|\(\s*$|.*=>))/.test(after)
  );
}

function placeOf({ path, by }: Match, { names, files, found }: Search): NamedPlace {
  const definitions = files.get(path) ?? [];
  const exact = (one: Definition) => names.exact.some((name) => isNamed(one, name));
  const said = (one: Definition) => isSaid(partsOf(one.name), names.words);
  const [definition = null] = [
    (one: Definition) => one.name === by,
    exact,
    (one: Definition) => isSame(one.name, by),
    said,
  ].flatMap((holds) => definitions.find(holds) ?? []);
  const start = found.find((file) => file.path === path)?.start ?? 1;
  return { path, by, definition, line: definition?.line ?? start };
}
