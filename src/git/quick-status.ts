import { join } from 'node:path';
import { isSystemError } from '../store/system-error.ts';
import type { GitFolders } from './git-folders.ts';
import { workTreeStatus, type WorkTreeStatus } from './git-status.ts';
import type { GitPlace } from './git.ts';
import type { RacyEntry } from './racy-entries.ts';
import { copyIndex, readIndex, type IndexCopy, type ReadIndex } from './index-copy.ts';

/** What spares git the contents of many files. */
export interface Sparing {
  /** Absolute. A copy of git’s index is there while git is asked. */
  readonly scratch: string;
  /** Those that the disk may not have as they are marked; null where git is the one to ask. */
  differing(files: readonly RacyEntry[]): Promise<readonly RacyEntry[] | null>;
}

interface Asked {
  readonly folders: GitFolders;
  readonly sparing: Sparing;
  readonly index: ReadIndex | null;
}

/** As many paths as a command line has room for. */
const mostNamed = 100;

/**
 * What `workTreeStatus` answers, in less time, or null where git has to be asked as ever. After a
 * checkout git compares each file by its content, slowly, and every time, as its index must not be
 * written. So it gets a copy that counts as younger, and the contents are looked at beside it. A
 * file that is byte for byte what the index has is clean, as it is for git with a younger index.
 */
export async function quickStatus(place: GitPlace, asked: Asked): Promise<WorkTreeStatus | null> {
  const { folders, sparing, index } = asked;
  const copy =
    index === null ? null : copyIndex(index, { prefix: folders.prefix, folder: sparing.scratch });
  if (copy === null) return null;
  try {
    const status = await statusBy(copy, place, asked);
    return copy.isCurrent() ? status : null;
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  } finally {
    copy.remove();
  }
}

/**
 * The index of nearly every repository with this root, read before it is known whether it is one
 * and what ids it has: git takes longer to say so.
 */
export function indexAhead(root: string): ReadIndex | null {
  return readIndex(join(root, '.git/index'), 20);
}

/** Git’s index of a work tree, unless it was read ahead; null where there is none of use. */
export function indexOf(folders: GitFolders, ahead: ReadIndex | null = null): ReadIndex | null {
  if (folders.head === null) return null;
  const file = join(folders.own, 'index');
  const idBytes = folders.head.length / 2;
  const isSame = ahead?.file === file && ahead.idBytes === idBytes;
  return isSame ? ahead : readIndex(file, idBytes);
}

async function statusBy(
  copy: IndexCopy,
  place: GitPlace,
  { folders, sparing }: Asked,
): Promise<WorkTreeStatus | null> {
  const { prefix } = folders;
  const below = copy.racy.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
  const [status, differing] = await Promise.all([
    workTreeStatus({ ...place, indexFile: copy.file }, { prefix }),
    sparing.differing(below.filter(({ link }) => !link)),
  ]);
  if (!status.ok || differing === null) return null;
  const { commit, entries } = status.value;
  const known = new Set(entries.map(({ path }) => path));
  const doubtful = [...differing, ...below.filter(({ link }) => link)]
    .map(({ path }) => path)
    .filter((path) => !known.has(path));
  if (doubtful.length === 0) return status.value;
  if (doubtful.length > mostNamed) return null;
  const rest = await workTreeStatus(place, { prefix, only: doubtful });
  if (!rest.ok || rest.value.commit !== commit) return null;
  const others = rest.value.entries.filter(({ path }) => !known.has(path));
  return { commit, entries: [...entries, ...others] };
}
