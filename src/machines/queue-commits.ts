// Carries commits between an owner and the workers of the queue: in rows of the database, or by a git remote.
import { git, type GitTarget } from '../git/git.ts';
import { oneLine } from '../model/wording.ts';
import type { Work } from './protocol.ts';
import type { Queue } from './queue.ts';
import { Undone } from './run-facts.ts';
import { bundlePieces, piecesIn, remoteVariables, type Snapshot } from './travelling-commits.ts';
import type { WorkerPlaces } from './worker-places.ts';

/** Carries commits from an owner to whichever worker takes the order, and work back. */
type Carrier = ReturnType<typeof byRows>;

type Place = Pick<Work, 'repository' | 'commit'>;

/** The id of an attempt in the queue, which takes UUIDs. */
export function idOf(attempt: string): string {
  return attempt.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Makes the carrier by the git remote, under refs of this owner; by rows where there are none. */
export function carrierOf(
  queue: Queue,
  { remote, refs, most }: { remote: string | null; refs: string | null; most: number },
): Carrier {
  return remote === null || refs === null ? byRows(queue) : byRemote(remote, refs, most);
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
function byRows(queue: Queue) {
  /** The newest commit of each repository that this owner has sent. */
  const newest = new Map<string, string>();

  async function keepPieces(id: string, pieces: AsyncIterable<Buffer>): Promise<void> {
    let at = 0;
    for await (const piece of pieces) await queue.keep(`${id}/${at++}`, piece);
  }

  /** Brings the commit of an order into the places of a worker. */
  async function bring({ repository, commit }: Place, places: WorkerPlaces): Promise<void> {
    if ((await places.tips(repository)).includes(commit)) return;
    const place = { repository, commit };
    const needs = String((await queue.kept(idIn(place))) ?? '');
    if (needs !== '') await bring({ repository, commit: needs }, places);
    for await (const data of readPieces(queue, idIn(place)))
      await places.append({ ...place, data });
    await places.take(place);
  }

  return {
    /** The largest bundle, in bytes. */
    mostBytes: 100_000_000,
    /** See `Way`. */
    async tips(snapshot: Snapshot): Promise<readonly string[]> {
      if ((await queue.kept(idIn(snapshot))) !== null) return [snapshot.commit];
      const last = newest.get(snapshot.repository);
      return last === undefined ? [] : [last];
    },
    async send(snapshot: Snapshot, without: readonly string[]): Promise<void> {
      await keepPieces(idIn(snapshot), bundlePieces(snapshot, without));
      await queue.keep(idIn(snapshot), newest.get(snapshot.repository) ?? '');
      newest.set(snapshot.repository, snapshot.commit);
    },
    bring,
    /** Sends the work of a run; returns its ref, or null where it went in pieces. */
    async sendWork(
      { attempt }: Work,
      _commit: string,
      places: WorkerPlaces,
    ): Promise<string | null> {
      await keepPieces(idOf(attempt), piecesIn(places.bundle(attempt)));
      return null;
    },
    /** Removes what was sent; a bundle stays for a day, as the next run may build on its commits. */
    forget: async (): Promise<void> => undefined,
  };
}

/** The refs of one owner on a remote begin with the day, so that others see when nobody needs them any longer. */
export const refsOf = (now: Date, owner: string) =>
  `refs/conclave/${now.toISOString().slice(0, 10)}/${owner}`;

/** The time after which what a killed owner left on a remote is removed, in ms. */
const leftMs = 48 * 3_600_000;

/** The longest time for removing from a remote what is no longer needed, in ms. */
const mostForgetMs = 20_000;

function byRemote(remote: string, refs: string, mostBytes: number): Carrier {
  let place: GitTarget | null = null;
  const push = async (store: GitTarget, ...words: readonly string[]) =>
    await reach(store, ['push', '--quiet', '--force', remote, ...words], remote);
  /** Lists the refs of the remote as pairs of commit and ref, and removes those that are gone. */
  async function look(store: GitTarget, isGone: (ref: string) => boolean) {
    const said = await reach(store, ['ls-remote', remote], remote);
    const there = said.split('\n').map((line) => line.split('\t'));
    const gone = there.flatMap(([, ref = '']) => (isGone(ref) ? [`:${ref}`] : []));
    if (gone.length > 0) await push(store, ...gone).catch(() => undefined);
    return there;
  }
  return {
    mostBytes,
    async tips({ store, commit }) {
      place = store;
      const there = await look(store, (ref) => {
        const day = /^refs\/conclave\/(\d{4}-\d\d-\d\d)\//.exec(ref)?.[1] ?? '';
        return Date.now() - Date.parse(day) > leftMs;
      });
      if (there.some(([, ref]) => ref === `${refs}/${commit}`)) return [commit];
      return there.flatMap(([tip = '']) => (tip === commit ? [] : [tip]));
    },
    async send({ store, commit }) {
      await push(store, `${commit}:${refs}/${commit}`);
    },
    async bring({ repository, commit }, places) {
      if ((await places.tips(repository)).includes(commit)) return;
      const source = { from: remote, ref: `${refs}/${commit}`, isShared: true };
      await places.take({ repository, commit }, source);
    },
    async sendWork({ repository, attempt }, commit, places) {
      const ref = `${refs}/${attempt}`;
      await push(await places.cache(repository), `${commit}:${ref}`);
      return ref;
    },
    async forget() {
      const signal = AbortSignal.timeout(mostForgetMs);
      if (place !== null) await look({ ...place, signal }, (ref) => ref.startsWith(`${refs}/`));
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
