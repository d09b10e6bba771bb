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
}

export interface CheckedPlace extends Mention {
  readonly status: PlaceStatus;
  /** A clause on what is wrong, or where it is; empty where nothing is to be said. */
  readonly why: string;
}

/** Checks every place that a plan names. */
export async function checkPlanPlaces(
  plan: string,
  files: WorkFiles,
): Promise<readonly CheckedPlace[]> {
  const mentions = mentionsIn(plan);
  if (mentions.length === 0) return [];
  const words = mentions.flatMap(({ word }) => word ?? []);
  const [paths, found] = await Promise.all([files.list(), files.find([...new Set(words)])]);
  const [known, made] = [knownPaths(paths), madePaths(mentions)];
  return await Promise.all(
    mentions.map(async (one): Promise<CheckedPlace> => {
      const judged =
        one.word === null
          ? await judgePath(one, { known, made, files })
          : judgeName(one, one.word, { known, found });
      return { ...one, ...judged };
    }),
  );
}

interface KnownPaths {
  readonly all: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** The paths by their last name. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

function knownPaths(paths: readonly string[]): KnownPaths {
  const folders = new Set(
    paths.flatMap((path) => {
      const parts = path.split('/').slice(0, -1);
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    }),
  );
  return { all: new Set(paths), folders, byName: Map.groupBy(paths, nameOfPath) };
}

/** A file that is made in one place of the plan is spoken of in others. */
function madePaths(mentions: readonly Mention[]): ReadonlySet<string> {
  return new Set(
    mentions.flatMap(({ isMade, path, word }) =>
      isMade && word === null && path !== null ? path : [],
    ),
  );
}

type Judged = Pick<CheckedPlace, 'status' | 'why'>;
const isThere: Judged = { status: 'there', why: '' };
const isNew: Judged = { status: 'new', why: '' };

interface PathsAround {
  readonly known: KnownPaths;
  readonly made: ReadonlySet<string>;
  readonly files: WorkFiles;
}

async function judgePath(
  { path, line }: Mention,
  { known, made, files }: PathsAround,
): Promise<Judged> {
  if (path === null) return isThere;
  const [meant, ...others] = meantBy(path, known);
  if (meant !== undefined) {
    if (line === null || others.length > 0) return isThere;
    return await judgeLine(line, { path: meant, files });
  }
  if (made.has(path)) return isNew;
  const alike = (known.byName.get(nameOfPath(path)) ?? []).slice(0, 3);
  const hint = alike.length === 0 ? '' : `; there is ${listed(alike)}`;
  if (line !== null || alike.length > 0)
    return { status: 'wrong', why: `there is no such file${hint}` };
  const folder = path.split('/').slice(0, -1).join('/');
  if (folder === '' || known.folders.has(folder)) return isNew;
  return { status: 'wrong', why: `there is neither such a file nor its folder ${folder}` };
}

/** The files that a path means: itself, or those whose last folders it names. */
function meantBy(path: string, { all, folders, byName }: KnownPaths): readonly string[] {
  if (all.has(path) || folders.has(path)) return [path];
  return (byName.get(nameOfPath(path)) ?? []).filter((one) => one.endsWith(`/${path}`));
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
