// Finds the files and definitions that a task names, as paths, as names of the code or in plain words.
import { identifiersOf } from '../../context/cited-places.ts';
import { isGenerated, kindOf } from '../../context/file-kinds.ts';
import { indexPaths, type PathIndex } from '../../context/file-tree.ts';
import { stopWords } from '../../context/search/stop-words.ts';
import { partsOf, stemOfWord, wordsIn } from '../../context/search/terms.ts';
import { type Definition, definitionsIn } from '../../context/symbols.ts';
import { folderOf, isFolderEntry, joinPath, nameOfPath, stemOf } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { AnalystInput } from '../agent.ts';

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

/** The most files that a name may match; with more, it names none of them. */
const mostForOneName = 3;
const mostLocations = 5;
const longestTask = 50_000;
/** The part of a task whose prose counts, in characters: a pasted log may name half of the repository. */
const longestHead = 300;

/**
 * The places that a task names, the most certain first; empty if it names none. Paths and code names of its
 * first paragraph precede its words, and these precede the code names of the rest.
 */
export async function* findNamedLocations({
  about: { task, context },
  repository,
}: {
  readonly about: Pick<AnalystInput, 'task' | 'context'>;
  readonly repository: Pick<Repository, 'files' | 'read'>;
}): AsyncGenerator<AgentEvent, readonly NamedLocation[], undefined> {
  const { relevant_files: relevant, standing = '' } = context;
  const found = relevant.map(({ path }) => path);
  const all = await repository.files();
  const files = new Map<string, readonly Definition[]>();
  async function* read(paths: readonly string[]): AsyncGenerator<AgentEvent> {
    for (const path of paths.filter((one) => !files.has(one))) {
      const content = await repository.read(path);
      if (content === null) continue;
      yield { type: 'file_read', path };
      files.set(path, definitionsIn(path, content));
    }
  }

  yield* read(found);
  const { head, rest } = partsOfTask(task);
  const search: Search = { index: indexPaths(all), all, files, found, standing };
  const names = codeNames(head);
  const matches = [
    names.flatMap((name) => filesMeant(name, search).map((path) => ({ path, by: name }))),
    saidFiles(head, search),
    codeNames(rest).flatMap((name) => filesMeant(name, search).map((path) => ({ path, by: name }))),
  ].find((some) => some.length > 0);
  const byPath = new Map(matches?.toReversed().map(({ path, by }) => [path, by]));
  const chosen = [...byPath].toReversed().slice(0, mostLocations);
  yield* read(chosen.map(([path]) => path));
  const locations = chosen.flatMap(([path, by]): readonly NamedLocation[] => {
    const definitions = files.get(path);
    if (definitions === undefined) return [];
    const start = relevant.find((file) => file.path === path)?.start ?? 1;
    const definition = definitionNamed([by, ...names], definitions);
    return [{ path, by, definition, line: definition?.line ?? start }];
  });
  // An entry that defines nothing of the name only passes on what another file of its folder defines.
  const defining = new Set(
    locations.flatMap(({ path, definition }) => (definition === null ? [] : folderOf(path))),
  );
  return locations.filter(
    ({ path, definition }) =>
      definition !== null || !isFolderEntry(path) || !defining.has(folderOf(path)),
  );
}

/** The words of a task that may be names, in lower case. */
export function nameWords(task: string): readonly string[] {
  const { head } = partsOfTask(task);
  return wordsIn(head.toLowerCase()).filter((word) => word.length > 2 && !stopWords.has(word));
}

function partsOfTask(task: string): { readonly head: string; readonly rest: string } {
  const text = task.slice(0, longestTask).replace(/\bhttps?:\/\/\S+/g, ' ');
  const [head = ''] = text.trim().split(/\n\s*\n/, 1);
  const rest = text.trim().slice(head.length);
  return { head, rest: rest.replace(/```[^]*?(?:```|$)/g, ' ') };
}

function codeNames(text: string): readonly string[] {
  const { names } = identifiersOf(text);
  return [...new Set(names.map((name) => name.replace(/^@/, '').replace(/\/+$/, '')))];
}

interface Search {
  readonly index: PathIndex;
  readonly all: readonly string[];
  /** The definitions of each file that was read. */
  readonly files: ReadonlyMap<string, readonly Definition[]>;
  /** The found files, best first. */
  readonly found: readonly string[];
  /** The user’s current folder. */
  readonly standing: string;
}

/** Finds the files that a path or a code name means: the file itself, the one in this folder, or what defines it. */
function filesMeant(name: string, search: Search): readonly string[] {
  const { index, all, files, found, standing } = search;
  const defining = found.filter(
    (path) => kindOf(path) !== 'test' && files.get(path)?.some((one) => isDefined(one, name)),
  );
  const here = joinPath(standing, name);
  const tries = /[/.]/.test(name)
    ? [
        index.hasFile(here) ? [here] : index.meant(name).filter((path) => index.hasFile(path)),
        filesInFolder(name, search),
        defining,
      ]
    : // A name in capitals alone may mean many things.
      [defining, /\p{Ll}/u.test(name) ? all.filter((path) => isFileOf(path, name)) : []];
  const paths = tries.find((some) => some.length > 0) ?? [];
  return paths.length > mostForOneName ? [] : paths;
}

