// Checks what a plan names against the files as they are now, without any model.
import { kindOf } from '../../context/file-kinds.ts';
import { indexPaths, linesOf } from '../../context/file-tree.ts';
import { folderOf, nameOfPath } from '../../git/paths.ts';
import type { NamedPlace, PlaceStatus } from '../../model/critique.ts';
import { counted, listed } from '../../model/wording.ts';
import { type OwnerFiles, importsOwnOnly, isGiven, ownerOfName, ownerText } from './name-owners.ts';
import { type Mention, type PlanMentions, mentionsIn } from './plan-places.ts';

/** The files as they are now. */
export interface WorkFiles {
  readonly list: () => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<string | null>;
  /** Finds the files that contain each word; null if that cannot be determined. */
  readonly find: (
    words: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly string[]> | null>;
  /** Picks the paths that git ignores. */
  readonly ignored: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
}

interface CheckedPlace extends Mention {
  readonly status: PlaceStatus;
  /** A clause about what is wrong or where the place is; empty if there is nothing to say. */
  readonly why: string;
}

/** The places of a plan, with a sentence about the parts that were not checked. */
export interface CheckedPlan<Place = CheckedPlace> {
  readonly places: readonly Place[];
  /** Null if the whole plan was checked. */
  readonly unchecked: string | null;
}

/** Checks the places that a plan names. */
export async function checkPlanPlaces(plan: string, files: WorkFiles): Promise<CheckedPlan> {
  const named = mentionsIn(plan);
  const { mentions } = named;
  if (mentions.length === 0) return { places: [], unchecked: named.unchecked };
  const words = [...new Set(mentions.flatMap(({ word }) => word ?? []))];
  const [paths, holders] = await Promise.all([files.list(), files.find(words)]);
  const index = indexPaths(paths);
  const unknown = mentions.flatMap(({ word, path }) =>
    word === null && path !== null && index.meant(path).length === 0 ? path : [],
  );
  const [ignored, modules] =
    unknown.length === 0
      ? [new Set<string>(), null]
      : await Promise.all([files.ignored(unknown), files.read('.gitmodules')]);
  const submodules = [...(modules ?? '').matchAll(/^\s*path\s*=\s*(\S+)/gm)].map(
    ([, path]) => `${path}/`,
  );
  const around: Around = {
    ...files,
    plan,
    named,
    paths,
    index,
    holders: holders ?? new Map(),
    unkept: ignored,
    submodules,
  };
  const isSearched = holders !== null;
  const places = await Promise.all(
    mentions
      .filter(({ word }) => word === null || isSearched)
      .map(async (one): Promise<CheckedPlace> => {
        const judged =
          one.word === null ? await judgePath(one, around) : await judgeName(one, one.word, around);
        return { ...one, ...judged };
      }),
  );
  const unsearched =
    isSearched || words.length === 0
      ? []
      : [`Not checked: ${counted(words.length, 'name')}, as nothing could be searched.`];
  const unchecked = [...(named.unchecked === null ? [] : [named.unchecked]), ...unsearched].join(
    ' ',
  );
  return { places, unchecked: unchecked === '' ? null : unchecked };
}

/** Counts the places that were looked for and not found, as a sentence; null if all were found. */
export function notFoundText(
  places: readonly Pick<NamedPlace, 'kind' | 'status'>[],
): string | null {
  const open = places.filter(({ status }) => status === 'not-found');
  const names = open.filter(({ kind }) => kind === 'name').length;
  const parts = [
    ...(names === 0 ? [] : [counted(names, 'name')]),
    ...(names === open.length ? [] : [counted(open.length - names, 'file')]),
  ];
  return parts.length === 0
    ? null
    : `${listed(parts)} ${open.length === 1 ? 'was' : 'were'} not found.`;
}

interface Around extends WorkFiles, OwnerFiles {
  readonly plan: string;
  readonly named: PlanMentions;
  /** The files that contain each name. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** The paths that git ignores. */
  readonly unkept: ReadonlySet<string>;
  /** Folders of submodules, each with a slash at its end. */
  readonly submodules: readonly string[];
}

type Judged = Pick<CheckedPlace, 'status' | 'why'>;
const isThere: Judged = { status: 'there', why: '' };
const isNew: Judged = { status: 'new', why: '' };

async function judgePath(
  { path, line, role }: Mention,
  { index, named: { made, isEnglish }, read, unkept, submodules }: Around,
): Promise<Judged> {
  if (path === null) return isThere;
  const [meant, ...others] = index.meant(path);
  if (meant !== undefined)
    return line === null || others.length > 0 ? isThere : await judgeLine(line, await read(meant));
  const isBelow = (folder: string) => path.startsWith(folder) || path.includes(`/${folder}`);
  const isMade = [...made.files].some(
    (one) => one === path || one.endsWith(`/${path}`) || path.endsWith(`/${one}`),
  );
  const alike = index.alike(path);
  // What a folder that is there already gets was there before, elsewhere.
  const isFolderMade = (folder: string) =>
    isBelow(folder) && (alike.length > 0 || index.meant(folder.slice(0, -1)).length === 0);
  if (isMade || made.drawn.has(nameOfPath(path)) || [...made.folders].some(isFolderMade))
    return isNew;
  if ((await read(path)) !== null) return isThere;
  // The build creates the file.
  if (unkept.has(path)) return { status: 'new', why: 'git ignores it' };
  if (submodules.some(isBelow)) return { status: 'not-found', why: 'it lies in a submodule' };
  const hint = alike.length === 0 ? '' : `there is ${listed(alike.slice(0, 3))}`;
  // The path may be that of a package.
  if (path.startsWith('@')) return { status: 'not-found', why: hint };
  if (line !== null || role === 'changed') {
    const why = ['there is no such file', hint].filter((part) => part !== '').join('; ');
    return { status: 'wrong', why };
  }
  const folder = folderOf(path);
  const isFolder =
    folder === '' ||
    index.hasFolder(folder) ||
    [...made.files].some((one) => one.startsWith(`${folder}/`));
  return role === 'cited' && isEnglish && !isFolder
    ? { status: 'wrong', why: `there is neither such a file nor its folder ${folder}` }
    : { status: 'not-found', why: hint };
}

async function judgeLine(line: number, text: string | null): Promise<Judged> {
  const lines = text === null ? Infinity : linesOf(text);
  if (line <= lines + 1 && line > 0) return isThere;
  return { status: 'wrong', why: `that file ends with line ${lines}` };
}

async function judgeName(one: Mention, word: string, around: Around): Promise<Judged> {
  const { index, holders, named } = around;
  const { path, role } = one;
  const all = holders.get(word) ?? [];
  // A document may mention things that do not exist, and the plan itself may be among the files.
  const code = all.filter((file) => kindOf(file) !== 'doc');
  const isMade = role === 'made' || named.made.names.has(word);
  if (code.length === 0) return isMade ? isNew : await judgeAbsent(one, word, around);
  const [file] = path === null ? [] : index.meant(path);
  if (isMade || file === undefined || !index.hasFile(file) || code.includes(file)) return isThere;
  const more = code.length > 3 ? ` and ${code.length - 3} more` : '';
  return {
    status: 'elsewhere',
    why: `it is not in ${file}, but in ${listed(code.slice(0, 3))}${more}`,
  };
}

/** Judges a name that no code contains: it is wrong if the plan expects it in a file or class of the project. */
async function judgeAbsent(one: Mention, word: string, around: Around): Promise<Judged> {
  const isRelied = one.role === 'used' || one.role === 'changed';
  const where = isRelied ? await ownerOf(one, around) : null;
  const unfound: Judged = { status: 'not-found', why: 'no file contains it' };
  if (where === null) return unfound;
  const spoken = await documentOn(word, around);
  return spoken === null
    ? { status: 'wrong', why: `${where} has no ${word}, and no file contains it` }
    : { ...unfound, why: `only ${spoken} speaks of it` };
}

/** The file or class that would have to define a name. */
async function ownerOf(
  { text, path, isSurelyOwn }: Mention,
  around: Around,
): Promise<string | null> {
  const { index } = around;
  const whole = await ownerOfName(text, around);
  if (whole !== null) return ownerText(text, whole);
  const [file, second] = path === null ? [] : index.meant(path);
  if (file === undefined || second !== undefined || !index.hasFile(file) || isGiven(text))
    return null;
  const isCode = kindOf(file) === 'source' || kindOf(file) === 'test';
  // The owner of a member such as `options.verbose` does not have to be in any file.
  if (!isCode || /\W/.test(text.replace(/^(?:this|self)\./, ''))) return null;
  return isSurelyOwn || (await importsOwnOnly(file, around)) ? file : null;
}

/** A document that contains the name and is not the plan itself. */
async function documentOn(word: string, { holders, read, plan }: Around): Promise<string | null> {
  for (const path of (holders.get(word) ?? []).slice(0, 5)) {
    const text = await read(path);
    if (text !== null && !text.includes(plan.trim())) return path;
  }
  return null;
}
