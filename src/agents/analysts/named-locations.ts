// Finds the files, folders and definitions that a task names, and says when a word counts as a name.
import { isGenerated, kindOf } from '../../context/file-kinds.ts';
import { stopWords } from '../../context/search/stop-words.ts';
import { partsOf } from '../../context/search/terms.ts';
import { type Definition, definitionsIn } from '../../context/symbols.ts';
import { folderOf, isFolderEntry, joinPath, nameOfPath, stemOf } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import type { RelevantFile } from '../../model/context.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { AnalystInput } from '../agent.ts';
import { isNamed, isSame, findWords, type TaskNames, namesIn } from './task-names.ts';

/** A file that the task names, or that defines what the task names. */
export interface NamedLocation {
  readonly path: string;
  /** The line to begin at, counted from 1. */
  readonly line: number;
  /** The words of the task that name it. */
  readonly by: string;
  /** The definition that the task names there; null if it names the file. */
  readonly definition: Definition | null;
}

/** The most places that a name may match; with more, it names none of them. */
const mostForOneName = 3;
const mostPlaces = 5;

/**
 * The places that a task names, the most certain first; empty if it names none. A path or a code
 * name precedes words that name a file or folder, and these precede words that name a definition.
 */
export async function* findNamedLocations({
  about,
  repository,
}: {
  readonly about: Pick<AnalystInput, 'task' | 'context'>;
  readonly repository: Pick<Repository, 'files' | 'read'>;
}): AsyncGenerator<AgentEvent, readonly NamedLocation[], undefined> {
  const names = namesIn(about.task);
  const found = about.context.relevant_files;
  const all = await repository.files();
  const files = new Map<string, readonly Definition[]>();
  const { standing = '' } = about.context;
  const search: Search = { names, all, files, found, standing };

  async function* read(paths: readonly string[]): AsyncGenerator<AgentEvent> {
    for (const path of paths.filter((one) => !files.has(one))) {
      const content = await repository.read(path);
      if (content === null) continue;
      yield { kind: 'file-read', path };
      files.set(path, definitionsIn(path, content));
    }
  }

  yield* read(found.map(({ path }) => path));
  const matches = [
    exactMatches(names.exact, search),
    wordMatches(search),
    exactMatches(names.further, search),
  ].find((some) => some.length > 0);
  const byPath = new Map(matches?.toReversed().map((match) => [match.path, match]));
  const chosen = [...byPath.values()].toReversed().slice(0, mostPlaces);
  yield* read(chosen.map(({ path }) => path));
  const places = chosen
    .filter(({ path }) => files.has(path))
    .map((match) => placeOf(match, search));
  return places.filter((place) => !isPassage(place, places));
}

interface Search {
  readonly names: TaskNames;
  readonly all: readonly string[];
  /** The definitions of each file that was read. */
  readonly files: ReadonlyMap<string, readonly Definition[]>;
  /** The found files, best first. */
  readonly found: readonly RelevantFile[];
  /** The user’s current folder. */
  readonly standing: string;
}

interface Match {
  readonly path: string;
  /** The name as the task spells it. */
  readonly by: string;
  /** The name as the repository spells it. */
  readonly name: string;
}

/** True for the entry of a folder that only re-exports what another of its files defines. */
function isPassage({ path, definition }: NamedLocation, places: readonly NamedLocation[]): boolean {
  return (
    definition === null &&
    isFolderEntry(path) &&
    places.some((other) => other.definition !== null && folderOf(other.path) === folderOf(path))
  );
}

/** Matches by path, or by a name spelled as in code; for `click.confirm` also by `confirm`. */
function exactMatches(names: readonly string[], search: Search): readonly Match[] {
  return names.flatMap((by) => {
    const [, member] = /^[\w$]+(?:\.[\w$]+)*\.([\w$]{3,})$/.exec(by) ?? [];
    const tries = [by, ...(member === undefined ? [] : [member])];
    const matches = tries.map((name) =>
      placesOf(name, search).map((path): Match => ({ path, by, name })),
    );
    return matches.find((some) => some.length > 0) ?? [];
  });
}

function placesOf(name: string, search: Search): readonly string[] {
  const { all, files, found, standing } = search;
  const isPath = /[/.]/.test(name);
  const sources = found.map(({ path }) => path).filter((path) => kindOf(path) !== 'test');
  const defining = sources.filter((path) => files.get(path)?.some((one) => isNamed(one, name)));
  const fromHere = joinPath(standing, name);
  const same = all.includes(fromHere)
    ? [fromHere]
    : all.filter((path) => path === name || path.endsWith(`/${name}`));
  const within = all.filter((path) => path.startsWith(`${name}/`) || path.includes(`/${name}/`));
  const tries = isPath
    ? [same, filesInFolder(within, search), defining]
    : // Names in capitals alone may mean many things.
      [defining, /\p{Ll}/u.test(name) ? filesNamed(name, search) : []];
  const paths = tries.find((some) => some.length > 0) ?? [];
  return paths.length > mostForOneName ? [] : paths;
}

