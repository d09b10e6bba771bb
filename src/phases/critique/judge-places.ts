// Checks what a plan names against the files as they are now, without any model.
import { kindOf } from '../../context/file-kinds.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { PlaceStatus } from '../../model/critique.ts';
import { listed } from '../../model/wording.ts';
import { type Mention, mentionsIn } from './plan-places.ts';

/** The files as they are now. */
export interface WorkFiles {
  list(): Promise<readonly string[]>;
  read(path: string): Promise<string | null>;
  /** The files that contain each word; null where that cannot be told. */
  find(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]> | null>;
  /** Those of some paths that git ignores. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

interface CheckedPlace extends Mention {
  readonly status: PlaceStatus;
  /** A clause on what is wrong, or where it is; empty where nothing is to be said. */
  readonly why: string;
}

/** The places of a plan, with a sentence on what of it was not checked. */
export interface CheckedPlan<Place = CheckedPlace> {
  readonly places: readonly Place[];
  /** Null where all of it was checked. */
  readonly unchecked: string | null;
}

/** Checks the places that a plan names. */
export async function checkPlanPlaces(plan: string, files: WorkFiles): Promise<CheckedPlan> {
  const { mentions, folders, unchecked } = mentionsIn(plan);
  if (mentions.length === 0) return { places: [], unchecked };
  const words = mentions.flatMap(({ word }) => word ?? []);
  const [paths, found] = await Promise.all([files.list(), files.find([...new Set(words)])]);
  const [known, made] = [knownPaths(paths), madePaths(mentions, folders)];
  const named = mentions.flatMap(({ word, path }) => (word === null && path !== null ? path : []));
  const unknown = named.filter((path) => meantBy(path, known).length === 0);
  const ignored = await files.ignored(unknown);
  const places = await Promise.all(
    mentions.map(async (one): Promise<CheckedPlace> => {
      const judged =
        one.word === null
          ? await judgePath(one, { known, made, ignored, files })
          : judgeName(one, one.word, { known, found });
      return { ...one, ...judged };
    }),
  );
  return { places, unchecked };
}

interface KnownPaths {
  readonly all: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** The paths by their last name. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

function knownPaths(paths: readonly string[]): KnownPaths {
  const folders = new Set(paths.flatMap(foldersAbove));
  return { all: new Set(paths), folders, byName: Map.groupBy(paths, nameOfPath) };
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** Files and folders that the plan makes: a file that is made in one place of it is spoken of in others. */
interface MadePaths {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

function madePaths(mentions: readonly Mention[], folders: readonly string[]): MadePaths {
  const named = mentions.flatMap(({ isMade, mayBeMade, path, word }) =>
    word === null && path !== null && (isMade || mayBeMade) ? [{ path, isMade }] : [],
  );
  const all = [...named.map(({ path }) => path), ...folders];
  return {
    files: new Set(named.flatMap(({ path, isMade }) => (isMade ? path : []))),
    folders: new Set(all.flatMap(foldersAbove)),
  };
}

type Judged = Pick<CheckedPlace, 'status' | 'why'>;
const isThere: Judged = { status: 'there', why: '' };
const isNew: Judged = { status: 'new', why: '' };

interface PathsAround {
  readonly known: KnownPaths;
  readonly made: MadePaths;
  readonly ignored: ReadonlySet<string>;
  readonly files: WorkFiles;
}

async function judgePath(
  { path, line, mayBeMade, isChanged }: Mention,
  { known, made, ignored, files }: PathsAround,
): Promise<Judged> {
  if (path === null) return isThere;
  const [meant, ...others] = meantBy(path, known);
  if (meant !== undefined) {
    if (line === null || others.length > 0) return isThere;
    return await judgeLine(line, { path: meant, files });
  }
  if (made.files.has(path)) return isNew;
  if ((await files.read(path)) !== null) return isThere;
  // Whoever builds the project makes it.
  if (ignored.has(path)) return { status: 'new', why: 'git ignores it' };
  const alike = known.byName.get(nameOfPath(path)) ?? [];
  const hint = alike.length === 0 ? '' : `there is ${listed(alike.slice(0, 3))}`;
  if (mayBeMade) return { status: 'new', why: hint };
  // A name that several files have, such as index.ts, says little.
  if (isChanged || alike.length === 1) {
    const why = ['there is no such file', hint].filter((part) => part !== '').join('; ');
    return { status: 'wrong', why };
  }
  const folder = path.split('/').slice(0, -1).join('/');
  if (folder === '' || known.folders.has(folder) || made.folders.has(folder)) return isNew;
  return { status: 'wrong', why: `there is neither such a file nor its folder ${folder}` };
}

/** The files that a path means: itself, or those whose last folders it names; in a diff it begins with a/ or b/. */
function meantBy(path: string, known: KnownPaths): readonly string[] {
  const { all, folders, byName } = known;
  if (all.has(path) || folders.has(path)) return [path];
  const alike = byName.get(nameOfPath(path)) ?? [];
  const meant = alike.filter((one) => one.endsWith(`/${path}`));
  return meant.length === 0 && /^[ab]\//.test(path) ? meantBy(path.slice(2), known) : meant;
}

async function judgeLine(
  line: number,
  { path, files }: { readonly path: string; readonly files: WorkFiles },
): Promise<Judged> {
  const text = await files.read(path);
  if (text === null) return isThere;
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (line <= lines + 1 && line > 0) return isThere;
  return { status: 'wrong', why: `that file ends with line ${lines}` };
}

function judgeName(
  { path, isMade }: Mention,
  word: string,
  {
    known,
    found,
  }: {
    readonly known: KnownPaths;
    readonly found: ReadonlyMap<string, readonly string[]> | null;
  },
): Judged {
  if (found === null) return isThere;
  // A document may speak of what is not there, and the plan itself may lie here.
  const holders = (found.get(word) ?? []).filter((file) => kindOf(file) !== 'doc');
  if (holders.length === 0) return { status: 'new', why: isMade ? '' : 'no file contains it' };
  const [file] = path === null ? [] : meantBy(path, known);
  if (isMade || file === undefined || !known.all.has(file) || holders.includes(file))
    return isThere;
  const more = holders.length > 3 ? ` and ${holders.length - 3} more` : '';
  return {
    status: 'elsewhere',
    why: `it is not in ${file}, but in ${listed(holders.slice(0, 3))}${more}`,
  };
}
