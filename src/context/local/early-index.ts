import { emptyTree } from '../../git/commit-tree.ts';
import type { MarkedFile } from '../../git/content-mark.ts';
import type { GitPlace } from '../../git/git.ts';
import type { Committed } from '../../git/open-repository.ts';
import { pastIds } from '../../git/past-ids.ts';
import { indexAllCommits, indexCommits, type CommitIndex } from './commit-index.ts';
import { addCommitted, type EarlyFiles, type Reading } from './file-index.ts';
import { indexPlace } from './index-place.ts';
import { openIndex, type OpenIndex } from './open-index.ts';
import type { SegmentStore } from './segment-store.ts';

/**
 * Brings an index up to date with a commit while git still looks which files are changed: what is
 * left to the search are those.
 */
export interface EarlyIndex {
  readonly begin: (committed: Committed) => void;
  /** The files that were read and were as committed; none where nothing was begun, or it failed. */
  found(): Promise<readonly MarkedFile[]>;
  /**
   * What was begun for the root, once; the taker closes it. Null where nothing was. The taker's
   * time is also its time.
   */
  take(root: string, until: Pick<Reading, 'signal' | 'enough'>): Promise<Begun | null>;
  /** Ends what was begun; resolves when nothing of it runs any more. */
  end(): Promise<void>;
}

/** An open index in which the contents and the past of a commit are being added. */
export interface Begun {
  readonly index: OpenIndex;
  readonly commit: string;
  readonly files: Promise<EarlyFiles>;
  readonly commits: Promise<CommitIndex>;
  /** Resolves when neither adds anything any more. */
  readonly settled: Promise<unknown>;
}

/** `folder` has the indexes of all repositories; nothing is done unless it is `allowed`. */
export function earlyIndex(
  start: Pick<Reading, 'signal' | 'onTaken'> & {
    readonly folder: string;
    readonly allowed: Promise<boolean>;
  },
): EarlyIndex {
  const ended = new AbortController();
  const signal = AbortSignal.any([start.signal, ended.signal]);
  const cut = new AbortController();
  const reading = { signal, enough: cut.signal, onTaken: start.onTaken };
  let begun: { readonly root: string; readonly work: Promise<Begun | null> } | null = null;
  let found: Promise<readonly MarkedFile[]> = Promise.resolve([]);
  const taken = async (root: string | undefined): Promise<Begun | null> => {
    if (begun === null || begun.root !== root) return null;
    const { work } = begun;
    begun = null;
    return await work;
  };
  return {
    begin(committed) {
      const work = start.allowed.then((allowed) =>
        allowed ? beginWith(committed, { folder: start.folder, reading }) : null,
      );
      // Whoever takes it is told; where nobody does, there is another way.
      work.catch(() => undefined);
      begun = { root: committed.root, work };
      found = foundBy(work).catch(() => []);
    },
    found: () => found,
    async take(root, until) {
      endWith(until.signal, ended);
      endWith(until.enough, cut);
      return await taken(root);
    },
    async end() {
      ended.abort();
      const left = await taken(begun?.root).catch(() => null);
      await left?.settled;
      left?.index.close();
    },
  };
}

function endWith(signal: AbortSignal, other: AbortController): void {
  signal.addEventListener('abort', () => other.abort(signal.reason), { once: true });
}

async function commitsOf(
  place: GitPlace,
  {
    commit,
    past,
    ...to
  }: Pick<Committed, 'commit' | 'past'> & {
    readonly store: SegmentStore;
    readonly enough: AbortSignal;
  },
): Promise<CommitIndex> {
  // Another search may have begun meanwhile.
  const isEmpty = past === null && to.store.segments.length === 0;
  if (isEmpty) return indexAllCommits(place, { head: commit, ...to });
  return indexCommits(place, { ids: await (past ?? pastIds(place, commit)), ...to });
}

async function foundBy(work: Promise<Begun | null>): Promise<readonly MarkedFile[]> {
  const files = await (await work)?.files;
  return files?.found ?? [];
}

function beginWith(
  { root, commit, files, past }: Committed,
  { folder, reading }: { readonly folder: string; readonly reading: Reading },
): Begun {
  const { signal, enough } = reading;
  const index = openIndex(indexPlace(folder, root));
  const commits = commitsOf({ root, signal }, { commit, past, store: index.commits, enough });
  const contents = files.then((tree) =>
    addCommitted(root, { ...reading, tree: tree ?? emptyTree, store: index.files }),
  );
  return {
    index,
    commit,
    files: contents,
    commits,
    settled: Promise.allSettled([commits, contents]),
  };
}
