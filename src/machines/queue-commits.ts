// Carries commits between an owner and the workers of the queue: in rows of the database, or by a git remote.
import { git, type GitTarget } from '../git/git.ts';
import { oneLine } from '../model/wording.ts';
import type { Work } from './protocol.ts';
import type { Queue } from './queue.ts';
import { Undone } from './run-facts.ts';
import { bundlePieces, piecesIn, remoteVariables, type Snapshot } from './travelling-commits.ts';
import type { WorkerPlaces } from './worker-places.ts';

type Place = Pick<Work, 'repository' | 'commit'>;

/** Carries commits from an owner to whichever worker takes the order, and work back. */
interface Carrier {
  send(snapshot: Snapshot): Promise<void>;
  /** Brings a commit that is not in the places of a worker there. */
  bring(place: Place, places: WorkerPlaces): Promise<void>;
  /** Sends the work of an attempt; returns its ref, or null where it went in rows. */
  sendWork(order: Work, commit: string, places: WorkerPlaces): Promise<string | null>;
  /** Removes what was sent; a bundle in rows stays for a day, as the next run may build on its commits. */
  forget(): Promise<void>;
}

/** The pieces of a bundle in rows, up to the first that is missing; git knows if they are whole. */
export async function* readPieces(queue: Queue, id: string): AsyncGenerator<Buffer> {
  for (let at = 0; ; at += 1) {
    const piece = await queue.kept(`${id}/${at}`);
    if (piece === null) return;
    yield piece;
  }
}

const idIn = ({ repository, commit }: Place) => `${repository}-${commit}`;

/** Carries them in rows of the database: each bundle in pieces, with a row that names the commit it builds on. */
export function byRows(queue: Queue, mostBytes: number): Carrier {
  /** The newest commit of each repository that this owner has sent. */
  const newest = new Map<string, string>();

  async function keepPieces(id: string, pieces: AsyncIterable<Buffer>): Promise<void> {
    let at = 0;
    for await (const piece of pieces) await queue.keep(`${id}/${at++}`, piece);
  }

  return {
    async send(snapshot) {
      if ((await queue.kept(idIn(snapshot))) !== null) return;
      const { repository, commit } = snapshot;
      const last = newest.get(repository) ?? '';
      const bounds = { tips: [last], mostBytes: Math.min(mostBytes, 100_000_000) };
      await keepPieces(idIn(snapshot), bundlePieces(snapshot, bounds));
      await queue.keep(idIn(snapshot), last);
      newest.set(repository, commit);
    },
    async bring(place, places) {
      const { repository } = place;
      const commit = String((await queue.kept(idIn(place))) ?? '');
      if (commit !== '' && !(await places.tips(repository)).includes(commit))
        await this.bring({ repository, commit }, places);
      for await (const data of readPieces(queue, idIn(place)))
        await places.append({ ...place, data });
      await places.take(place);
    },
    async sendWork({ attempt }, _, places) {
      await keepPieces(attempt, piecesIn(places.bundle(attempt)));
      return null;
    },
    forget: async () => undefined,
  };
}

/** The time after which what a killed owner left on a remote is removed, in ms. */
const leftMs = 48 * 3_600_000;

/** The longest time for removing from a remote what is no longer needed, in ms. */
const mostForgetMs = 20_000;

/** Carries them by a git remote, under refs of one owner that begin with `refs/conclave/` and the day. */
export function byRemote(remote: string, refs: string): Carrier {
  let store: GitTarget | null = null;
  const push = async (from: GitTarget, ...words: readonly string[]) =>
    await reach(from, ['push', '--quiet', '--force', remote, ...words], remote);
  return {
    async send(snapshot) {
      ({ store } = snapshot);
      await push(store, `${snapshot.commit}:${refs}/${snapshot.commit}`);
    },
    bring: (place, places) => places.take(place, { from: remote, ref: `${refs}/${place.commit}` }),
    async sendWork({ repository, attempt }, commit, places) {
      const ref = `${refs}/${attempt}`;
      await push(await places.cache(repository), `${commit}:${ref}`);
      return ref;
    },
    async forget() {
      if (store === null) return;
      const own = { ...store, signal: AbortSignal.timeout(mostForgetMs) };
      const there = await reach(own, ['ls-remote', remote, 'refs/conclave/*'], remote);
      const gone = [...there.matchAll(/\trefs\/conclave\/([^/\n]+)\/.+/g)].filter(
        ([line, day = '']) =>
          line.startsWith(`\t${refs}/`) || Date.now() - Date.parse(day) > leftMs,
      );
      if (gone.length > 0) await push(own, ...gone.map(([line]) => `:${line.trim()}`));
    },
  };
}

/** Runs a git command that reaches a remote. Throws `Undone`, with a sentence that never holds its address. */
async function reach({ variables, signal }: GitTarget, words: readonly string[], remote: string) {
  // The folder of a task may be gone by then.
  const root = variables?.['GIT_DIR'] ?? '/';
  const own = { ...variables, ...remoteVariables, GIT_WORK_TREE: undefined };
  const said = await git({ root, signal, variables: own }, words);
  if (said.ok) return said.stdout.toString();
  const why = oneLine(said.reason)
    .replaceAll(remote, '…')
    .replaceAll(/\/\/[^/@\s]*@/g, '//…@');
  throw new Undone(`the git remote of the queue cannot be used: ${why}`);
}