/** Matches words that are the whole name of a found file or folder, or else of a definition. */
function wordMatches(search: Search): readonly Match[] {
  const { names, files, found } = search;
  const sources = found.map(({ path }) => path).filter((path) => kindOf(path) === 'source');
  const longestSaid = (path: string, all: readonly string[]): readonly Match[] => {
    const said = all.flatMap((name) => {
      const by = findWords(partsOf(name), names.words);
      return by === null ? [] : [{ path, name, by }];
    });
    return said.toSorted((a, b) => partsOf(b.name).length - partsOf(a.name).length).slice(0, 1);
  };
  const ofFiles = sources
    .flatMap((path) => longestSaid(path, namesOf(path)))
    .filter((match) => isSure(match, search));
  const saidOfFiles = new Set(ofFiles.map(({ by }) => by));
  const ofDefinitions = sources
    .flatMap((path) => longestSaid(path, (files.get(path) ?? []).map(nameIn).filter(isTelling)))
    .filter(({ by }) => !saidOfFiles.has(by));
  return [...ofFiles, ...ofDefinitions].toSorted(
    (a, b) => sources.indexOf(a.path) - sources.indexOf(b.path),
  );
}

function nameIn({ name }: Definition): string {
  return name;
}

function isTelling(name: string): boolean {
  const parts = partsOf(name);
  return parts.length > 1 && !parts.some((part) => stopWords.has(part));
}

/**
 * True if a single word names a file reliably: found first, defining it too, or in a folder that is
 * named as well.
 */
function isSure({ path, name }: Match, search: Search): boolean {
  if (partsOf(name).length > 1) return true;
  if (!filesNamed(name, search).includes(path)) return false;
  const { names, files, found } = search;
  const folders = folderOf(path).split('/');
  const isFirst = found.find((file) => kindOf(file.path) === 'source')?.path === path;
  const defines = files.get(path)?.some((one) => isSame(one.name, name) && isNamed(one, one.name));
  return (
    isFirst ||
    defines === true ||
    folders.some(
      (folder) => !isSame(folder, name) && findWords(partsOf(folder), names.words) !== null,
    )
  );
}

/** The name of a file, and that of its folder. */
function namesOf(path: string): readonly string[] {
  const folder = nameOfPath(folderOf(path));
  return isFolderEntry(path) ? [folder] : [stemOf(path), folder];
}

/** The files with a name, or else the entries of folders with it, or else what is in one. */
function filesNamed(name: string, search: Search): readonly string[] {
  const pool = search.all.filter(
    (path) =>
      !isGenerated(path) &&
      kindOf(path) !== 'test' &&
      namesOf(path).some((own) => isSame(own, name)),
  );
  const sources = pool.filter((path) => kindOf(path) === 'source');
  const paths = sources.length > 0 ? sources : pool;
  const own = paths.filter((path) => isFolderEntry(path) || isSame(stemOf(path), name));
  if (own.length > 0) return own;
  return new Set(paths.map(folderOf)).size > 1 ? [] : filesInFolder(paths, search);
}

/** The entry file of a folder, or else the files that the search found in it, or else all of its files. */
function filesInFolder(paths: readonly string[], { found }: Search): readonly string[] {
  const entries = paths.filter(isFolderEntry);
  if (entries.length === 1) return entries;
  const own = found.map(({ path }) => path).filter((path) => paths.includes(path));
  return own.length > 0 ? own.slice(0, mostForOneName) : paths;
}

function placeOf({ path, by, name }: Match, { names, files, found }: Search): NamedLocation {
  const definitions = files.get(path) ?? [];
  const definition =
    memberOf(by, definitions) ??
    definitions.find((one) => one.name === name) ??
    definitions.find((one) => names.exact.some((exact) => isNamed(one, exact))) ??
    definitions.find((one) => isSame(one.name, name)) ??
    definitions.find((one) => findWords(partsOf(one.name), names.words) !== null) ??
    null;
  const start = found.find((file) => file.path === path)?.start ?? 1;
  return { path, by, definition, line: definition?.line ?? start };
}

/**
 * Finds the member of `Option.parse`: the `parse` that follows `Option`, since other classes may
 * have one, too.
 */
function memberOf(by: string, definitions: readonly Definition[]): Definition | undefined {
  const [member, owner] = by.split('.').toReversed();
  const start = definitions.find(({ name }) => name === owner)?.line ?? Infinity;
  return definitions.find(({ name, line }) => name === member && line > start);
}