/** The entry file of a folder, or else the found files in it, or else all of its files. */
function filesInFolder(name: string, { all, found }: Search): readonly string[] {
  const paths = all.filter((path) => `/${path}`.includes(`/${name}/`));
  const entries = paths.filter(isFolderEntry);
  const own = found.filter((path) => paths.includes(path));
  if (entries.length === 1) return entries;
  return own.length > 0 ? own.slice(0, mostForOneName) : paths;
}

/** True for the source file of a name; the entry of a folder has the name of the folder. */
function isFileOf(path: string, name: string): boolean {
  return !isGenerated(path) && kindOf(path) === 'source' && isSame(fileName(path), name);
}

function fileName(path: string): string {
  return isFolderEntry(path) ? nameOfPath(folderOf(path)) : stemOf(path);
}

/** Finds the sources whose name, or the name of a definition in them, is among the words of a text. */
function saidFiles(text: string, { files, found }: Search) {
  const head = text.slice(0, longestHead);
  const sources = found.filter((path) => kindOf(path) === 'source');
  const isSure = (path: string) =>
    partsOf(fileName(path)).length > 1 ||
    files.get(path)?.some((one) => isSame(one.name, fileName(path)) && isDefined(one, one.name)) ||
    folderOf(path)
      .split('/')
      .some((folder) => !isSame(folder, fileName(path)) && saidAs(folder, head) !== null);
  const byFile = sources.flatMap((path) => {
    const by = saidAs(fileName(path), head);
    return by !== null && isSure(path) ? [{ path, by }] : [];
  });
  const bySaid = new Set(byFile.map(({ by }) => by));
  const byDefinition = sources.flatMap((path) => {
    const tellings = (files.get(path) ?? []).map(({ name }) => name).filter(isTelling);
    const by = tellings.map((name) => saidAs(name, head)).find((one) => one !== null);
    return by === undefined || bySaid.has(by) ? [] : [{ path, by }];
  });
  return [...byFile, ...byDefinition].toSorted(
    (a, b) => sources.indexOf(a.path) - sources.indexOf(b.path),
  );
}

function isTelling(name: string): boolean {
  const parts = partsOf(name);
  return parts.length > 1 && !parts.some((part) => stopWords.has(part));
}

/** The signs that may not stand before and after a word, because it would be part of a longer name. */
const inName = String.raw`\p{sc=Latin}\p{N}_$\-.\/\\@#%&=+~`;

/** Finds a name as words of a text, e.g. “request ids” for `requestId`; null if it is not there. */
function saidAs(name: string, text: string): string | null {
  const parts = partsOf(name);
  const [only = ''] = parts;
  const isOne = parts.length === 1;
  if (parts.length === 0 || (isOne && (only.length < 3 || stopWords.has(only)))) return null;
  const words = isOne
    ? `${singular(only)}s?`
    : parts.map((part) => `${stemOfWord(part).replace(/i$/, '[iy]')}\\p{L}*`).join('[ -]');
  // The first word of a sentence says what to do, unless a colon makes it the subject.
  const isLatin = /^[\p{sc=Latin}\P{L}]*$/u.test(text);
  const said = isOne && isLatin ? text.replace(/^\p{L}+(?![\p{L}:])/u, '') : text;
  const [found] =
    new RegExp(`(?<![${inName}])${words}(?![${inName}](?<!\\.)|\\.\\S)`, 'iu').exec(said) ?? [];
  return found?.toLowerCase() ?? null;
}

/** True for two spellings of a name: `date parser` is `DateParser` and `date-parsers`. */
function isSame(a: string, b: string): boolean {
  return partsOf(a).map(singular).join(' ') === partsOf(b).map(singular).join(' ');
}

/** The singular of a word, roughly, but the same way on both sides. */
function singular(word: string): string {
  return word.replace(/(?<=...)s$/, '');
}

/** True if it is a function or stands at the top of its file: an option may have the name of what is to be added elsewhere. */
function isDefined({ name, text }: Definition, wanted: string): boolean {
  if (name !== wanted && !wanted.endsWith(`.${name}`)) return false;
  return /^\S/.test(text) || /^[^:=]*\(/.test(text.slice(text.indexOf(name)));
}

/** Finds the definition of the first name that a file defines; of `Circle.area` the one that follows `Circle`. */
function definitionNamed(
  names: readonly string[],
  definitions: readonly Definition[],
): Definition | null {
  const found = names.map((name) => {
    const [leaf = name, owner] = name.split('.').toReversed();
    const from = definitions.find((one) => one.name === owner)?.line ?? 0;
    return definitions.find((one) => isSame(one.name, leaf) && one.line > from);
  });
  return found.find((one) => one !== undefined) ?? null;
}
