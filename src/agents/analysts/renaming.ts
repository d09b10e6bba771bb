import { eachLimited } from '../../git/each-limited.ts';
import { kindOf } from '../../context/file-kinds.ts';
import type { Repository } from '../../git/repository.ts';
import { isRunTest } from '../../context/run-tests.ts';
import type { AgentRequest } from '../agent.ts';
import { readable } from './importers.ts';
import { homeIn, isCalled, userOf, type Place } from './name-places.ts';
import { oldNameIn, type OldName } from './old-name.ts';

/** Where a name stands that a task changes. */
export interface Renaming {
  readonly old: OldName;
  /** Files that define it, or have it as their own name. */
  readonly homes: readonly Place[];
  /** Where the task moves it to, if that is one file that is there. */
  readonly into: readonly Place[];
  /** Other sources that use it. */
  readonly users: readonly Place[];
  /** Tests that use it. */
  readonly tests: readonly string[];
  /** Paths of sources that use it as well and are too many to plan. */
  readonly further: readonly string[];
}

/** A name that more files define is not one thing. */
const mostHomes = 3;
const mostUsers = 12;

/** Where the name stands that a task changes; null for a task that changes none. */
export async function renamingIn(
  { task, context }: AgentRequest['about'],
  source: { readonly repository: Pick<Repository, 'files' | 'read'>; readonly signal: AbortSignal },
): Promise<Renaming | null> {
  const old = oldNameIn(task);
  const found = context.relevant_files.map(({ path }) => path);
  return old === null ? null : await renamingOf(old, { ...source, found });
}

/** Looks for a name in the sources; null where nothing, or too much, has it. */
async function renamingOf(
  old: OldName,
  source: {
    readonly repository: Pick<Repository, 'files' | 'read'>;
    readonly found: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Renaming | null> {
  const { repository, found, signal } = source;
  const all = await repository.files();
  const named = all.filter((path) => kindOf(path) === 'source' && isCalled(path, old.name));
  const near = [...named, ...found.filter((path) => kindOf(path) === 'source')];
  const paths = [...new Set([...near, ...readable(all, near, ['source', 'test'])])];
  const texts = await eachLimited(paths, async (path) => {
    signal.throwIfAborted();
    return { path, content: (await repository.read(path)) ?? '' };
  });
  const sources = texts.filter(({ path }) => kindOf(path) === 'source');
  const homes = sources.flatMap((text) => homeIn(text, old.name) ?? []);
  if (homes.length === 0 || homes.length > mostHomes) return null;
  const own = new Set(homes.map(({ path }) => path));
  const useIn = userOf(old, { homes, known: new Set(all) });
  const users = texts.filter(({ path }) => !own.has(path)).flatMap((text) => useIn(text) ?? []);
  const ordered = users
    .filter(({ path }) => kindOf(path) === 'source')
    .toSorted((a, b) => Number(b.imports) - Number(a.imports));
  const into = old.isMove ? sources.filter(({ path }) => isCalled(path, old.to)) : [];
  return {
    old,
    homes,
    into:
      into.length === 1
        ? into.filter(({ path }) => !own.has(path)).map(({ path }) => ({ path, start: 1 }))
        : [],
    users: ordered
      .filter(({ path }) => !into.some((place) => place.path === path))
      .slice(0, mostUsers),
    tests: users
      .map(({ path }) => path)
      .filter(isRunTest)
      .slice(0, mostUsers),
    further: ordered.slice(mostUsers).map(({ path }) => path),
  };
}
