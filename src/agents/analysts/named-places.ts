import { isGenerated, kindOf } from '../../context/file-kinds.ts';
import { stopWords } from '../../context/search/stop-words.ts';
import { partsOf } from '../../context/search/terms.ts';
import { type Definition, definitionsIn } from '../../context/symbols.ts';
import { folderOf, isFolderEntry, nameOfPath, stemOf } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import type { RelevantFile } from '../../model/context.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { AnalystInput } from '../agent.ts';
import {
  isNamed,
  isSame,
  saidAs,
  singular,
  type TaskNames,
  type TaskWord,
  namesIn,
} from './task-names.ts';

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
/** Of the best score: what the search found less surely is named by chance. */
const leastShare = 0.5;
/** How far the best source file stands out: times the score of the second best. */
const above = 1.1;
const farAbove = 1.25;

/**
 * The places that a task names, the surest first; empty where it names none. A path or a name in
 * code counts before words that are the name of a file or folder, and these before words that are
 * the name of a definition.
 */
export async function* namedPlaces(work: {
  readonly about: Pick<AnalystInput, 'task' | 'context'>;
  readonly repository: Pick<Repository, 'files' | 'read'>;
}): AsyncGenerator<AgentEvent, readonly NamedPlace[], undefined> {
  const names = namesIn(work.about.task);
  const found = work.about.context.relevant_files;
  const all = await work.repository.files();
  const files = yield* readFiles(
    found.map(({ path }) => path),
    work.repository,
  );
  const search: Search = { names, all, files, found };
  const matches = [
    () => exactMatches(names.exact, search),
    () => wordMatches(search),
    () => exactMatches(names.further, search),
    () => valueMatches(search),
    () => topMatches(search),
  ];
  const best = firstFound(matches);
  const byPath = new Map(best.toReversed().map((match) => [match.path, match]));
  const chosen = best.filter((match) => byPath.get(match.path) === match).slice(0, mostPlaces);
  const unread = chosen.map(({ path }) => path).filter((path) => !files.has(path));
  const read = new Map([...files, ...(yield* readFiles(unread, work.repository))]);
  const places = chosen
    .filter(({ path }) => read.has(path))
    .map((match) => placeOf(match, { ...search, files: read }));
  return places.filter((place) => !isPassage(place, places));
}

function firstFound(finders: readonly (() => readonly Match[])[]): readonly Match[] {
  for (const find of finders) {
    const found = find();
    if (found.length > 0) return found;
  }
  return [];
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
  /** As the task spells it. */
  readonly by: string;
  /** As the repository spells it. */
  readonly name: string;
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

/** By path, or by a name that is spelled as in code; of `click.confirm`, else by `confirm`. */
function exactMatches(names: readonly string[], search: Search): readonly Match[] {
  return names.flatMap((by) => {
    const [, member] = /^[\w$]+(?:\.[\w$]+)*\.([\w$]{3,})$/.exec(by) ?? [];
    const whole = matchesOf({ by, name: by }, search);
    return whole.length > 0 || member === undefined
      ? whole
      : matchesOf({ by, name: member }, search);
  });
}

function matchesOf({ by, name }: Pick<Match, 'by' | 'name'>, search: Search): readonly Match[] {
  const { files } = search;
  const defining = search.found
    .map(({ path }) => path)
    .filter(
      (path) => kindOf(path) !== 'test' && files.get(path)?.some((one) => isNamed(one, name)),
    );
  const paths = isPath(name) || defining.length === 0 ? pathsOf(name, search) : defining;
  return paths.length > mostForOneName ? [] : paths.map((path) => ({ path, by, name }));
}

/** By the name of a value at the top of its file: nothing else is named, so it is meant. */
function valueMatches({ names, files, found }: Search): readonly Match[] {
  return [...names.exact, ...names.further].flatMap((name) => {
    const defining = found.filter(({ path }) =>
      files.get(path)?.some((one) => one.name === name && /^\S/.test(one.text)),
    );
    const isFew = defining.length <= mostForOneName;
    return isFew ? defining.map(({ path }) => ({ path, by: name, name })) : [];
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

/** By words that are the whole name of a file or folder, else of a definition. */
function wordMatches(search: Search): readonly Match[] {
  const { names, files, found } = search;
  const sources = found.map(({ path }) => path).filter((path) => kindOf(path) === 'source');
  const ofFiles = sources.flatMap((path) => {
    const match = longestSaid(namesOf(path), names.words);
    return match !== null && isSure({ path, ...match }, search) ? [{ path, ...match }] : [];
  });
  const defining = sources.flatMap((path) => {
    const telling = definedIn(path, files).filter((name) => {
      const parts = partsOf(name);
      return parts.length > 1 && !parts.some((part) => stopWords.has(part));
    });
    const match = longestSaid(telling, names.words);
    return match === null || ofFiles.some(({ by }) => by === match.by) ? [] : [{ path, ...match }];
  });
  return [...ofFiles, ...defining].toSorted(
    (a, b) => sources.indexOf(a.path) - sources.indexOf(b.path),
  );
}

function longestSaid(
  names: readonly string[],
  words: readonly TaskWord[],
): Omit<Match, 'path'> | null {
  const said = names.flatMap((name) => {
    const by = saidAs(partsOf(name), words);
    return by === null ? [] : [{ name, by }];
  });
  return said.toSorted((a, b) => partsOf(b.name).length - partsOf(a.name).length)[0] ?? null;
}

/** A single word may name a file by chance, unless something else says that it means this one. */
function isSure({ path, name }: Match, search: Search): boolean {
  if (partsOf(name).length > 1) return true;
  if (!called(name, search).includes(path)) return false;
  const { names, files, found } = search;
  const folders = folderOf(path)
    .split('/')
    .filter((folder) => !isSame(folder, name));
  if (folders.some((folder) => saidAs(partsOf(folder), names.words) !== null)) return true;
  const score = found.find((file) => file.path === path)?.score ?? 0;
  const defines = files.get(path)?.some((one) => isSame(one.name, name) && isNamed(one, one.name));
  return (
    path === bestSource(found, above)?.path ||
    (defines === true && score >= leastShare * (found[0]?.score ?? 0))
  );
}

/** By words anywhere in the task that make up a name, in the file that the search found far more surely. */
function topMatches({ names, files, found }: Search): readonly Match[] {
  const first = bestSource(found, farAbove);
  if (first === null) return [];
  const said = names.words.map(({ text }) => text).filter((text) => !stopWords.has(text));
  const words = new Map(said.map((text) => [singular(text), text]));
  const own = [...namesOf(first.path), ...definedIn(first.path, files)];
  const name = own.find((one) => {
    const parts = partsOf(one);
    return parts.length > 1 && parts.every((part) => part.length >= 3 && words.has(singular(part)));
  });
  if (name === undefined) return [];
  const by = partsOf(name).map((part) => words.get(singular(part)) ?? part);
  return [{ path: first.path, by: by.join(' '), name }];
}

/** Null where it does not stand out. */
function bestSource(found: readonly RelevantFile[], times: number): RelevantFile | null {
  const [first, second] = found.filter(({ path }) => kindOf(path) === 'source');
  return first !== undefined && first.score >= times * (second?.score ?? 0) ? first : null;
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

function placeOf({ path, by, name }: Match, { names, files, found }: Search): NamedPlace {
  const definitions = files.get(path) ?? [];
  const [definition = null] = [
    (one: Definition) => one.name === name,
    (one: Definition) => names.exact.some((exact) => isNamed(one, exact)),
    (one: Definition) => isSame(one.name, name),
    (one: Definition) => saidAs(partsOf(one.name), names.words) !== null,
  ].flatMap((holds) => definitions.find(holds) ?? []);
  const start = found.find((file) => file.path === path)?.start ?? 1;
  return { path, by, definition, line: definition?.line ?? start };
}
